/** Dates and times in the digits and signs of Arabic and Japanese, rewritten in the forms that all languages share. */

/** The first digit of each set: Arabic, Persian, full width. */
const ZEROS = ["٠", "۰", "０"].map((zero) => zero.charCodeAt(0));
const OTHER_DIGIT = /[٠-٩۰-۹０-９]/g;

function latinDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
}

/** A text with Latin digits, each in its place, and how to write them back in the text's own digits. */
export function inLatinDigits(text: string): {
  readonly text: string;
  readonly back: (latin: string) => string;
} {
  const [first] = text.match(OTHER_DIGIT) ?? [];
  const zero = ZEROS.findLast((each) => first !== undefined && each <= first.charCodeAt(0));
  if (zero === undefined || /\d/.test(text)) return { text, back: (latin) => latin };
  return {
    text: text.replaceAll(OTHER_DIGIT, latinDigit),
    back: (latin) => latin.replaceAll(/\d/g, (digit) => String.fromCharCode(zero + Number(digit))),
  };
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ["，", ","],
  ["、", ","],
  ["،", ","],
  ["：", ":"],
  ["／", "/"],
  ["－", "-"],
  ["．", "."],
  ["（", "("],
  ["）", ")"],
  ["〜", "–"],
  ["～", "–"],
]);
const OTHER_SIGN = /[，、،：／－．（）〜～]/g;

const CHANGES: readonly (readonly [RegExp, string])[] = [
  // 2026年5月3日 18時
  [/(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日(?=[\d午])/g, "$1-$2-$3 "],
  [/(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日/g, "$1-$2-$3"],
  // (日)18時
  [/\)(?=\d)/g, ") "],
  // 18時半, 18時30分, 18時
  [/(\d{1,2})\s?時\s?半/g, "$1:30"],
  [/(\d{1,2})\s?時\s?(\d\d)\s?分?/g, "$1:$2"],
  [/(\d{1,2})\s?時\s?(\d)\s?分/g, "$1:0$2"],
  [/(\d{1,2})\s?時/g, "$1:00"],
  // 午後6:30, 6:30 م
  [/午前\s?(\d{1,2}:\d\d)/g, "$1 am"],
  [/午後\s?(\d{1,2}:\d\d)/g, "$1 pm"],
  [/(?<=\d)\s?(?:صباح[\p{L}\p{M}]*|ص)\.?$/gu, " am"],
  [/(?<=\d)\s?(?:مساء[\p{L}\p{M}]*|م)\.?$/gu, " pm"],
  // 3 maja 2026 r.
  [/(?<=\p{L}\s\d{4})\s?r(?:\.|oku)?(?=$|[\s,])/gu, ""],
];

/** @param text in lower case, tidied */
export function inLatinForm(text: string): string {
  // Most texts need no change.
  if (!/[\u0250-\uffff]|\dr|\d r/.test(text)) return text;
  const plain = text.replace(OTHER_DIGIT, latinDigit).replace(OTHER_SIGN, (sign) => SIGNS.get(sign) ?? sign);
  return CHANGES.reduce((changed, [pattern, form]) => changed.replace(pattern, form), plain);
}
