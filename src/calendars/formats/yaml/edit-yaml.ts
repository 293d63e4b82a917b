/** Adds or replaces values in the posts of a YAML calendar. Everything around them stays as it is. */

import { type Node, type Scalar, type YAMLMap, isAlias, isMap, isNode, isScalar, isSeq, visit } from "yaml";
import type { Cell } from "../../../model/row.ts";
import { foldName } from "../../../model/text.ts";
import { isTimeField } from "../../../model/fields.ts";
import type { CalendarSettings } from "../../../settings/calendar-settings.ts";
import { PostKeys } from "./post-keys.ts";
import { type ColumnName, splitColumn, switchColumn, switchedStatus } from "../written-row.ts";
import type { EditFault, EditResult, IdentifyPlatform, RowEdit } from "../row-edit.ts";
import {
  type YamlParts,
  type YamlPath,
  WrittenValue,
  addPairs,
  blockText,
  columnAt,
  endOf,
  endOfBlock,
  flowText,
  partsOf,
  startOf,
} from "./yaml-insert.ts";

const NO_PLACE =
  "plancast cannot add to this post, because it uses an alias or has comments inside a list that would be replaced. Write it out as keys and values, and move the comments.";

/** @param text of a calendar that was read without errors @param columns what the settings say about its keys */
export function editYaml(
  text: string,
  columns: CalendarSettings["columns"],
  edits: readonly RowEdit[],
  identify: IdentifyPlatform,
): EditResult<string> {
  const parts = partsOf(text);
  const posts = pathOfPosts(parts);
  const list = parts.get(posts);
  const others = { text, posts: isSeq(list) ? list.items.filter((post) => isMap(post)) : [] };
  const document = { parts, identify, meaningOf: meaningsOf(columns), others };
  const faults: EditFault[] = [];
  let contents = text;
  // From the last to the first, so that earlier offsets stay valid.
  for (const edit of [...edits].sort((one, other) => other.row - one.row)) {
    const edited = editPost(contents, [...posts, edit.row], edit, document);
    if (edited === undefined) faults.push({ row: edit.row, message: NO_PLACE });
    else contents = edited;
  }
  return { contents: endedAs(text, contents), faults: faults.reverse() };
}

/**
 * Adds or replaces values in one post. Its keys are the keys of the document. Undefined if that is not possible.
 * @param text which may be empty
 */
export function editYamlPost(
  text: string,
  columns: CalendarSettings["columns"],
  edit: RowEdit,
  identify: IdentifyPlatform,
): string | undefined {
  const document = {
    parts: partsOf(text),
    identify,
    meaningOf: meaningsOf(columns),
    others: { text, posts: [] },
  };
  return editPost(text, [], edit, document);
}

function meaningsOf(columns: CalendarSettings["columns"]): Document["meaningOf"] {
  const keys = new PostKeys({ columns });
  return (key) => {
    const name = foldName(key);
    const meaning = keys.of({ [name]: "" }).get(name);
    const as = meaning?.kind === "used" ? meaning.as : undefined;
    if (as?.kind === "switch" && as.field === "status") return switchColumn(as.value);
    return as?.kind === "field" ? as.field : name;
  };
}

/** Without a line end at the end of the file, if there was none before. */
function endedAs(before: string, contents: string): string {
  return /[\r\n]$/.test(before) ? contents : contents.replace(/(?:\r\n|\n|\r)$/, "");
}

interface Document {
  readonly parts: YamlParts;
  readonly identify: IdentifyPlatform;
  /** The field that a key means, or the column of a yes-or-no key. */
  readonly meaningOf: (key: string) => string;
  /** All posts of the unchanged text, which show how it writes yes and no. */
  readonly others: { readonly text: string; readonly posts: readonly YAMLMap[] };
}

/** One change to the text. `at` is its offset: the last change is made first. */
interface Change {
  readonly at: number;
  readonly make: (text: string) => string | undefined;
}

