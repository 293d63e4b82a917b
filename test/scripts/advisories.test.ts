/** `npm run advisories` with a registry that the test starts. npm requests it over HTTP. */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { afterThisTest } from "../support/after-test.ts";
import { makeProject } from "../support/project.ts";

const SCRIPT = readFileSync(new URL("../../scripts/advisories.js", import.meta.url), "utf8");

/** One library in the package, and one tool that only builds it. */
const PROJECT = {
  "scripts/advisories.js": SCRIPT,
  "package.json": JSON.stringify({
    name: "x",
    version: "1.0.0",
    type: "module",
    devDependencies: { library: "^1.0.0", tool: "^2.0.0" },
  }),
  "package-lock.json": JSON.stringify({
    name: "x",
    version: "1.0.0",
    lockfileVersion: 3,
    packages: {
      "": { name: "x", version: "1.0.0", devDependencies: { library: "^1.0.0", tool: "^2.0.0" } },
      "node_modules/library": { version: "1.4.0", dev: true },
      "node_modules/tool": { version: "2.0.0", dev: true },
    },
  }),
  "dist/sbom.cdx.json": JSON.stringify({ components: [{ name: "library", version: "1.4.0" }] }),
};

interface Advisory {
  readonly vulnerable_versions: string;
  readonly title?: string;
}

/** A registry that knows these advisories; undefined for one that refuses the request. */
async function registry(advisories: Readonly<Record<string, Advisory>> | undefined): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    const isQuestion =
      request.method === "POST" && request.url?.endsWith("/security/advisories/bulk") === true;
    if (!isQuestion || advisories === undefined) {
      response.statusCode = isQuestion ? 405 : 404;
      response.end("{}");
      return;
    }
    const answer = Object.entries(advisories).map(([name, each], index) => [
      name,
      [{ id: index + 1, url: "https://example.com/advisory", title: "It leaks", severity: "high", ...each }],
    ]);
    response.end(JSON.stringify(Object.fromEntries(answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The registry has no port.");
  return `http://127.0.0.1:${address.port}/`;
}

async function ask(
  advisories: Readonly<Record<string, Advisory>> | undefined,
): Promise<{ code: number | null; out: string; err: string }> {
  const project = await makeProject({ config: false, files: PROJECT });
  const child = spawn(process.execPath, ["scripts/advisories.js"], {
    cwd: project.root,
    env: {
      ...process.env,
      npm_config_registry: await registry(advisories),
      npm_config_cache: join(project.root, ".npm"),
      npm_config_fetch_retries: "0",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  return { code, out, err };
}

test.each([
  ["nothing", {}, 0, "Libraries in the package: 1. Advisories about them: 0."],
  [
    "a library in the package",
    { library: { vulnerable_versions: "<1.5.0" } },
    1,
    "- library@1.4.0: high, It leaks",
  ],
  [
    "an older version of a library",
    { library: { vulnerable_versions: "<1.4.0" } },
    0,
    "Advisories about them: 0.",
  ],
  ["a tool only", { tool: { vulnerable_versions: "*" } }, 0, "build and test:\n- tool@2.0.0"],
] as const)("advisories about %s", async (_about, advisories, code, shown) => {
  const asked = await ask(advisories);
  expect(asked).toMatchObject({ code });
  expect(asked.out).toContain(shown);
});

test("if the registry refuses the request, that is an error, and does not count as no advisories", async () => {
  const asked = await ask(undefined);
  expect(asked).toMatchObject({ code: 2, out: "" });
  expect(asked.err).toContain("Nothing is known about advisories.");
});

test("an advisory's title cannot put commands into a CI job's log", async () => {
  const title = "bad\n::set-env name=PATH::x\u001b[2J";
  const { out } = await ask({ library: { vulnerable_versions: "*", title } });
  expect(out.split("\n").filter((line) => line.startsWith("::"))).toEqual([]);
  expect(out).not.toContain("\u001b");
});
