/** The repository's Markdown as tests look at it. */

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { headingAnchor } from "../../src/report/text/markdown.ts";

const ROOT = new URL("../../", import.meta.url);

export interface DocPage {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface CodeBlock {
  /** The text after the fence, such as `sh`. */
  readonly language: string;
  readonly lines: readonly string[];
  /** The text of an HTML comment directly above, such as `parsed only: …`; blank if there is none. */
  readonly mark: string;
}

const FENCE = /^(`{3,})(\S*)[^\n]*\n([\s\S]*?)^\1$/gm;

export function docPages(): readonly DocPage[] {
  const inDocs = readdirSync(new URL("docs/", ROOT), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`);
  return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...inDocs.sort()].map((path) => ({
    path,
    text: readFileSync(new URL(path, ROOT), "utf8"),
  }));
}

export function codeBlocks({ text }: DocPage): readonly CodeBlock[] {
  return [...text.matchAll(FENCE)].map((match) => {
    const [, mark = ""] = /<!-- (.*) -->\n+$/.exec(text.slice(0, match.index)) ?? [];
    return { language: match[2] ?? "", lines: (match[3] ?? "").trimEnd().split("\n"), mark };
  });
}

/** What people read as prose: without code blocks. */
export function prose({ text }: DocPage): string {
  return text.replaceAll(FENCE, "");
}

/** The anchors of a page, as GitHub makes them: repeated ones get a number. */
export function anchors(page: DocPage): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const all = [...prose(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => {
    const anchor = headingAnchor(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim());
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  return new Set(all);
}

/** Where the page's links and pictures lead. */
export function linkTargets(page: DocPage): readonly string[] {
  const text = prose(page).replaceAll(/`[^`\n]*`/g, "");
  const inline = [...text.matchAll(/\]\(<?([^)\s>]+)>?\)/g)];
  const defined = [...text.matchAll(/^\[[^\]]+\]: (\S+)$/gm)];
  return [...inline, ...defined].map(([, target = ""]) => target);
}

/** Absolute path of a file of the repository. */
export function inRepository(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}