function editPost(text: string, path: YamlPath, { cells }: RowEdit, document: Document): string | undefined {
  const { parts, identify, meaningOf, others } = document;
  const found = parts.get(path);
  const isEmpty = found === undefined && path.length === 0;
  if (!isMap(found) && !isEmpty) return undefined;
  const post = isMap(found) ? found : undefined;
  const changes: Change[] = [];
  const added: Pairs = new Map();
  const variants = keyIn(post, "variants", foldName);
  const mediaKey = keyIn(post, "media", meaningOf);
  const described = mediaKey === undefined ? undefined : describedMedia([...path, mediaKey], parts);
  for (const [name, value] of cells) {
    const { field, platform } = splitColumn(name);
    if (switchedStatus(name) !== undefined) putSwitch(name, value);
    else if (name === "alt" && described !== undefined)
      changes.push(...described.flatMap((item, index) => describe(item, value, index, parts)));
    else if (platform === undefined) put(path, post, field, value, added);
    else if (variants === undefined) within(added, "variants", platform).set(field, value);
    else changes.push(...inVariants([...path, variants], platform, field, value));
  }
  changes.push({ at: Infinity, make: (now) => addPairs(now, path, asObject(added), parts) });
  const sorted = changes.sort((one, other) => other.at - one.at);
  return sorted.reduce<string | undefined>((now, { make }) => (now === undefined ? now : make(now)), text);

  function put(
    at: YamlPath,
    map: YAMLMap | undefined,
    field: string,
    value: Cell | WrittenValue,
    into: Pairs,
  ): void {
    const key = keyIn(map, field, meaningOf);
    if (key === undefined) into.set(field, value);
    else changes.push(replacement([...at, key], value, parts, isTimeField(field)));
  }

  /** With the name and the spelling of the other posts. */
  function putSwitch(name: ColumnName, word: Cell): void {
    const own = keyIn(post, name, meaningOf);
    const written = others.posts.flatMap((each) => {
      const key = keyIn(each, name, meaningOf);
      return key === undefined ? [] : [{ key, node: each.get(key, true) }];
    });
    const key = own ?? written[0]?.key;
    if (key === undefined) return;
    const like = written.map(({ node }) => node).find((each) => isScalar(each) && sourceOf(each) === word);
    const value = isNode(like) ? new WrittenValue(others.text.slice(startOf(like), endOf(like))) : word;
    if (own === undefined) added.set(key, value);
    else changes.push(replacement([...path, own], value, parts, false));
  }

  function inVariants(at: YamlPath, platform: string, field: string, value: Cell): Change[] {
    const all = parts.get(at);
    const own = isMap(all) ? keyIn(all, identify(platform), (key) => identify(key)) : undefined;
    const map = own === undefined ? undefined : parts.get([...at, own]);
    if (own === undefined || !isMap(map)) {
      const pairs = own === undefined ? { [platform]: { [field]: value } } : { [field]: value };
      const target = own === undefined ? at : [...at, own];
      return [{ at: endAt(parts.get(target)), make: (now) => addPairs(now, target, pairs, parts) }];
    }
    const fresh: Pairs = new Map();
    put([...at, own], map, field, value, fresh);
    if (fresh.size === 0) return [];
    return [{ at: endOfBlock(map), make: (now) => addPairs(now, [...at, own], asObject(fresh), parts) }];
  }
}

interface MediaItem {
  readonly at: YamlPath;
  readonly node: unknown;
}

/** The items of a list of media, if one has the form `{ file: a.png, alt: A bed }`. */
function describedMedia(at: YamlPath, { get }: YamlParts): readonly MediaItem[] | undefined {
  const list = get(at);
  if (!isSeq(list) || !list.items.some(isMap)) return undefined;
  return list.items.map((node, index) => ({ at: [...at, index], node }));
}

/** Writes a text beside its file. A blank text leaves the item. */
function describe({ at, node }: MediaItem, texts: Cell, index: number, parts: YamlParts): Change[] {
  const alt = typeof texts === "string" ? texts : texts[index];
  if (alt === undefined || alt === "") return [];
  if (isScalar(node)) {
    const written = flowText({ file: node.value, alt }).trim();
    return [
      { at: startOf(node), make: (now) => now.slice(0, startOf(node)) + written + now.slice(endOf(node)) },
    ];
  }
  if (!isMap(node) || node.get("alt") === alt) return [];
  if (node.has("alt")) return [replacement([...at, "alt"], alt, parts, false)];
  return [{ at: endOfBlock(node), make: (now) => addPairs(now, at, { alt }, parts) }];
}

function sourceOf({ source, value }: Scalar): string {
  return source ?? String(value);
}

