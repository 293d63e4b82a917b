/**
 * Additions to the text of a project file. What stands there stays as it is, comments and layout too: the text is
 * only opened where something goes in.
 */
import { isMap, isNode, isSeq, type YAMLSeq } from "yaml";
import type { FoundSettings } from "../calendar/calendar-columns.ts";
import {
  addPairs,
  blockText,
  columnAt,
  endOf,
  endOfBlock,
  flowText,
  insertIntoFlow,
  insertLines,
  partsOf,
  startOf,
} from "./yaml-insert.ts";

/** Where settings go: for the whole project, into an entry of `calendars:`, or into a new one. */
export type SettingsPlace =
  | { readonly kind: "project" }
  | { readonly kind: "entry"; readonly index: number }
  | {
      readonly kind: "new";
      /** The pattern that matches the calendar alone. */
      readonly files: string;
      /** The patterns that count where the file names none. */
      readonly usual: readonly unknown[];
    };

/**
 * The text with the settings added. Undefined where the file is written in a way that leaves no place for them, such
 * as an entry that is an alias. The caller must read the result and compare.
 */
export function addSettings(text: string, place: SettingsPlace, settings: FoundSettings): string | undefined {
  if (place.kind === "new") return addEntry(text, place, settings);
  const path = place.kind === "entry" ? ["calendars", place.index] : [];
  const { columns, ...others } = settings;
  const hasColumns = partsOf(text).get([...path, "columns"]) !== undefined;
  const entries = Object.entries(columns);
  if (!hasColumns) return addPairs(text, path, { ...(entries.length > 0 ? { columns } : {}), ...others });
  const withColumns = addPairs(text, [...path, "columns"], columns);
  return withColumns === undefined ? undefined : addPairs(withColumns, path, others);
}

function addEntry(
  text: string,
  { files, usual }: SettingsPlace & { kind: "new" },
  { columns, ...others }: FoundSettings,
): string | undefined {
  const entry = { files, ...(Object.keys(columns).length > 0 ? { columns } : {}), ...others };
  const { get, key } = partsOf(text);
  const list = get(["calendars"]);
  if (key(["calendars"]) === undefined) return addPairs(text, [], { calendars: [...usual, entry] });
  if (!isSeq(list) || list.items.length === 0) return undefined;
  if (list.flow !== true)
    return insertLines(text, endOfBlock(list), itemText(entry), columnAt(text, startOf(list)));
  return listOfLines(text, list, itemText(entry)) ?? insertIntoFlow(text, list, flowText(entry));
}

/** A short list on one line becomes one of lines, where an entry can be read. */
function listOfLines(text: string, list: YAMLSeq, added: string): string | undefined {
  const { get, key } = partsOf(text);
  const [root, name] = [get([]), key(["calendars"])];
  if (!isMap(root) || root.flow === true || name === undefined) return undefined;
  const [start, end] = [startOf(list), endOf(list)];
  const items = list.items.filter(isNode).filter((item) => !("anchor" in item) || item.anchor === undefined);
  const isShort = items.length === list.items.length && !/[\n#]/.test(text.slice(start, end));
  if (!isShort || !/^:[ \t]+$/.test(text.slice(endOf(name), start))) return undefined;
  const opened = text.slice(0, start).trimEnd() + text.slice(end);
  const lines = items.map((item) => `- ${text.slice(startOf(item), endOf(item))}\n`).join("");
  return insertLines(opened, endOf(name), lines + added, 2);
}

function itemText(entry: unknown): string {
  return blockText([entry]);
}
