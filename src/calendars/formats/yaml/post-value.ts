/** What the value of a key gives its post: a text, a list, or a fault in its shape. */

import type { UsedAs } from "../../../model/columns.ts";
import type { Field } from "../../../model/fields.ts";
import type { Cell } from "../../../model/row.ts";
import { isBlank } from "../../../model/text.ts";
import { isHashtags } from "../../columns/column-names.ts";
import { decidingKind } from "../../columns/column-values.ts";
import { type YamlPath, kindOf } from "./document.ts";

export interface PostValue {
  /** Undefined for a value that says nothing. A blank one clears the field for one platform. */
  readonly cell?: Cell | undefined;
  /** The alt texts beside media, for `[{ file: a.png, alt: A garden }]`. */
  readonly alt?: readonly string[];
  readonly faults: readonly ShapeFault[];
}

interface ShapeFault {
  /** From the value to its part with the fault. */
  readonly steps: YamlPath;
  readonly message: string;
}

const NOTHING: PostValue = { faults: [] };

/** Fields that may be lists. */
const LISTS: ReadonlySet<Field> = new Set<Field>(["platforms", "media", "alt", "thread", "pool", "except"]);

/** @param name of the key as written @param as undefined for a key without a use, which may have any value */
export function readValue(written: unknown, name: string, as: UsedAs | undefined): PostValue {
  if (written === undefined || written === null) return NOTHING;
  if (as === undefined) return { cell: shown(written), faults: [] };
  if (as.kind === "option" && Array.isArray(written)) return { cell: shown(written), faults: [] };
  const value = isHashtags(name) ? joinHashtags(written) : written;
  if (typeof value === "string")
    return isBlank(value) && !isCleared(value, as) ? NOTHING : { cell: value, faults: [] };
  if (!Array.isArray(value) || !isList(as))
    return { faults: [{ steps: [], message: wrongShape(name, as, value) }] };
  const items: readonly unknown[] = value;
  const isAlt = as.field === "media" && items.some(isDescribed);
  const files = isAlt ? items.map((item) => (isDescribed(item) ? item.file : item)) : items;
  const texts = files.filter((each) => typeof each === "string");
  return {
    ...(texts.every(isBlank) && !(items.length === 0 && isCleared(items, as)) ? {} : { cell: texts }),
    ...(isAlt ? { alt: items.map((item) => (isDescribed(item) ? (item.alt ?? "") : "")) } : {}),
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

/** A list of hashtags as text: `#one #two`. */
function joinHashtags(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string")) return value;
  return value
    .filter((each) => !isBlank(each))
    .map((each) => (each.trim().startsWith("#") ? each.trim() : `#${each.trim()}`))
    .join(" ");
}