type Pairs = Map<string, Cell | WrittenValue | Map<string, Map<string, Cell>>>;

function within(pairs: Pairs, key: string, platform: string): Map<string, Cell> {
  const all = pairs.get(key);
  const map = all instanceof Map ? all : new Map<string, Map<string, Cell>>();
  const own = map.get(platform) ?? new Map<string, Cell>();
  pairs.set(key, map.set(platform, own));
  return own;
}

function asObject(pairs: Pairs): Record<string, unknown> {
  return Object.fromEntries(pairs);
}

function endAt(node: Node | undefined): number {
  return node === undefined ? 0 : endOfBlock(node);
}

/** Their values keep their quotes, or stay without any. */

/** Replaces a value, or adds one after its key. */
function replacement(
  path: YamlPath,
  value: Cell | WrittenValue,
  { get, key }: YamlParts,
  isTime: boolean,
): Change {
  const [node, name] = [get(path), key(path)];
  const at = name === undefined ? 0 : endOf(name);
  const make = (text: string): string | undefined => {
    if (name === undefined) return undefined;
    const colon = text.indexOf(":", endOf(name)) + 1;
    const isThere = isNode(node) && startOf(node) >= colon && endOfValue(text, node) > startOf(node);
    if (isThere && holdsComment(node)) return undefined;
    const like = isThere ? likeBefore(text, node, value, isTime) : undefined;
    if (isThere && like !== undefined)
      return text.slice(0, startOf(node)) + like + text.slice(endOfValue(text, node));
    if (typeof value === "object" && !(value instanceof WrittenValue)) return undefined;
    const [from, to] = isThere ? [startOf(node), endOfValue(text, node)] : [colon, colon];
    const rest = /^[^\r\n]*/.exec(text.slice(to))?.[0] ?? "";
    const place = {
      indent: columnAt(text, startOf(name)),
      rest,
      comment: isThere ? headerComment(text, node) : "",
      lineEnd: lineEndOf(text),
    };
    const written = value instanceof WrittenValue ? value.source : valueText(value, place);
    return `${text.slice(0, from)}${isThere ? "" : " "}${written}${text.slice(to)}`;
  };
  return { at, make };
}

/** A date or time that is valid YAML without quotes. */
const PLAIN_TIME = /^\d[\w+\-/.]*(?:[ :][\w+\-/.]+)*$/;

const YES_OR_NO = /^(?:yes|no|true|false)$/i;

