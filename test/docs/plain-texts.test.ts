/** What the program prints or writes is in plain words: no word to avoid, and no sentence that is too long. */

import { expect, test } from "vitest";
import { readSources } from "../../src/build/module-graph.ts";
import { inRepository } from "../support/doc-pages.ts";
import { plainWordFaults } from "../support/plain-words.ts";
import { commentsIn, textsIn } from "../support/source-texts.ts";

/** Files whose texts are not prose, with the reason. */
const NOT_CHECKED: Readonly<Record<string, string>> = {
  "commands/completion.ts": "Scripts for shells.",
  "checks/when/words-of-languages.ts": "Lists of words in many languages.",
  "embedded/store/postgres-limits.ts": "Statements in SQL.",
  "embedded/store/postgres-store.ts": "Statements in SQL. The other messages are short.",
};

/** Texts that may keep a word to avoid or be long, by a part of what is found, with the reason. */
const ALLOWED: readonly (readonly [path: string, part: string, reason: string])[] = [
  ["settings/languages/german.ts", "bearbeitungsstand", "The German word `Stand` is a header."],
];

const SOURCES = readSources(inRepository("."));

function faultsOf(path: string, texts: ReturnType<typeof textsIn>): readonly string[] {
  return texts.flatMap(({ line, text }) => plainWordFaults(text).map((fault) => `${path}:${line} ${fault}`));
}

const FAULTS = SOURCES.flatMap((file) => faultsOf(file.path, textsIn(file)));

function isAllowed(fault: string): boolean {
  return (
    Object.keys(NOT_CHECKED).some((path) => fault.startsWith(`${path}:`)) ||
    ALLOWED.some(([path, part]) => fault.startsWith(`${path}:`) && fault.includes(part))
  );
}

test("no text in the source has a word to avoid or a sentence of more than 30 words", () => {
  expect(FAULTS.filter((fault) => !isAllowed(fault))).toEqual([]);
});

test("every exception is about a text that exists", () => {
  expect(
    Object.keys(NOT_CHECKED).filter((path) => !FAULTS.some((fault) => fault.startsWith(`${path}:`))),
  ).toEqual([]);
  expect(
    ALLOWED.filter(
      ([path, part]) => !FAULTS.some((fault) => fault.startsWith(`${path}:`) && fault.includes(part)),
    ),
  ).toEqual([]);
});

test("texts are found in strings and templates, and placeholders count as one word", () => {
  const text = `
    import x from "it stands alone and is told";
    // A comment stands here alone.
    const a = "The post stands alone.";
    const b = \`The \${"file"} that is told has \${count} rows.\`;
    const c = "too short";
  `;
  const texts = textsIn({ path: "a.ts", text });
  expect(texts).toEqual([
    { line: 4, text: "The post stands alone." },
    { line: 5, text: "The x that is told has x rows." },
  ]);
  expect(faultsOf("a.ts", texts)).toHaveLength(3);
  expect(commentsIn({ path: "a.ts", text })).toEqual([{ line: 3, text: "A comment stands here alone." }]);
});
