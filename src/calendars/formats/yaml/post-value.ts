/** What the value of a key gives its post: a text, a list, or a fault in its shape. */

import { joinFiles, splitMedia } from "../../../model/address.ts";
import type { UsedAs } from "../../../model/columns.ts";
import { isObject } from "../../../model/data.ts";
import { joinAlt } from "../../../model/extras.ts";
import type { Field } from "../../../model/fields.ts";
import type { Cell } from "../../../model/row.ts";
import { isBlank } from "../../../model/text.ts";
import { isHashtags } from "../../columns/column-names.ts";
import { decidingKind } from "../../columns/column-values.ts";
import { type YamlPath, kindOf } from "./document.ts";

export interface PostValue {
  /** Undefined for a value that says nothing. A blank one clears the field for one platform. */
  readonly cell?: Cell | undefined;
  /**
   * What the value says for other fields: the alt texts of `[{ file: a.png, alt: A garden }]`, and the media and alt texts
   * of a thread.
   */
  readonly beside?: BesideCells;
  readonly faults: readonly ShapeFault[];
}

interface ShapeFault {
  /** From the value to its part with the fault. */
  readonly steps: YamlPath;
  readonly message: string;
}

/** The fields for which a value of another key may say something. */
export const BESIDE_FIELDS = [
  "alt",
  "thread_media",
  "thread_alt",
  "poll_length",
  "poll_multiple",
] as const satisfies Field[];

export type BesideField = (typeof BESIDE_FIELDS)[number];

export type BesideCells = Readonly<Partial<Record<BesideField, readonly string[]>>>;

const NOTHING: PostValue = { faults: [] };

/** Fields that may be lists. */
const LISTS: ReadonlySet<Field> = new Set<Field>([
  "platforms",
  "media",
  "alt",
  "thread",
  "thread_media",
  "thread_alt",
  "poll",
  "pool",
  "except",
  "options",
]);

