/**
 * Additions to the text of a project file. What stands there stays as it is, comments and layout too: the text is
 * only opened where something goes in.
 */
import {
  Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Node,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { FoundSettings } from "../calendar/calendar-columns.ts";

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

/** Adds pairs to the mapping at a path; the document itself may be empty. */
function addPairs(
  text: string,
  path: readonly (string | number)[],
  pairs: Readonly<Record<string, unknown>>,
): string | undefined {
  if (Object.keys(pairs).length === 0) return text;
  const { get, key } = partsOf(text);
  const map = get(path);
  const parentKey = key(path);
  if (map === undefined && path.length === 0) return insertLines(text, text.length, blockText(pairs), 0);
  if (isScalar(map) && map.value === null && parentKey !== undefined && startOf(map) === endOf(map)) {
    return insertLines(text, endOf(parentKey), blockText(pairs), columnAt(text, startOf(parentKey)) + 2);
  }
  if (!isMap(map)) return undefined;
  if (map.flow !== true) {
    const [first] = map.items;
    const indent = isNode(first?.key) ? columnAt(text, startOf(first.key)) : 0;
    const gap = path.length === 0 && isSpaced(text, map) ? "\n" : "";
    return insertLines(text, afterComments(text, endOfBlock(map), indent), gap + blockText(pairs), indent);
  }
  if (map.items.length > 0) return insertIntoFlow(text, map, flowText(pairs).slice(1, -1).trim());
  if (parentKey === undefined || /[\n#]/.test(text.slice(startOf(map), endOf(map)))) return undefined;
  const opened = text.slice(0, startOf(map)).trimEnd() + text.slice(endOf(map));
  return insertLines(opened, endOf(parentKey), blockText(pairs), columnAt(text, startOf(parentKey)) + 2);
}

/** Looks into a text that has been read as a project file already, so that it is sound. */
function partsOf(text: string): {
  readonly get: (path: readonly (string | number)[]) => Node | undefined;
  /** The key at the end of a path, where it leads through a mapping. */
  readonly key: (path: readonly (string | number)[]) => Node | undefined;
} {
  // A lone `\r` is a line end in YAML 1.2, but not to the library. The offsets stay.
  const document = parseDocument(text.replaceAll(/\r(?!\n)/g, "\n"), { uniqueKeys: false });
  const get = (path: readonly (string | number)[]): Node | undefined => {
    const found: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
    return isNode(found) ? found : undefined;
  };
  const key = (path: readonly (string | number)[]): Node | undefined => {
    const parent = path.length === 0 ? undefined : get(path.slice(0, -1));
    if (!isMap(parent)) return undefined;
    const pair = parent.items.find((each) => isScalar(each.key) && each.key.value === path.at(-1));
    return isPair(pair) && isNode(pair.key) ? pair.key : undefined;
  };
  return { get, key };
}

function startOf({ range }: Node): number {
  return range?.[0] ?? 0;
}

function endOf({ range }: Node): number {
  return range?.[1] ?? 0;
}

/** Where the last thing in a block collection ends; what the library takes for its end has the comments after it. */
function endOfBlock(node: Node): number {
  if ((!isMap(node) && !isSeq(node)) || node.flow === true) return endOf(node);
  const last: unknown = node.items.at(-1);
  if (!isPair(last)) return isNode(last) ? endOfBlock(last) : endOf(node);
  const end = isNode(last.value) ? endOfBlock(last.value) : 0;
  return Math.max(end, isNode(last.key) ? endOf(last.key) : 0);
}

/** Past the comments that belong to what ends here, because they are indented as if they were in it. */
function afterComments(text: string, offset: number, indent: number): number {
  const comments = new RegExp(`(?:(?:\\r\\n|\\n|\\r) {${indent + 1},}#[^\\r\\n]*)+`, "y");
  const lineEnd = offset + (/^[^\r\n]*/.exec(text.slice(offset))?.[0].length ?? 0);
  comments.lastIndex = lineEnd;
  return lineEnd + (comments.exec(text)?.[0].length ?? 0);
}

/** The column of an offset, from 0. */
function columnAt(text: string, offset: number): number {
  return offset - startOfLine(text, offset);
}

function startOfLine(text: string, offset: number): number {
  return Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
}

/** Whether an empty line stands before the last key, as in files whose parts stand apart. */
function isSpaced(text: string, map: YAMLMap): boolean {
  const key = map.items.at(-1)?.key;
  if (!isScalar(key)) return false;
  return (
    key.spaceBefore === true || /(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)$/.test(text.slice(0, startOf(key)))
  );
}

/** Puts lines, each of which ends with `\n`, after the line that holds an offset. */
function insertLines(text: string, offset: number, lines: string, indent: number): string {
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const rest = /\r\n|\n|\r/.exec(text.slice(offset));
  const isAtStart = offset === startOfLine(text, offset);
  const at = isAtStart ? offset : rest === null ? text.length : offset + rest.index + rest[0].length;
  const before = at === startOfLine(text, at) ? "" : lineEnd;
  const indented = lines.replaceAll(/^(?=.)/gm, " ".repeat(indent)).replaceAll("\n", lineEnd);
  return text.slice(0, at) + before + indented + text.slice(at);
}

function insertIntoFlow(text: string, collection: YAMLMap | YAMLSeq, inner: string): string | undefined {
  const last: unknown = collection.items.at(-1);
  const node = isPair(last) ? last.value : last;
  if (!isNode(node)) return undefined;
  return `${text.slice(0, endOf(node))}, ${inner}${text.slice(endOf(node))}`;
}

function blockText(value: unknown): string {
  const document = new Document(value);
  // The rows of a header are read more easily on one line.
  visit(document, {
    Seq: (_key, seq) => {
      if (seq.items.every((item) => isScalar(item) && typeof item.value === "number")) seq.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function itemText(entry: unknown): string {
  return blockText([entry]);
}

function flowText(value: unknown): string {
  return new Document(value).toString({ lineWidth: 0, collectionStyle: "flow" }).trimEnd();
}
