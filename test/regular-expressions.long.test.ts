/**
 * No regular expression of src takes quadratic time. Every literal is checked, and every
 * pattern that is put together when a module loads.
 */

import { type AttackPattern, check } from "recheck";
import { parseAst } from "rolldown/parseAst";
import { expect, test } from "vitest";
import { readSources } from "../src/build/module-graph.ts";
import { inRepository } from "./support/doc-pages.ts";

/** Files with patterns that never see text of others. */
const OWN_TEXT_ONLY = new Map([["build/", "runs when the project is built, over the project's own files"]]);

/** Files with patterns that only see texts of limited length, in UTF-16 units. */
const SHORT_TEXT_ONLY = new Map([
  ["calendars/columns/header-notes.ts", 200],
  ["checks/when/written-forms.ts", 80],
  ["commands/shell/ask-table.ts", 200],
  ["checks/post-types.ts", 10_000],
  ["service/http/key.ts", 10_000],
  ["checks/series/repeat-words.ts", 300],
]);

/** Patterns that functions build, as they may result there. */
const IN_FUNCTIONS = new Map<string, readonly RegExp[]>([
  ["checks/rules/count-text.ts", [new RegExp(String.raw`\p{RGI_Emoji}`, "v")]],
  ["doctor/mapping-help.ts", [/\/v1\/posts\?/]],
]);

/** A check of one pattern may take this long on a busy machine, in ms. */
const TIMEOUT_MS = 60_000;

const SOURCES = readSources(inRepository(".")).filter(
  ({ path }) => ![...OWN_TEXT_ONLY.keys()].some((folder) => path.startsWith(folder)),
);

test("no input can make a pattern of src slow", async () => {
  const found = [...SOURCES.flatMap(literals), ...(await constructed())];
  const different = new Map(found.map((each) => [JSON.stringify(each), each]));
  expect(different.size).toBeGreaterThan(300);
  const slow: string[] = [];
  for (const each of different.values()) {
    const said = await verdict(each);
    if (said !== "safe") slow.push(`${each.path} /${each.source}/${each.flags}: ${said}`);
  }
  expect(slow).toEqual([]);
}, 600_000);

test.each([
  ["a header", String.raw`\([^)]*\)|\[[^\]]*\]`, "g"],
  ["a media cell", String.raw`^[\s\u00ad]+|[\s\u00ad]+$`, "g"],
  ["a number format", String.raw`\[(?!(?:h+|m+|s+)\])[^\]]*\]`, "gi"],
  ["a page's title", String.raw`<title[^>]*>([^<]{1,200})`, "i"],
])("finds the pattern that was slow for %s", async (_name, source, flags) => {
  expect(await verdict({ path: "", source, flags })).toMatch("slow: 2nd degree polynomial");
});

interface Pattern extends Pick<RegExp, "source" | "flags"> {
  /** Path of its file, below src. */
  readonly path: string;
}

/** `safe`, or what is wrong with a pattern. */
async function verdict({ path, source, flags }: Pattern): Promise<string> {
  if (!mayBacktrack(source)) return "safe";
  // The tool does not know these flags, which do not affect the time.
  const result = await check(source, flags.replaceAll(/[dv]/g, ""), { timeout: TIMEOUT_MS });
  if (result.status === "unknown") return `not checked: ${result.error.kind}`;
  const longest = SHORT_TEXT_ONLY.get(path) ?? LONGEST_ATTACK;
  if (result.status === "safe" || !isSlow(new RegExp(source, flags), result.attack, longest)) return "safe";
  return `slow: ${result.complexity.summary}, by ${result.attack.pattern}`;
}

/** Whether an attack works in this engine. Some attacks that the tool finds do not work. */
function isSlow(pattern: RegExp, { pumps, suffix }: AttackPattern, longest: number): boolean {
  for (let times = 16; ; times *= 2) {
    const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join("") + suffix;
    if (text.length > longest) return false;
    const start = process.cpuUsage();
    text.replace(pattern, "");
    const { user, system } = process.cpuUsage(start);
    if (user + system > SLOW_US) return true;
  }
}

/**
 * With quadratic time, an attack of this length (UTF-16 units) takes seconds. Otherwise, it takes some milliseconds.
 */
const LONGEST_ATTACK = 250_000;
const SLOW_US = 300_000;

/** A pattern without unlimited repetition takes a time that its own length limits. */
function mayBacktrack(source: string): boolean {
  return /[*+]|\{\d+,\}/.test(source.replaceAll(/\\[*+]|\[(?:\\.|[^\]\\])*\]/g, ""));
}

function literals({ path, text }: { readonly path: string; readonly text: string }): Pattern[] {
  return nodes(parseAst(text, { lang: "ts" }, path)).flatMap((node) =>
    node.type === "Literal" && isPattern(node["regex"])
      ? [{ path, source: node["regex"].pattern, flags: node["regex"].flags }]
      : [],
  );
}

/** The patterns that modules build: loads each of these modules again, and collects the results. */
async function constructed(): Promise<Pattern[]> {
  const made: Pattern[] = [];
  for (const { path, text } of SOURCES) {
    const constructions = nodes(parseAst(text, { lang: "ts" }, path)).filter(
      ({ type, callee }) => type === "NewExpression" && isNamed(callee, "RegExp"),
    ).length;
    if (constructions === 0) continue;
    const inFunctions = IN_FUNCTIONS.get(path) ?? [];
    const atLoading = constructions === inFunctions.length ? [] : await madeAtLoading(path);
    // A place in a loop makes several.
    const places = new Set(atLoading.map(({ place }) => place)).size + inFunctions.length;
    expect({ path, places }).toEqual({ path, places: constructions });
    made.push(
      ...atLoading.map(({ place: _place, ...pattern }) => pattern),
      ...inFunctions.map(({ source, flags }) => ({ path, source, flags })),
    );
  }
  return made;
}

/** With the place in the code that made each pattern. */
async function madeAtLoading(path: string): Promise<(Pattern & { readonly place: string })[]> {
  const file = inRepository(`src/${path}`);
  // Its imports are already loaded, and make no more patterns.
  await import(/* @vite-ignore */ file);
  const made: (Pattern & { readonly place: string })[] = [];
  const own = globalThis.RegExp;
  globalThis.RegExp = new Proxy(own, {
    construct(target, args: [string, string?]) {
      const pattern = new target(...args);
      const place = new Error(path).stack?.split("\n")[2] ?? "";
      made.push({ path, source: pattern.source, flags: pattern.flags, place });
      return pattern;
    },
  });
  try {
    await import(/* @vite-ignore */ `${file}?anew`);
  } finally {
    globalThis.RegExp = own;
  }
  return made;
}

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

function nodes(root: unknown): Node[] {
  if (Array.isArray(root)) return root.flatMap(nodes);
  if (typeof root !== "object" || root === null) return [];
  const below = Object.values(root).flatMap(nodes);
  return isNode(root) ? [root, ...below] : below;
}

function isNode(value: object): value is Node {
  return "type" in value && typeof value.type === "string";
}

function isNamed(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, "name") === name;
}

function isPattern(value: unknown): value is { readonly pattern: string; readonly flags: string } {
  return typeof value === "object" && value !== null && "pattern" in value && "flags" in value;
}
