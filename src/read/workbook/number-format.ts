/** What a cell's number format makes of its number (ECMA-376 part 1, 18.8.30 and 18.8.31). */

export type NumberFormat =
  | { readonly kind: "general" }
  /** A calendar day, a time of day, both, or hours that may be more than a day has. */
  | { readonly kind: "date" | "time" | "datetime" | "duration" }
  /** Whole numbers with zeros before them, such as ids: `0000`. */
  | { readonly kind: "padded"; readonly digits: number };

export const GENERAL: NumberFormat = { kind: "general" };

/** Formats that a workbook names without writing them down. Those from 27 on are of East Asian Excels. */
const BUILT_IN: readonly (readonly [from: number, to: number, kind: "date" | "time" | "datetime"])[] = [
  [14, 17, "date"],
  [18, 21, "time"],
  [22, 22, "datetime"],
  [27, 31, "date"],
  [32, 35, "time"],
  [36, 36, "date"],
  [45, 45, "time"],
  [47, 47, "time"],
  [50, 54, "date"],
  [55, 56, "time"],
  [57, 58, "date"],
];

/** The format of an id that the workbook does not write down. */
export function builtInFormat(id: number): NumberFormat {
  if (id === 46) return { kind: "duration" };
  const found = BUILT_IN.find(([from, to]) => id >= from && id <= to);
  return found === undefined ? GENERAL : { kind: found[2] };
}

/** What stands in a format but says nothing of dates: quoted text, escaped and padding characters, the word General. */
const LITERALS = /"[^"]*"|\\.|_.|\*.|general/gi;
/** Colours, conditions and locales, such as `[Red]`, `[>1]` and `[$-409]`; but not `[h]`, hours without end. */
const BRACKETS = /\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi;

/** Reads a format such as `dd/mm/yyyy hh:mm`. */
export function parseFormat(code: string): NumberFormat {
  // The first section is that of positive numbers, which all times are.
  const [section = ""] = code.replaceAll(LITERALS, "").replaceAll(BRACKETS, "").split(";");
  const letters = section.toLowerCase();
  if (/\[[hms]+\]/.test(letters)) return { kind: "duration" };
  // In a number an `e` is an exponent; in a date it is a year, as are `g` and `b` in Japan and Thailand.
  const hasTime = /[hs]|am\/pm|a\/p/.test(letters);
  const hasDate = /[ydgb]|e(?![+-])/.test(letters) || (letters.includes("m") && !hasTime);
  if (hasDate) return { kind: hasTime ? "datetime" : "date" };
  if (hasTime) return { kind: "time" };
  return /^0{2,}$/.test(letters) ? { kind: "padded", digits: letters.length } : GENERAL;
}
