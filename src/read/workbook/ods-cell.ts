import { errorCell } from "./error-cell.ts";
import { GENERAL } from "./number-format.ts";
import { numberText } from "./number-text.ts";
import { isoDateText, serialText, type ShownAs } from "./serial-date.ts";
import type { XmlElement } from "./visit-part.ts";
import type { SheetCell, DoubtfulCell } from "./workbook.ts";
import { damaged } from "./workbook-fault.ts";

const NO_RESULT: DoubtfulCell = { kind: "no-result", text: "(a formula)" };

/** What a formula shows that went wrong: `#REF!`, `#N/A`, `Err:508`. */
const ERROR = /^(?:#(?:[A-Z/0]+[!?]?|N\/A)|Err:\d+)$/;

/** The value of a cell (ODF 1.3 part 3, 9.1.4 and 19.385). `text` is what its paragraphs show. */
export function odsCell(cell: XmlElement, text: string, shown: ShownAs | undefined): SheetCell {
  const hasFormula = cell.get("table:formula") !== undefined;
  const type = cell.get("office:value-type");
  const isError = cell.get("calcext:value-type") === "error" || (hasFormula && ERROR.test(text));
  if (isError) return errorCell(text);
  switch (type) {
    case undefined:
      return hasFormula && text === "" ? NO_RESULT : text;
    case "string":
      return text === "" ? (cell.get("office:string-value") ?? "") : text;
    case "boolean":
      return cell.get("office:boolean-value") === "true" ? "TRUE" : "FALSE";
    case "date":
      return isoDateText(cell.get("office:date-value") ?? "", shown) ?? noValue(type);
    case "time":
      return durationText(cell.get("office:time-value") ?? "", shown) ?? noValue(type);
    case "float":
    case "percentage":
    case "currency":
      return numberValue(cell.get("office:value") ?? "", text) ?? noValue(type);
    default:
      return noValue(type);
  }
}

function noValue(type: string): never {
  throw damaged(`a cell holds no value of type "${type}"`);
}

function numberValue(value: string, text: string): string | undefined {
  if (value.trim() === "" || !Number.isFinite(Number(value))) return undefined;
  // Ids with zeros before them, such as 0012, are numbers with a format of their own.
  if (/^0\d+$/.test(text) && Number(text) === Number(value)) return text;
  return numberText(Number(value), GENERAL, "1900");
}

const DURATION = /^P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?$/;

/** `PT20H30M00S` as `20:30`. */
function durationText(value: string, shown: ShownAs | undefined): string | undefined {
  const found = DURATION.exec(value);
  if (found === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part) => Number((part ?? "0").replace(",", ".")));
  const serial = days + (hours + (minutes + seconds / 60) / 60) / 24;
  return serialText(serial, shown === "duration" ? "duration" : "time", "1900");
}
