/** Variables in the texts of rows that repeat: `{date}` and `{n}`. Pure. */

/** The values for one post. */
export interface VariableValues {
  /** Number of the post in its series, from 1. */
  readonly n: number;
  /** The local day of the post: `2027-03-01`. */
  readonly day: string;
  /** BCP 47 tag of the language for `{date}`, such as `en-GB`. */
  readonly languageTag: string;
}

/** A word in braces. Anything else in braces is text. */
const VARIABLE = /\{\s{0,3}(\p{L}[\p{L}\p{N}_]{0,30})\s{0,3}\}/gu;

/** Other words in braces stay as they are. */
export function replaceVariables(text: string, values: VariableValues): string {
  if (!text.includes("{")) return text;
  return text.replaceAll(VARIABLE, (whole, name: string) => {
    if (name === "n") return String(values.n);
    return name === "date" ? readableDay(values.day, values.languageTag) : whole;
  });
}

/** The first word in braces in a text, such as `{name}`; undefined without any. */
export function wordInBraces(text: string): string | undefined {
  return text.includes("{") ? (text.match(VARIABLE)?.[0] ?? undefined) : undefined;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `1 March 2027`, in the form of a language. */
function readableDay(day: string, languageTag: string): string {
  const format =
    formats.get(languageTag) ?? new Intl.DateTimeFormat(languageTag, { dateStyle: "long", timeZone: "UTC" });
  formats.set(languageTag, format);
  // Versions of Node differ in their blanks.
  return format.format(Date.parse(day)).replaceAll(/\s/gu, " ");
}
