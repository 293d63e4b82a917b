import type { HttpAnswer, HttpFault } from "./http.ts";

const HIDDEN = "(the key)";

/** Services like to echo a bad key; nothing that is printed or kept may hold it. */
export function withoutKey(result: HttpAnswer | HttpFault, key: string): HttpAnswer | HttpFault {
  if (result.kind !== "answer") return result;
  const { text, headers } = result;
  const shown = Object.entries(headers).map(([name, value]) => [name, withoutIn(value, key)] as const);
  return {
    ...result,
    text: withoutEscaped(text.replaceAll(key, HIDDEN), key),
    headers: Object.fromEntries(shown),
  };
}

function withoutIn(value: string | string[] | undefined, key: string): string | string[] | undefined {
  return Array.isArray(value)
    ? value.map((each) => each.replaceAll(key, HIDDEN))
    : value?.replaceAll(key, HIDDEN);
}

/** What JSON may write in another way: all else in a key stands in every text as it is. */
const MAY_BE_ESCAPED = /[^A-Za-z0-9_.~-]/;

function withoutEscaped(text: string, key: string): string {
  if (!MAY_BE_ESCAPED.test(key) || !text.includes("\\")) return text;
  return text.replaceAll(new RegExp(Array.from(key, anyForm).join(""), "g"), HIDDEN);
}

/** A character of a key as a pattern: as it is, behind a backslash, or by its number. */
function anyForm(unit: string): string {
  if (!MAY_BE_ESCAPED.test(unit)) return unit.replace(".", String.raw`\.`);
  const digits = unit.charCodeAt(0).toString(16).padStart(4, "0");
  const number = digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  return String.raw`(?:\\?\x${digits.slice(2)}|\\u${number})`;
}
