/**
 * Finds the facets of the texts in `facets.jsonl` again, with the library of Bluesky's own app. It installs the library in
 * a temporary folder and removes it afterwards. To compare other texts, add lines such as `["A text",[]]` to the file
 * first. Usage: `node scripts/bluesky-facets.js [VERSION]`. Then run the test beside the file: it names each difference
 * between the app and plancast.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FILE = new URL("../test/checks/networks/bluesky-app/facets.jsonl", import.meta.url);
/** The newest version for Node 20. */
const VERSION = process.argv[2] ?? "0.19.19";

const folder = mkdtempSync(join(tmpdir(), "plancast-facets-"));
try {
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const install = ["install", `@atproto/api@${VERSION}`, "--ignore-scripts", "--no-audit", "--no-fund"];
  if (spawnSync("npm", install, { cwd: folder, stdio: "inherit" }).status !== 0)
    throw new Error("npm could not install @atproto/api.");
  const { RichText } = createRequire(join(folder, "package.json"))("@atproto/api");
  const lines = readFileSync(FILE, "utf8").trimEnd().split("\n");
  const found = lines.map((line) => {
    const [text] = JSON.parse(line);
    return JSON.stringify([text, facetsOf(RichText, text)]);
  });
  const changed = found.filter((line, index) => line !== lines[index]).length;
  writeFileSync(FILE, `${found.join("\n")}\n`);
  process.stdout.write(`${lines.length} texts, of which ${changed} changed.\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Kind, first byte, end, and the link, tag or handle of each facet.
 * @param {any} RichText @param {string} text @returns {unknown[]}
 */
function facetsOf(RichText, text) {
  const rich = new RichText({ text });
  rich.detectFacetsWithoutResolution();
  return (rich.facets ?? []).map(
    (
      /** @type {{ index: { byteStart: number, byteEnd: number }, features: any[] }} */ { index, features },
    ) => {
      const [feature = {}] = features;
      const kind = String(feature.$type).split("#")[1];
      return [kind, index.byteStart, index.byteEnd, feature.uri ?? feature.tag ?? feature.did];
    },
  );
}
