/** Links within the repository's Markdown: each leads to a file that is there, and to a heading that is in it. */

import { existsSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { gitHubName } from "../../scripts/readme-links.js";
import { type DocPage, anchors, docPages, inRepository, linkTargets } from "../support/doc-pages.ts";

const PAGES = docPages();
const NAME = "repository" in manifest ? gitHubName(manifest.repository) : undefined;
const OWN = new RegExp(`^https://(?:github\\.com/${NAME}/blob|raw\\.githubusercontent\\.com/${NAME})/main/`);

/** A link to a file of this repository is absolute in the README once package.json says `repository`. */
function withinRepository(target: string): string {
  return target.replace(OWN, "");
}

function brokenLinks(page: DocPage, pages: readonly DocPage[]): string[] {
  return linkTargets(page)
    .map(withinRepository)
    .filter((target) => !/^(?:https?|mailto):/.test(target))
    .filter((target) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page.path : posix.join(posix.dirname(page.path), path);
      if (file.startsWith("..") || !existsSync(inRepository(file))) return true;
      const other = pages.find((each) => each.path === file);
      return anchor !== undefined && (other === undefined || !anchors(other).has(anchor));
    });
}

test.each(PAGES.map((page) => [page.path, page] as const))(
  "%s: every link leads somewhere",
  (_path, page) => {
    expect(brokenLinks(page, PAGES)).toEqual([]);
  },
);

/** Files of this repository that prose names in `code`. Files of a worked example and patterns do not exist. */
function missingFiles({ text }: Pick<DocPage, "text">): string[] {
  return [...text.matchAll(/`((?:src|test|scripts|bench|schemas)\/[\w./-]+)`/g)]
    .map(([, path = ""]) => path)
    .filter((path) => !/capitals|NAME/.test(path) && !existsSync(inRepository(path)));
}

test.each(PAGES.map((page) => [page.path, page] as const))(
  "%s: every file that it names exists",
  (_path, page) => {
    expect(missingFiles(page)).toEqual([]);
    expect(missingFiles({ text: "`src/cli.ts` and `src/none.ts`" })).toEqual(["src/none.ts"]);
  },
);

test("every page in docs is linked from another page", () => {
  const linked = new Set(
    PAGES.flatMap((page) =>
      linkTargets(page).map((target) =>
        posix.join(posix.dirname(page.path), withinRepository(target).split("#")[0] ?? ""),
      ),
    ),
  );
  const inDocs = PAGES.map(({ path }) => path).filter((path) => path.startsWith("docs/"));
  expect(inDocs.filter((path) => !linked.has(path))).toEqual([]);
});

test("finds broken links", () => {
  const text =
    "# One `x`\n\n[a](none.md) [b](#one-x) [c](#two) [d](../README.md#none)\n\n[e]: rules.md#none\n";
  const page = { path: "docs/README.md", text };
  expect(brokenLinks(page, [page, ...PAGES])).toEqual([
    "none.md",
    "#two",
    "../README.md#none",
    "rules.md#none",
  ]);
});
