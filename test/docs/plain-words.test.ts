/** The pages are in plain words: none of the words to avoid, no sentence that is too long, and easy to read. */

import { flesch } from "flesch";
import { syllable } from "syllable";
import { expect, test } from "vitest";
import { docPages } from "../support/doc-pages.ts";
import { plainWordFaults, sentencesOf, wordCount } from "../support/plain-words.ts";

/** Pages that are not checked, with the reason. */
const NOT_CHECKED: Readonly<Record<string, string>> = {
  "CHANGELOG.md": "A record of what was changed. Nobody edits old entries for their words.",
};

/** Sentences that may keep a word to avoid or be long, with the reason. */
const ALLOWED: readonly (readonly [page: string, part: string, reason: string])[] = [
  ["docs/write/presets.md", "Ayrshare (code)", "A list of links, not a sentence."],
  ["docs/write/presets.md", "Not published: code", "A list of columns, not a sentence."],
  ["docs/reference/project-file.md", "each with one of code, code", "A list of words, not a sentence."],
  ["docs/change/dependencies.md", "They include these: ", "A list of names, not a sentence."],
];

/**
 * Lowest reading ease (Flesch) of a page: 60 is plain English. Table cells and pieces of code count as short sentences and
 * words, so pages of this kind score more than plain prose.
 */
const EASE: readonly (readonly [folder: string, least: number])[] = [
  ["docs/write/", 80],
  ["docs/run/", 75],
  ["docs/change/", 75],
  ["", 70],
];

const PAGES = docPages()
  .filter(({ path }) => NOT_CHECKED[path] === undefined)
  .map((page) => [page.path, page.text] as const);

function readingEase(markdown: string): number {
  const sentences = sentencesOf(markdown).filter((sentence) => wordCount(sentence) > 3);
  const words = sentences.flatMap((sentence) => sentence.match(/[\p{L}'’-]+/gu) ?? []);
  const syllables = words.reduce((sum, word) => sum + syllable(word), 0);
  return flesch({ sentence: sentences.length, word: words.length, syllable: syllables });
}

test.each(PAGES)("%s: no word to avoid, and no sentence of more than 30 words", (path, text) => {
  const faults = plainWordFaults(text);
  const isAllowed = (fault: string) => ALLOWED.some(([page, part]) => page === path && fault.includes(part));
  expect(faults.filter((fault) => !isAllowed(fault))).toEqual([]);
});

test.each(PAGES)("%s: is easy to read", (path, text) => {
  const [, least = 0] = EASE.find(([folder]) => path.startsWith(folder)) ?? [];
  expect(readingEase(text)).toBeGreaterThanOrEqual(least);
});

test("every exception is about a page, and a sentence, that exists", () => {
  const pages = new Map(docPages().map(({ path, text }) => [path, text]));
  expect(Object.keys(NOT_CHECKED).filter((path) => !pages.has(path))).toEqual([]);
  const faults = (page: string) => plainWordFaults(pages.get(page) ?? "").join("\n");
  expect(ALLOWED.filter(([page, part]) => !faults(page).includes(part))).toEqual([]);
});

test("words to avoid and long sentences are found in prose, not in code", () => {
  expect(plainWordFaults("There stands the post. Text and media alone.")).toHaveLength(2);
  expect(plainWordFaults("A network such as X. Fix it.\n\n```sh\ntell alone\n```\n\nUse `stands`.")).toEqual(
    [],
  );
  expect(plainWordFaults(`- One ${"more ".repeat(30)}word.\n- Next.`)).toHaveLength(1);
  expect(plainWordFaults(`| ${"many words ".repeat(10)} | ${"many words ".repeat(10)} |`)).toEqual([]);
  expect(readingEase("The cat sat on the mat. You can see it there.")).toBeGreaterThan(100);
  expect(
    readingEase("Organizational responsibilities necessitate comprehensive documentation."),
  ).toBeLessThan(0);
});
