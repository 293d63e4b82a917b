/** One cell of a sheet: a real date or time where the text is one, else text. */
import { wallMs } from "../calendar/canonical.ts";
import { needsGuard } from "../calendar/formula-guard.ts";
import type { Field } from "../calendar/row.ts";
import { styleIndex, type StyleName } from "./xlsx-styles.ts";
import { cellXmlText } from "./xlsx-text.ts";

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;
/** Day 0 of the workbook's count (ECMA-376 part 1, 18.17.4.1): right for all days from March 1900 on. */
const DAY_ZERO_MS = Date.UTC(1899, 11, 30);

interface SerialNumber {
  readonly look: StyleName;
  readonly value: number;
}

/** The cell's XML; `name` is such as `C14`. */
export function cellXml(name: string, field: Field, text: string): string {
  const serial = SERIALS[field]?.(text);
  if (serial !== undefined) return `<c r="${name}" s="${styleIndex(serial.look)}"><v>${serial.value}</v></c>`;
  return textCellXml(name, text, needsGuard(text) ? "quotedText" : "text");
}

export function textCellXml(name: string, text: string, look: StyleName): string {
  return `<c r="${name}" s="${styleIndex(look)}" t="inlineStr"><is><t xml:space="preserve">${cellXmlText(text)}</t></is></c>`;
}

/** Fields whose cells hold dates. Only the exact form that a date cell is read as becomes one, so that it reads the same. */
const SERIALS: Partial<Record<Field, (text: string) => SerialNumber | undefined>> = {
  scheduled_at: (text) => dateTime(text),
  date: (text) => day(text),
  time: (text) => timeOfDay(text),
};

function day(text: string): SerialNumber | undefined {
  const [, ...parts] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const ms = parts.length === 0 ? undefined : wallMs(parts.map(Number));
  return ms === undefined ? undefined : { look: "date", value: (ms - DAY_ZERO_MS) / DAY_MS };
}

function timeOfDay(text: string): SerialNumber | undefined {
  const [, hour, minute, second] = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  if (hour === undefined || second === "00") return undefined;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second ?? "0");
  return { look: second === undefined ? "time" : "timeSeconds", value: seconds / DAY_SECONDS };
}

function dateTime(text: string): SerialNumber | undefined {
  const [date = "", time = "", ...rest] = text.split(" ");
  const [onDay, atTime] = [day(date), timeOfDay(time)];
  if (onDay === undefined || atTime === undefined || rest.length > 0) return undefined;
  const look = atTime.look === "time" ? "datetime" : "datetimeSeconds";
  return { look, value: onDay.value + atTime.value };
}
