/**
 * Writes src/checks/when/words-of-languages.ts: how languages name months, days of the week and the halves of a day. The
 * source is CLDR of Unicode, as Node has it. Another version of Node may have other words, so run it only to add a language.
 */
import { writeFile } from "node:fs/promises";
import { format, resolveConfig } from "prettier";

const TARGET = new URL("../src/checks/when/words-of-languages.ts", import.meta.url);

const LANGUAGES =
  "en fr de es it pt nl pl ar ja af am az be bg bn ca cs cy da el et eu fa fi fil ga gl gu he hi hr hu hy id is ka kk km " +
  "kn ko ky lo lt lv mk ml mn mr ms mt my ne no pa ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh zh-Hant zu";

/** What people also write, from January and from Monday on. */
const ALSO = {
  months: [
    "كانون الثاني, جانفي, jänner, jaen, genn",
    "شباط, فيفري, febb",
    "آذار, maerz, mrz",
    "نيسان, أفريل",
    "أيار, ماي",
    "يونيه, حزيران, جوان",
    "يوليه, تموز, جويلية, juill",
    "آب",
    "أيلول, sett, setiembre",
    "تشرين الأول",
    "تشرين الثاني",
    "كانون الأول",
  ],
  weekdays: [
    "اثنين, 月曜, pn, segunda",
    "ثلاثاء, tues, 火曜, terça",
    "أربعاء, weds, 水曜, quarta",
    "خميس, thur, thurs, 木曜, cz, quinta",
    "جمعة, vrij, 金曜, sexta",
    "سبت, sonnabend, 土曜, sb",
    "أحد, so, 日曜, nd, ndz",
  ],
  halves: { "0-11": "صباح, ص, 오전", "12-23": "مساء, م, 오후" },
};

/** Abbreviations of other languages are also words: in Welsh, `sad` is Saturday. */
const KNOWN = new Set("en fr de es it pt nl pl ar ja".split(" "));

/** Without case, accents and a dot at the end, as plancast compares them. */
function folded(word) {
  return word
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[\s\u00a0\u202f]+/g, " ")
    .replace(/\.$/, "")
    .trim();
}

/** Words with what they mean in each language. */
class Words {
  #meanings = new Map();

  add(word, meaning) {
    const key = folded(word);
    if (key.length < 2 && !/[\p{Script=Han}\p{Script=Hangul}\p{Script=Arabic}]/u.test(key)) return;
    if (/[\d,]/.test(key) || !/\p{L}/u.test(key)) return;
    this.#meanings.set(key, (this.#meanings.get(key) ?? new Set()).add(meaning));
  }

  /** The words by what they mean in all languages together. */
  by(summary) {
    const found = new Map();
    for (const [word, meanings] of this.#meanings) {
      const key = summary(meanings);
      if (key !== undefined) found.set(key, [...(found.get(key) ?? []), word]);
    }
    return found;
  }
}

const [months, weekdays, shortDays, halves] = [new Words(), new Words(), new Words(), new Words()];

function formatter(language, options) {
  return new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { timeZone: "UTC", ...options });
}

function part(type, form, time) {
  return form.formatToParts(time).find((each) => each.type === type)?.value ?? "";
}

for (const language of LANGUAGES.split(" ")) {
  for (const length of ["long", "short"]) {
    const alone = formatter(language, { month: length });
    const inDate = formatter(language, { day: "numeric", month: length });
    for (let month = 0; month < 12; month += 1) {
      const time = Date.UTC(2036, month, 15);
      months.add(alone.format(time), month + 1);
      months.add(part("month", inDate, time), month + 1);
    }
    const day = formatter(language, { weekday: length });
    const list = length === "long" || KNOWN.has(language) ? weekdays : shortDays;
    for (let index = 0; index < 7; index += 1) list.add(day.format(Date.UTC(2036, 2, 3 + index)), index + 1);
    const period = formatter(language, { hour: "numeric", hour12: true, dayPeriod: length });
    const half = formatter(language, { hour: "numeric", hour12: true });
    for (let hour = 0; hour < 24; hour += 1)
      for (const each of [period, half])
        halves.add(part("dayPeriod", each, Date.UTC(2036, 2, 3, hour)), hour);
  }
}
for (const [index, words] of ALSO.months.entries())
  for (const word of words.split(", ")) months.add(word, index + 1);
for (const [index, words] of ALSO.weekdays.entries())
  for (const word of words.split(", ")) weekdays.add(word, index + 1);
for (const [range, words] of Object.entries(ALSO.halves)) {
  const [from, to] = range.split("-").map(Number);
  for (const word of words.split(", ")) for (let hour = from; hour <= to; hour += 1) halves.add(word, hour);
}

/** The only meaning of a word; undefined if languages differ. */
function only(meanings) {
  return meanings.size === 1 ? [...meanings][0] : undefined;
}

/** `20-5` for hours that follow each other, also over midnight; undefined if languages differ too much. */
function hoursOf(meanings) {
  const starts = [...meanings].filter((hour) => !meanings.has((hour + 23) % 24));
  const ends = [...meanings].filter((hour) => !meanings.has((hour + 1) % 24));
  return starts.length === 1 ? `${starts[0]}-${ends[0]}` : undefined;
}

/** Two letters may also be a country or a zone: `9:00 CH`. */
function isHalf(word) {
  return !/^[a-z]{1,2}$/.test(word) || ["am", "pm"].includes(word);
}

const list = (words) => JSON.stringify(words.join(", "));
const byMonth = months.by(only);
const byDay = weekdays.by(only);
const known = new Set([...byDay.values()].flat());
const byShortDay = shortDays.by(only);
const shortOf = (day) => byShortDay.get(day).filter((word) => !known.has(word));
const byHours = [...halves.by(hoursOf)].flatMap(([hours, words]) => {
  const those = words.filter(isHalf);
  return those.length === 0 ? [] : [{ hours: hours.split("-"), words: those }];
});
const text = `/**
 * How languages name months, days of the week and parts of the day, in small letters without accents. A word that means two
 * of them in two languages is missing. scripts/write-date-words.js writes this file. Source: CLDR of Unicode.
 */

/** From January on. */
export const MONTHS: readonly string[] = [${Array.from({ length: 12 }, (_none, index) => list(byMonth.get(index + 1))).join(",\n")}];

/** From Monday on. */
export const WEEKDAYS: readonly string[] = [${Array.from({ length: 7 }, (_none, index) => list(byDay.get(index + 1))).join(",\n")}];

/** Abbreviations of further languages. Without a date, they are other words: in Welsh, \`sad\` is Saturday. */
export const SHORT_WEEKDAYS: readonly string[] = [${Array.from({ length: 7 }, (_none, index) => list(shortOf(index + 1))).join(",\n")}];

/** Words beside a time of a 12-hour clock, with the first and the last hour that they name. */
export const DAY_PARTS: readonly (readonly [from: number, to: number, words: string])[] = [
${byHours.map(({ hours, words }) => `[${hours.join(", ")}, ${list(words)}]`).join(",\n")}];
`;
await writeFile(TARGET, await format(text, { ...(await resolveConfig(TARGET)), parser: "typescript" }));