/** A list in the layout of the old one, or a time with the quotes of the old one; undefined for anything else. */
function likeBefore(
  text: string,
  node: Node,
  value: Cell | WrittenValue,
  isTime: boolean,
): string | undefined {
  if (value instanceof WrittenValue) return value.source;
  if (isTime && isScalar(node) && typeof value === "string" && PLAIN_TIME.test(value)) {
    const before = text.slice(startOf(node), endOfValue(text, node));
    const [, quote] = /^(["']?)\d[^\r\n"']*\1$/.exec(before) ?? [];
    return quote === undefined ? undefined : quote + value + quote;
  }
  // To other programs, "false" in quotes is a text, which counts as true.
  if (isScalar(node) && typeof value === "string" && YES_OR_NO.test(value))
    return node.type === "PLAIN" && YES_OR_NO.test(node.source ?? "") ? value : undefined;
  if (!isSeq(node) || typeof value === "string") return undefined;
  const items = value.map((item) => flowText([item]).slice(1, -1).trim());
  if (node.flow === true) return `[${items.join(", ")}]`;
  const indent = " ".repeat(columnAt(text, startOf(node)));
  return items.map((item) => `- ${item}`).join(lineEndOf(text) + indent);
}

/** Whether the items of a list have comments between them, which a replacement would remove. */
function holdsComment(node: Node): boolean {
  const items = isSeq(node) ? node.items.filter(isNode) : [];
  return items.some(({ comment, commentBefore }) => Boolean(comment ?? commentBefore));
}

/** Where a value ends, without the line end of a block. */
function endOfValue(text: string, node: Node): number {
  const end = isMap(node) || isSeq(node) ? endOfBlock(node) : endOf(node);
  return startOf(node) + text.slice(startOf(node), end).trimEnd().length;
}

function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
}

/** The comment after the `|` or `>` of a block text, with the spaces before it, if any. */
function headerComment(text: string, node: Node): string {
  const [, comment = ""] = /^[|>][-+\d]*([ \t]+#[^\r\n]*)/.exec(text.slice(startOf(node))) ?? [];
  return comment;
}

interface ValuePlace {
  /** The indent of its key. */
  readonly indent: number;
  /** Text after it on the same line, which stays. */
  readonly rest: string;
  /** Additional content for its first line that is not text. */
  readonly comment: string;
  readonly lineEnd: string;
}

/** A text as a value. */
function valueText(value: string, { indent, rest, comment, lineEnd }: ValuePlace): string {
  if (rest.trim() !== "") {
    const written = flowText({ k: value })
      .slice(0, -"}".length)
      .trimEnd()
      .replace(/^\{\s*k:\s*/, "");
    return apart(written, value, rest);
  }
  const [first = "", ...more] = blockText({ k: value }).trimEnd().slice("k: ".length).split("\n");
  if (more.length === 0) return apart(first, value, comment) + comment;
  const lines = [first, ...more.map((line) => (line === "" ? line : " ".repeat(indent) + line))];
  // A quoted text of several lines can have a comment only after its end.
  const commented = /^[|>]/.test(first) ? 0 : lines.length - 1;
  return lines.map((line, index) => (index === commented ? line + comment : line)).join(lineEnd);
}

/** Quotes before a comment such as `#todo`, which otherwise looks like a hashtag of the text. */
function apart(written: string, value: string, rest: string): string {
  return /^\s*#[^\s#]/.test(rest) && !/^["']/.test(written) ? JSON.stringify(value) : written;
}

// Where the posts are in the text, and which of them share values with others.

function pathOfPosts({ get }: YamlParts): YamlPath {
  const root = get([]);
  return isMap(root) ? [keyIn(root, "posts", foldName) ?? "posts"] : [];
}

/** The key of a mapping as written, by its folded form. */
function keyIn(map: YAMLMap | undefined, wanted: string, fold: (key: string) => string): string | undefined {
  for (const { key } of map?.items ?? []) {
    if (isScalar(key) && typeof key.value === "string" && fold(key.value) === wanted) return key.value;
  }
  return undefined;
}

/** Why single posts of a text cannot change, by index: others share their values. */
export function sharedPosts(text: string): ReadonlyMap<number, string> {
  const parts = partsOf(text);
  const list = parts.get(pathOfPosts(parts));
  const posts = isSeq(list) ? list.items.map((post) => (isNode(post) ? post : undefined)) : [];
  const takers = new Map<string, Set<number>>();
  for (const [index, post] of posts.entries())
    for (const name of post === undefined ? [] : aliasesIn(post))
      takers.set(name, (takers.get(name) ?? new Set<number>()).add(index));
  return new Map(
    posts.flatMap((post, index): [number, string][] => {
      const isTaken = (anchor: string): boolean =>
        [...(takers.get(anchor) ?? [])].some((taker) => taker !== index);
      const anchor = post === undefined ? undefined : anchorsOn(post).find(isTaken);
      return anchor === undefined ? [] : [[index, sharedText(anchor)]];
    }),
  );
}

function sharedText(anchor: string): string {
  return `Other posts reuse values of this post (*${anchor}) and would change with it. Write out those values in the other posts, and remove &${anchor} here.`;
}

function aliasesIn(node: Node): string[] {
  const names: string[] = [];
  visit(node, { Alias: (_key, { source }) => void names.push(source) });
  return names;
}

/** Nodes to write into. Nodes elsewhere may be shared. */
const WRITTEN = new Set("content media status variants platforms scheduled_at date time".split(" "));

/** The anchors of a post and of the nodes to write into, outermost first. */
function anchorsOn(post: Node): string[] {
  if (isAlias(post)) return [];
  const values = isMap(post)
    ? post.items.flatMap(({ key, value }) =>
        isScalar(key) && WRITTEN.has(foldName(String(key.value))) && isNode(value) ? value : [],
      )
    : [];
  const names: string[] = post.anchor === undefined ? [] : [post.anchor];
  for (const value of values)
    visit(value, {
      Value: (_key, { anchor }) => void (anchor === undefined ? undefined : names.push(anchor)),
    });
  return names;
}
