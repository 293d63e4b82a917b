import type { DoubtfulCell } from "./workbook.ts";

const TEXTS = ["#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!", "#CALC!"];

/** Shared by all cells that show one: a column of lookups that went wrong may have a million. */
const COMMON = new Map(TEXTS.map((text) => [text, { kind: "error", text }] as const));

/** A cell whose formula went wrong; `text` is what it shows. */
export function errorCell(text: string): DoubtfulCell {
  return COMMON.get(text) ?? { kind: "error", text };
}
