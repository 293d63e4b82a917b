import type { NumberFormat } from "./number-format.ts";
import { serialText } from "./serial-date.ts";

/** Digits that a spreadsheet keeps of a number. The rest is noise of binary fractions, as in 0.1 + 0.2. */
const SIGNIFICANT_DIGITS = 15;

/**
 * The text of a number cell: a date or time in ISO form where its format is one, else the number as a spreadsheet
 * shows it. Ids keep all their digits.
 */
export function numberText(value: number, format: NumberFormat, system: DateSystem): string {
  switch (format.kind) {
    case "general":
      return plainNumber(value);
    case "padded":
      return Number.isInteger(value) && value >= 0
        ? plainNumber(value).padStart(format.digits, "0")
        : plainNumber(value);
    default:
      return serialText(value, format.kind, system) ?? plainNumber(value);
  }
}

/** The day from which a workbook counts. */
export type DateSystem = "1900" | "1904";

function plainNumber(value: number): string {
  return String(Number(value.toPrecision(SIGNIFICANT_DIGITS))).replace("e", "E");
}
