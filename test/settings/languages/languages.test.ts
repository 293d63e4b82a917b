import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { FIELDS } from "../../../src/model/fields.ts";
import type { Language } from "../../../src/settings/languages/language.ts";
import {
  LANGUAGES,
  holdsBack,
  looseHeader,
  looseWord,
  oppositeAnswer,
  statusWord,
  wordsOf,
  yesOrNo,
} from "../../../src/settings/languages/languages.ts";
import { inRepository } from "../../support/doc-pages.ts";

test("each file of a language is in the table", () => {
  const files = readdirSync(inRepository("src/settings/languages")).map((name) => name.replace(".ts", ""));
  const names = LANGUAGES.map(({ name }) => name.toLowerCase());
  expect(names.toSorted()).toEqual(
    files.filter((name) => !["language", "languages"].includes(name)).toSorted(),
  );
});

/** Words with several meanings, and their meanings. */
function ambiguous(all: readonly (readonly [word: string, meaning: string])[]): string[] {
  const found = new Map<string, Set<string>>();
  for (const [word, meaning] of all) found.set(word, (found.get(word) ?? new Set()).add(meaning));
  return [...found].flatMap(([word, { size }], index) =>
    size < 2 ? [] : [`${word}: ${[...([...found.values()][index] ?? [])].join(", ")}`],
  );
}

/** Every header that a language lists, with its meaning. A question mark is part of the header. */
function headersOf({ columns, hints, questions, hashtags }: Language): [string, string][] {
  const { state: _anywhere, ignore: _notes, ...others } = hints;
  const all = [
    ...Object.entries(columns),
    ...Object.entries(others),
    ...(["ready", "skip", "draft"] as const).map((kind) => [`yes means ${kind}`, questions[kind]] as const),
    ["hashtags", hashtags] as const,
  ];
  return all.flatMap(([meaning, list]) =>
    wordsOf(list).map((name): [string, string] => [
      looseHeader(name) + (name.endsWith("?") ? "?" : ""),
      meaning,
    ]),
  );
}

test("no header means two things, in all languages together", () => {
  const own = FIELDS.map((field) => [looseHeader(field), field] as const);
  expect(ambiguous([...own, ...LANGUAGES.flatMap(headersOf)])).toEqual([]);
});

test("no status word has two meanings, in all languages together", () => {
  const all = LANGUAGES.flatMap(({ status }) =>
    Object.entries(status).flatMap(([meaning, words]: [string, string]) =>
      wordsOf(words).map((word) => [looseWord(word), meaning] as const),
    ),
  );
  expect(ambiguous(all)).toEqual([]);
});

test("no word means yes and no, in all languages together", () => {
  const all = LANGUAGES.flatMap(({ yes, no }) => [
    ...wordsOf(yes).map((word) => [word, "yes"] as const),
    ...wordsOf(no).map((word) => [word, "no"] as const),
  ]);
  expect(ambiguous(all)).toEqual([]);
  for (const [word, said] of all) expect([word, yesOrNo(word)]).toEqual([word, said === "yes"]);
});

test.each(LANGUAGES.map((each) => [each.name, each] as const))(
  "%s has names for what every calendar needs, and each word once",
  (_name, language) => {
    for (const field of ["scheduled_at", "date", "time", "platforms", "content", "media"] as const)
      expect([field, wordsOf(language.columns[field]).length]).not.toEqual([field, 0]);
    const lists = [
      language.questions.ready,
      language.questions.skip,
      language.questions.draft,
      language.hashtags,
      ...Object.values(language.status),
      language.holds,
      language.yes,
      language.no,
      language.and,
      ...Object.values(language.dateParts),
      ...Object.values(language.columns),
      ...Object.values(language.hints),
    ];
    for (const list of lists) {
      const words = wordsOf(list).map((word) => looseWord(word) + (word.endsWith("?") ? "?" : ""));
      expect([list, words.filter((word) => word === "")]).toEqual([list, []]);
    }
    const status = Object.values(language.status).flatMap((list) => wordsOf(list).map(looseWord));
    expect(status.filter((word, index) => status.indexOf(word) !== index)).toEqual([]);
    const headers = headersOf(language).map(([name]) => name);
    expect(headers.filter((name, index) => headers.indexOf(name) !== index)).toEqual([]);
  },
);

test.each([
  ["Posted", "skip"],
  ["published ", "skip"],
  ["✅ Approved", "ready"],
  ["Planned", "unclear"],
  ["Idea", "draft"],
  ["DRAFTED", "draft"],
  ["In-Progress", "draft"],
  ["À produire", "draft"],
  ["A PRODUIRE", "draft"],
  ["geplant", "unclear"],
  ["Scheduled", "unclear"],
  ["Zatwierdzone", "ready"],
  ["opublikowane", "skip"],
  ["تم النشر", "skip"],
  ["مسودّة", "draft"],
  ["投稿済み", "skip"],
  ["確認中", "draft"],
])("reads the status word %j as %s", (word, meaning) => {
  expect(statusWord(word)).toBe(meaning);
});

test.each([
  ["no", "yes"],
  ["Nein", "Ja"],
  ["VRAI", "FAUX"],
  [" falsch ", "wahr"],
  ["未", "済"],
  ["済み", "否"],
  ["x", undefined],
  ["perhaps", undefined],
])("the opposite of %j is %j", (word, opposite) => {
  expect(oppositeAnswer(word)).toBe(opposite);
});

test.each(["Ready?", "Ready (not approved)", "constructor", "", "Done", "✅", "Anna"])(
  "does not guess what the status word %j means",
  (word) => {
    expect(statusWord(word)).toBeUndefined();
  },
);

test.each([
  "Please do NOT publish this one, too sensitive",
  "don’t post before legal has answered",
  "Client: must not be published",
  "ON HOLD until Friday",
  "Bitte nicht veröffentlichen!",
  "Merci de ne pas publier pour l’instant",
  "NO PUBLICAR hasta nuevo aviso",
  "Per favore non pubblicare",
  "Não publicar antes de sexta",
  "niet plaatsen, logo klopt niet",
  "Proszę nie publikować",
  "الرجاء عدم النشر",
  "まだ公開しないでください",
])("the note %j keeps its row back", (note) => {
  expect(holdsBack(note)).toBe(true);
});

test.each([
  "Love it!",
  "Please publish",
  "Should we hold this?",
  "Do not use stock photos",
  "Post at nine, not ten",
  "not sure about the emoji",
  "household tips",
  "nicht zu lang, bitte",
  "pas de hashtag",
  "no",
  "niet te lang",
  "公開してください",
  `do not post ${"your boarding pass ".repeat(20)}`,
])("the note %j keeps nothing back", (note) => {
  expect(holdsBack(note)).toBe(false);
});
