/** Placeholders and unfinished texts: what is found, and above all what is not. */

import { expect, test } from "vitest";
import { assert, constantFrom, property } from "fast-check";
import { checkPosts } from "../../../src/checks/rules/check-posts.ts";
import type { ResolvedPost } from "../../../src/model/post.ts";
import { LANGUAGES, wordsOf } from "../../../src/settings/languages/languages.ts";
import { config, post } from "../../support/rows.ts";

const OWN = ["content/placeholder", "content/unfinished"];

function problemsOf(given: Partial<ResolvedPost>, rules: Record<string, string> = {}) {
  return checkPosts({
    posts: [post({ platforms: ["linkedin"], ...given })],
    unresolved: [],
    config: config({ rules }),
    now: 0,
  }).filter(({ code }) => OWN.includes(code));
}

const found = (content: string): string[] =>
  problemsOf({ content }).map(({ code, severity }) => `${severity} ${code}`);

test.each([
  ..."TBD|tbd|Tbd.|T.B.D.|[TBD]|(tbc)|TBC…|TBA|TODO|todo!!|TBD 🚧|xxx|XXXX|-|–|---|?|???|N/A|n/a|n.a.".split(
    "|",
  ),
  ..."Caption TBD|Copy: tbc|TBD caption|Caption: to come|Tweet draft|Text – offen|Texte : à définir".split(
    "|",
  ),
  ..."placeholder|Placeholder text|caption to come|Copy to follow|Insert caption here|No caption|Same as above".split(
    "|",
  ),
  ..."à définir|À compléter|texte à venir|por definir|Por confirmar.|offen|Noch offen|n.n.b.|N.N.|Text folgt".split(
    "|",
  ),
  ..."da definire|a definir|nog te bepalen|n.t.b.|do uzupełnienia|do ustalenia|مسودة|未定|（未定）|テキスト未定".split(
    "|",
  ),
  ..."x|X|no|Nein|✓|none|keine|なし|Same as Facebook|see LinkedIn|No Instagram".split("|"),
  "Lorem ipsum",
  "lorem ipsum …",
  "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.",
])("%j is only a placeholder", (text) => {
  expect(found(text)).toEqual(["error content/placeholder"]);
});

test("each word of each language's list is found, in any case and with a full stop", () => {
  for (const { placeholders } of LANGUAGES) {
    for (const word of wordsOf(placeholders.whole)) {
      expect([word, found(word), found(`${word.toUpperCase()}.`)]).toEqual([
        word,
        ["error content/placeholder"],
        ["error content/placeholder"],
      ]);
    }
  }
});

test.each([
  "DRAFT: We open in May.",
  "Draft – We open in May.",
  "draft - We open in May.",
  "[DRAFT] We open in May.",
  "(draft) We open in May.",
  "  WIP: We open in May.",
  "[wip] We open in May.",
  "TODO: add the link",
  "CANCELLED - Come to our picnic.",
  "[On hold] Come to our picnic.",
  "ABGESAGT: Kommt zum Picknick.",
  "TBC: doors at 8",
  "BROUILLON : Nous ouvrons en mai.",
  "Borrador: Abrimos en mayo.",
  "Rascunho: abrimos em maio.",
  "Bozza: apriamo a maggio.",
  "مسودة: نفتح في مايو",
  "【下書き】5月に開店します",
  "下書き：5月に開店します",
  "Our new house. Lorem ipsum dolor sit amet.",
])("%j is marked as unfinished", (text) => {
  expect(found(text)).toEqual(["error content/unfinished"]);
});

/** As real teams write them. */
const REAL = [
  "Draft beer every Friday!",
  "Draft 🍺",
  "Draft-day deals are here",
  "Draft day: who is your first pick?",
  "The NFL Draft: our predictions",
  "TBD Festival tickets are out",
  "TBA: that is how we sign our mails. To Be Awesome!",
  "Venue: TBC. Date: 5 May.",
  "Headliner: TBA",
  "WIP Wednesday: a scarf in three colours",
  "Work in progress",
  "In progress",
  "Todo: desde pan hasta tartas",
  "Todo lo que necesitas",
  "Offen!",
  "Offen bis 22 Uhr",
  "Offen 🎉",
  "Wir sind offen",
  "Open",
  "Coming soon",
  "À venir",
  "Próximamente",
  "Entwurf: Büro Müller, Foto: A. Kern",
  "Concept: Jane Doe",
  "Szkic",
  "準備中",
  "Xmas is near",
  "XXL",
  "XX years of bread",
  "xoxo",
  "Na zdrowie",
  "NA: our new office in North America",
  "Nathan",
  "Why we never use lorem ipsum in our designs",
  "Caption this!",
  "Caption this: what is the cat thinking?",
  "Text us",
  "Text: Anna Berg, Foto: Jo Lind",
  "Copy that",
  "What?",
  "Why?",
  "Made for Instagram",
  "See you on LinkedIn",
  "Ready?!",
  "…",
  "...",
  "🎉",
  "👀",
  "!",
  "1",
  "10 – 20",
  "- one\n- two",
  "Follow",
  "To be continued",
  "To be or not to be",
  "Pending orders leave today",
  "See above for the map",
  "No text, just this view",
  "Placeholder art is not art",
  "#tbt",
  "#TBD",
  "#TODO",
  "Gefolgt von Kaffee",
  "Folgt uns",
  "Por hacer historia",
  "Da fare a Roma: tre idee",
  "À faire à Lyon : trois idées",
  "未定の未来",
  "仮装パーティー",
  "[5 May] Doors open at 8",
  "(Draught) beer: now in cans",
  "Message in a bottle",
  "Body positive",
];

test.each(REAL.map((text) => [text]))("%j is a real text", (text) => {
  expect(found(text)).toEqual([]);
});

test("a placeholder inside a longer text is not found", () => {
  const words = constantFrom(
    ...LANGUAGES.flatMap(({ placeholders }) => wordsOf(placeholders.whole)),
    "TBD",
    "-",
  );
  const around = constantFrom("We bake bread in Lyon", "Neu im Laden: Äpfel", "Aujourd’hui, on danse");
  assert(
    property(around, words, around, (before, word, after) => {
      expect(found(`${before} ${word} ${after}`)).toEqual([]);
    }),
  );
});

test("the texts after a post and alt texts are checked, and the message says what to do", () => {
  const problems = problemsOf({
    content: "We open in May.",
    alt: ["-", "A door"],
    thread: ["TBD", "DRAFT: more"],
    first_comment: "n/a",
  });
  expect(problems.map(({ message }) => message.split(/[:,] /)[0])).toEqual([
    "The alt text is only a placeholder",
    "Reply 1 of the thread is only a placeholder",
    "The first comment is only a placeholder",
    'Reply 2 of the thread starts with "DRAFT"',
  ]);
  expect(problemsOf({ content: "TBD", media: [] })[0]?.message).toBe(
    'The text is only a placeholder: "TBD". Write the text, or mark the row as draft or skip. ' +
      "If you want to publish it, set `content/placeholder: off` under `rules:` in plancast.yaml.",
  );
  expect(problemsOf({ content: "TBD" }, { "content/placeholder": "off" })).toEqual([]);
});
