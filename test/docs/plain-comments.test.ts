/** Comments in src and names of tests are in plain words: none of the words to avoid, no sentence that is too long. */

import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { expect, test } from "vitest";
import { type SourceFile, readSources } from "../../src/build/module-graph.ts";
import { inRepository } from "../support/doc-pages.ts";
import { plainWordFaults } from "../support/plain-words.ts";
import { type ReadText, commentsIn, testNamesIn } from "../support/source-texts.ts";

/** Texts that may keep a word to avoid or be long, with the reason. */
const ALLOWED: readonly (readonly [path: string, part: string, reason: string])[] = [
  ["sync/plan/diff.ts", "row (desired) | owned, by key", "A table, not a sentence."],
  ["sync/sync.ts", "read find the calendars", "A table, not a sentence."],
];

/** One line for each fault: its place, the word, and the sentence. */
function faultsOf(path: string, texts: readonly ReadText[]): readonly string[] {
  return texts.flatMap(({ line, text }) => plainWordFaults(text).map((fault) => `${path}:${line}: ${fault}`));
}

function testFiles(): readonly SourceFile[] {
  const paths = globSync("**/*.test.ts", { cwd: inRepository("test") });
  return paths.map((path) => ({ path, text: readFileSync(inRepository(`test/${path}`), "utf8") }));
}

function isAllowed(fault: string): boolean {
  return ALLOWED.some(([path, part]) => fault.startsWith(`${path}:`) && fault.includes(part));
}

const SOURCES = readSources(inRepository("."));
const COMMENT_FAULTS = SOURCES.flatMap((file) => faultsOf(file.path, commentsIn(file)));
const TESTS = testFiles();
const NAME_FAULTS = TESTS.flatMap((file) => faultsOf(file.path, testNamesIn(file)));

test("comments have no word to avoid, and no sentence of more than 30 words", () => {
  expect(COMMENT_FAULTS.filter((fault) => !isAllowed(fault))).toEqual([]);
});

test("names of tests have no word to avoid, and no more than 30 words", () => {
  expect(NAME_FAULTS.filter((fault) => !isAllowed(fault))).toEqual([]);
});

test("every exception is about a text that exists", () => {
  const faults = [...COMMENT_FAULTS, ...NAME_FAULTS];
  const unused = ALLOWED.filter(
    ([path, part]) => !faults.some((fault) => fault.startsWith(`${path}:`) && fault.includes(part)),
  );
  expect(unused).toEqual([]);
});

test("finds comments without their marks and tags, and names of tests", () => {
  const text = `
    /**
     * It stands alone.
     * @param name of a file
     */
    // One sentence on
    // two lines.
    test.each([1])("a name with %d", () => {});
  `;
  const file = { path: "a.ts", text };
  expect(commentsIn(file)).toEqual([
    { line: 2, text: "It stands alone.\n\n of a file" },
    { line: 6, text: "One sentence on\ntwo lines." },
  ]);
  expect(testNamesIn(file)).toEqual([{ line: 8, text: "a name with %d" }]);
  expect(faultsOf("a.ts", commentsIn(file))).toHaveLength(2);
  expect([SOURCES.length, TESTS.length].every((count) => count > 100)).toBe(true);
});