/** @param name of the key as written @param as undefined for a key without a use, which may have any value */
export function readValue(written: unknown, name: string, as: UsedAs | undefined): PostValue {
  if (written === undefined || written === null) return NOTHING;
  if (as === undefined) return { cell: shown(written), faults: [] };
  if (as.kind === "option" && Array.isArray(written)) return { cell: shown(written), faults: [] };
  const value = isHashtags(name) ? joinHashtags(written) : written;
  if (typeof value === "string")
    return isBlank(value) && !isCleared(value, as) ? NOTHING : { cell: value, faults: [] };
  if (as.field === "poll" && isPollMapping(value)) return readPoll(value, name, as);
  if (!Array.isArray(value) || !isList(as))
    return { faults: [{ steps: [], message: wrongShape(name, as, value) }] };
  const items: readonly unknown[] = value;
  if (as.field === "thread" && items.some(isThreadText)) return readThread(items);
  const isAlt = as.field === "media" && items.some(isDescribed);
  const files = isAlt ? items.map(fileIn) : items;
  const texts = files.filter((each) => typeof each === "string");
  return {
    ...(texts.every(isBlank) && !(items.length === 0 && isCleared(items, as)) ? {} : { cell: texts }),
    ...(isAlt ? { beside: { alt: items.map(altIn) } } : {}),
    faults: files.flatMap((item, index) =>
      typeof item === "string"
        ? []
        : [
            {
              steps: [index],
              message: `${ITEMS[as.field] ?? `An item of \`${name}\` must be text`}, but it is ${kindOf(item)}.`,
            },
          ],
    ),
  };
}

/** `content: ""` and `media: []` mean that one platform gets none, although the post has it. */
function isCleared(value: string | readonly unknown[], as: UsedAs): boolean {
  if (as.kind !== "variant") return false;
  return typeof value === "string" ? as.field === "content" && value === "" : as.field === "media";
}

function isList({ kind, field }: UsedAs): boolean {
  return (kind === "field" || kind === "variant") && LISTS.has(field);
}

const ITEMS: Readonly<Partial<Record<Field, string>>> = {
  media: "An item of `media` must be text, or a mapping with `file` and `alt`",
  except: "An item of `except` must be text, such as 2027-12-24 -> 2027-12-27",
};

function wrongShape(name: string, as: UsedAs, value: unknown): string {
  const wanted = isList(as)
    ? "text or a list of texts"
    : as.kind === "switch"
      ? "one word, such as yes or no"
      : "text";
  const way =
    decidingKind(as) === undefined
      ? ""
      : " Write the word, or set the key to `ignore` under `columns:` in plancast.yaml.";
  return `\`${name}\` must be ${wanted}, but it is ${kindOf(value)}.${way}`;
}

/** A value as a person would read it. */
function shown(value: unknown): string {
  if (typeof value === "string") return value;
  const isTexts = Array.isArray(value) && value.every((each) => typeof each === "string");
  return isTexts ? value.join(", ") : JSON.stringify(value);
}

/** A medium with its alt text. Anything else in a list of media is a fault. */
export function isDescribed(item: unknown): item is { readonly file: string; readonly alt?: string | null } {
  if (typeof item !== "object" || item === null || !("file" in item) || typeof item.file !== "string")
    return false;
  const { alt } = { alt: undefined, ...item };
  const isText = alt === undefined || alt === null || typeof alt === "string";
  return isText && Object.keys(item).every((key) => key === "file" || key === "alt");
}

/** A poll with more than its choices. Its keys are checked later. */
export function isPollMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && Object.hasOwn(value, "choices");
}

/** The keys of a poll, and their fields. */
const POLL_KEYS = { length: "poll_length", multiple: "poll_multiple" } as const;

function readPoll(value: Readonly<Record<string, unknown>>, name: string, as: UsedAs): PostValue {
  const { choices, ...details } = withoutNull(value);
  const { cell, faults } = readValue(choices, `${name}.choices`, as);
  const found = Object.entries(details).map(([key, text]) => ({ key, text }));
  const wrong = found.flatMap(({ key, text }): ShapeFault[] => {
    if (!Object.hasOwn(POLL_KEYS, key))
      return [
        {
          steps: [key],
          message: `A poll can have \`choices\`, \`length\` and \`multiple\`, but not \`${key}\`.`,
        },
      ];
    return typeof text === "string"
      ? []
      : [{ steps: [key], message: `\`${key}\` must be text, but it is ${kindOf(text)}.` }];
  });
  const { length, multiple } = details;
  return {
    ...(cell === undefined ? {} : { cell }),
    beside: {
      ...(typeof length === "string" ? { [POLL_KEYS.length]: [length] } : {}),
      ...(typeof multiple === "string" ? { [POLL_KEYS.multiple]: [multiple] } : {}),
    },
    faults: [...faults.map((each) => ({ ...each, steps: ["choices", ...each.steps] })), ...wrong],
  };
}

function fileIn(item: unknown): unknown {
  return isDescribed(item) ? item.file : item;
}

function altIn(item: unknown): string {
  return isDescribed(item) ? (item.alt ?? "") : "";
}

/** A text of a thread with its media. */
interface ThreadText {
  readonly text?: string | null;
  readonly media?: unknown;
  readonly alt?: unknown;
}

/** Whether an item of a thread is a mapping. Its keys are checked later. */
export function isThreadText(item: unknown): item is ThreadText {
  return isObject(item) && ["text", "media"].some((key) => Object.hasOwn(item, key));
}

const THREAD_KEYS: ReadonlySet<string> = new Set(["text", "media", "alt"]);

/** The texts of a thread, and the media and alt texts of each of them. */
function readThread(items: readonly unknown[]): PostValue {
  const read = items.map(readThreadText);
  return {
    cell: read.map(({ text }) => text),
    beside: {
      thread_media: read.map(({ files }) => files),
      thread_alt: read.map(({ alt }) => alt),
    },
    faults: read.flatMap(({ faults }, index) =>
      faults.map(({ steps, message }) => ({ steps: [index, ...steps], message })),
    ),
  };
}

/** A text of a thread. Its files and its alt texts are each one text, as a cell holds them. */
interface ReadThreadText {
  readonly text: string;
  readonly files: string;
  readonly alt: string;
  readonly faults: readonly ShapeFault[];
}

function faultyText(message: string, ...steps: YamlPath): ReadThreadText {
  return { text: "", files: "", alt: "", faults: [{ steps, message }] };
}

export function readThreadText(item: unknown): ReadThreadText {
  if (typeof item === "string") return { text: item, files: "", alt: "", faults: [] };
  if (!isObject(item)) return faultyText(`${THREAD_ITEM}, but it is ${kindOf(item)}.`);
  const unknown = Object.keys(item).find((key) => !THREAD_KEYS.has(key));
  if (unknown !== undefined)
    return faultyText(
      `A text of \`thread\` can have \`text\`, \`media\` and \`alt\`, but not \`${unknown}\`.`,
      unknown,
    );
  const { text = "", media = [], alt = [] } = withoutNull(item);
  if (typeof text !== "string")
    return faultyText(`\`text\` must be text, but it is ${kindOf(text)}.`, "text");
  const given: readonly unknown[] = Array.isArray(media) ? media : [media];
  const files = (Array.isArray(media) ? given.map(fileIn) : given.flatMap(splitIfText)).filter(isText);
  if (files.length < given.length)
    return faultyText("An item of `media` must be text, or a mapping with `file` and `alt`.", "media");
  const beside = given.some(isDescribed) ? given.map(altIn) : undefined;
  if (beside !== undefined && Object.hasOwn(item, "alt")) return faultyText(ALT_TWICE, "alt");
  const own = Array.isArray(alt) ? alt : [alt];
  const texts = beside ?? own.filter(isText);
  if (beside === undefined && texts.length < own.length)
    return faultyText("`alt` must be text or a list of texts.", "alt");
  const joined = typeof alt === "string" ? alt : joinAlt(texts, files.length);
  if (joined === undefined)
    return texts.length > files.length
      ? faultyText("There are more alt texts than files. Write one for each file.", "alt")
      : faultyText("An alt text in a thread cannot contain ||.", "media");
  return { text, files: joinFiles(files), alt: joined, faults: [] };
}

const THREAD_ITEM = "An item of `thread` must be text, or a mapping with `text`, `media` and `alt`";

/** For alt texts in two places. */
export const ALT_TWICE =
  "The post has alt texts in `alt` and beside its media. Keep one of them, so that it is clear which text counts.";

function splitIfText(value: unknown): readonly unknown[] {
  return typeof value === "string" ? splitMedia(value) : [value];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Without the keys that have no value. */
function withoutNull(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}

/** A list of hashtags as text: `#one #two`. */
function joinHashtags(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string")) return value;
  return value
    .filter((each) => !isBlank(each))
    .map((each) => (each.trim().startsWith("#") ? each.trim() : `#${each.trim()}`))
    .join(" ");
}
