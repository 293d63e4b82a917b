/** Posts with the fields' own names instead of the keys that people write. */

import { type Field, isStatus } from "../../../model/fields.ts";
import { isObject } from "../../../model/data.ts";
import type { Assumed, Cell } from "../../../model/row.ts";
import { splitThread } from "../../../model/extras.ts";
import { isBlank, withParagraph } from "../../../model/text.ts";
import { strictestType } from "../../../settings/post-types.ts";
import type { ColumnValues } from "../../columns/column-values.ts";
import { joinedWhen } from "../../read/row-cells.ts";
import { blankAnswer } from "../../read/read-row.ts";
import { statusSaid, strongest } from "../../read/yes-or-no.ts";
import type { YamlPath } from "./document.ts";
import { type KeyMeaning, type PostKeys, type Switches } from "./post-keys.ts";

/** A post with the fields' own names, and where each value comes from. */
export interface NamedPost {
  /** The value for the schema. */
  readonly value: unknown;
  /** The path of each field's value; for values from several keys, of each item. */
  readonly paths: ReadonlyMap<string, readonly YamlPath[]>;
  /** Like `paths`, for the fields of one platform. */
  readonly variantPaths: ReadonlyMap<string, ReadonlyMap<string, YamlPath>>;
  /** The texts of yes-or-no keys, also those from the defaults. */
  readonly answers: ReadonlyMap<string, string>;
  /** Lists and mappings where a word such as yes belongs. */
  readonly misshapen: readonly YamlPath[];
  /** Alt texts that are also beside their media. */
  readonly altTwice: readonly YamlPath[];
  /** What it means that yes-or-no keys are blank. */
  readonly blankAnswers: readonly Assumed[];
  readonly namesAccounts: boolean;
  /** Whether yes-or-no keys choose the platforms, so that no default applies. */
  readonly choosesPlatforms: boolean;
  /** Texts below the front matter that the front matter has too. */
  readonly twice: readonly TextBelow[];
}

/** The texts below the front matter of a file with one post. */
export type TextsBelow = Readonly<Partial<Record<TextBelow, Cell>>>;
type TextBelow = "content" | "thread";

/** The yes-or-no keys of a calendar, and its defaults for them. */
export interface SharedSwitches {
  readonly keys: Switches;
  readonly defaults: object;
}

/** The names of defaults: without the yes-or-no keys, because each post without the key has its default. */
export function nameDefaults(defaults: object, path: YamlPath, keys: PostKeys): NamedPost {
  return nameEntries(
    entriesOf(defaults, path, keys.of(defaults)).filter(({ meaning }) => !isSwitch(meaning)),
    keys,
  );
}

/** Gives a post the fields' own names. `path`: its place. Anything but a mapping stays as it is. */
export function namePost(
  post: unknown,
  path: YamlPath,
  keys: PostKeys,
  { shared, below }: { readonly shared?: SharedSwitches; readonly below?: TextsBelow } = {},
): NamedPost {
  if (!isObject(post)) return { ...nameEntries([], keys), value: post };
  const own = entriesOf(post, path, keys.of(post));
  const others = shared === undefined ? [] : sharedEntries(own, path, shared);
  return nameEntries([...own, ...others], keys, post, below);
}

/** A key of a post, and where its value is. */
interface Entry {
  readonly key: string;
  readonly written: unknown;
  readonly path: YamlPath;
  readonly meaning: KeyMeaning;
}

function entriesOf(post: object, path: YamlPath, meanings: ReadonlyMap<string, KeyMeaning>): Entry[] {
  return Object.entries(post).flatMap(([key, written]): Entry[] => {
    const meaning = meanings.get(key);
    return meaning === undefined ? [] : [{ key, written, path: [...path, key], meaning }];
  });
}

function isSwitch(meaning: KeyMeaning): boolean {
  return meaning.kind === "used" && meaning.as.kind === "switch";
}

/**
 * The yes-or-no keys that a post does not have: with their defaults, otherwise blank, as a cell of a table would be. If
 * the post lists its platforms, defaults add none.
 */
function sharedEntries(own: readonly Entry[], path: YamlPath, { keys, defaults }: SharedSwitches): Entry[] {
  const has = new Set(own.map(({ key }) => key));
  const listsPlatforms = own.some(
    ({ meaning, written }) =>
      meaning.kind === "used" &&
      meaning.as.kind === "field" &&
      meaning.as.field === "platforms" &&
      !isEmpty(written),
  );
  const given: ReadonlyMap<string, unknown> = new Map(Object.entries(defaults));
  return [...keys].flatMap(([key, meaning]): Entry[] => {
    if (has.has(key)) return [];
    const isSettled = listsPlatforms && meaning.as.kind === "switch" && meaning.as.field === "platforms";
    if (isSettled || !given.has(key)) return [{ key, written: "", path: [...path, key], meaning }];
    return [{ key, written: given.get(key), path: ["defaults", key], meaning }];
  });
}

function nameEntries(
  entries: readonly Entry[],
  keys: PostKeys,
  post: object = {},
  below: TextsBelow = {},
): NamedPost {
  const value: Record<string, unknown> = Object.create(null);
  const paths = new Map<Field, YamlPath[]>();
  const variantPaths = new Map<string, Map<string, YamlPath>>();
  const altTwice: YamlPath[] = [];
  const misshapen: YamlPath[] = [];
  const statuses: WrittenStatus[] = [];
  const appended: { readonly field: Field; readonly text: string }[] = [];
  const answers: Answer[] = [];
  const variants: Record<string, unknown> = Object.create(null);
  const types: WrittenStatus[] = [];
  let namesAccounts = false;
  let choosesPlatforms = false;
  let describesMedia = false;
  for (const { key, written, path, meaning } of entries) {
    if (meaning.kind !== "used") continue;
    const { as } = meaning;
    const given = isHashtagKey(key) ? joinHashtags(written) : written;
    const described = as.kind === "field" && as.field === "media" ? describedMedia(given) : undefined;
    if (described !== undefined) {
      // If alt texts are also in a separate list, it is unclear which of them count.
      if (paths.has("alt")) altTwice.push(path);
      else add(value, paths, "alt", described.alt, path);
      add(value, paths, "media", described.media, path);
      describesMedia = true;
    } else if (as.kind === "field" && as.field === "alt" && describesMedia) {
      altTwice.push(path);
    } else if (as.kind === "field" && as.field === "status" && typeof given === "string") {
      statuses.push({ text: given, path, values: keys.valuesOf(key, meaning) });
    } else if (as.kind === "field" && as.field === "type" && typeof given === "string") {
      const text = keys.valuesOf(key, meaning)?.read(given).meaning ?? given;
      types.push({ text, path, values: undefined });
    } else if (as.kind === "field") {
      namesAccounts ||= as.isAccount === true;
      add(value, paths, as.field, given, path);
    } else if (as.kind === "variant") {
      variants[as.platform] = { ...Object(variants[as.platform]), [as.field]: given };
      addPath(variantPaths, as.platform, as.field, path);
    } else if (as.kind === "append") {
      if (typeof given === "string" && !isBlank(given))
        appended.push({ field: as.field, text: given.trim() });
    } else {
      if (!isEmpty(given) && typeof given !== "string") misshapen.push(path);
      const text = typeof given === "string" ? given : "";
      const said = keys.valuesOf(key, meaning)?.read(text).meaning === "yes";
      answers.push({ key, text, said, field: as.field, value: as.value, path });
      if (as.field !== "platforms") continue;
      choosesPlatforms = true;
      add(value, paths, "platforms", said ? [as.value] : [], path);
    }
  }
  addType(value, paths, types);
  const { status: answer, ...answered } = readAnswers(answers);
  const status = answer ?? statusOf([...statuses, ...types.filter(({ text }) => isStatus(text))]);
  if (status !== undefined) {
    value["status"] = status.text;
    paths.set("status", [status.path]);
  }
  const twice = (["content", "thread"] as const).filter(
    (field) => below[field] !== undefined && !isEmpty(value[field]),
  );
  Object.assign(value, below);
  append(value, appended);
  if ("variants" in post || variantPaths.size > 0) value["variants"] = withVariants(post, variants);
  return {
    value,
    paths,
    variantPaths,
    altTwice,
    misshapen,
    ...answered,
    namesAccounts,
    choosesPlatforms,
    twice,
  };
}

/** A key for the status, as a post writes it. */
interface WrittenStatus {
  readonly text: string;
  readonly path: YamlPath;
  readonly values: ColumnValues | undefined;
}

/** The status of a post: the word of its only key, or what several keys say together. */
function statusOf(statuses: readonly WrittenStatus[]): Omit<WrittenStatus, "values"> | undefined {
  const [only, ...others] = statuses;
  if (only === undefined || (others.length === 0 && only.values?.hasOwnWords !== true)) return only;
  const said = statuses.map(({ text, path, values }) => ({ text: values?.read(text).meaning ?? text, path }));
  return strongest(said.filter(({ text }) => text !== "ready" && !isBlank(text))) ?? said[0];
}

/** What a yes-or-no key says; `value` is what a yes means. */
interface Answer {
  readonly key: string;
  readonly text: string;
  readonly said: boolean;
  readonly field: string;
  readonly value: string;
  readonly path: YamlPath;
}

function readAnswers(answers: readonly Answer[]): Pick<NamedPost, "answers" | "blankAnswers"> & {
  readonly status?: { readonly text: string; readonly path: YamlPath } | undefined;
} {
  const ofStatus = answers.filter(({ field }) => field === "status");
  const status = strongest(
    ofStatus.flatMap(({ text, said, value, path }) => {
      const found = statusSaid(value, said, text);
      return found === undefined ? [] : [{ text: found, path }];
    }),
  );
  return {
    status,
    answers: new Map(answers.map(({ key, text }) => [key, text])),
    blankAnswers: ofStatus
      .filter(({ text }) => isBlank(text))
      .map(({ key, value }) => blankAnswer(key, value)),
  };
}

/** Appends paragraphs to their fields. If a post has only a thread, its first text is the text; if only a pool, each text. */
function append(
  value: Record<string, unknown>,
  appended: readonly { readonly field: Field; readonly text: string }[],
): void {
  for (const field of ["date", "time"] as const) {
    const parts = appended.filter((each) => each.field === field).map(({ text }) => text);
    const own = value[field];
    if (parts.length > 0 && typeof own === "string") value[field] = joinedWhen(field, own, parts);
  }
  for (const { field, text } of appended) {
    if (field === "date" || field === "time") continue;
    const { content, thread, pool } = value;
    const isTextElsewhere = field === "content" && isEmpty(content);
    if (isTextElsewhere && !isEmpty(pool)) {
      value["pool"] = listOf(pool).map((each) =>
        typeof each === "string" && !isBlank(each) ? withParagraph(each, text) : each,
      );
      continue;
    }
    const [first, ...rest] = isTextElsewhere ? listOf(thread) : [];
    const own = first ?? value[field];
    const whole = withParagraph(typeof own === "string" ? own : "", text);
    if (first === undefined) value[field] = whole;
    else value["thread"] = [whole, ...rest];
  }
}

/** The texts of a list, or of a text with lines `---`. */
function listOf(texts: unknown): readonly unknown[] {
  return Array.isArray(texts) ? texts : splitThread(typeof texts === "string" ? texts : "");
}

/** Adds the type that counts, if the post has one. */
function addType(
  value: Record<string, unknown>,
  paths: Map<Field, YamlPath[]>,
  types: readonly WrittenStatus[],
): void {
  const type = strictestType(types);
  if (type !== undefined) add(value, paths, "type", type.text, type.path);
}

function addPath(
  paths: Map<string, Map<string, YamlPath>>,
  platform: string,
  field: string,
  path: YamlPath,
): void {
  paths.set(platform, (paths.get(platform) ?? new Map<string, YamlPath>()).set(field, path));
}

/** Adds a value. Several keys may hold parts of a list, such as `image_1` and `image_2`. */
function add(
  value: Record<string, unknown>,
  paths: Map<Field, YamlPath[]>,
  field: Field,
  given: unknown,
  path: YamlPath,
): void {
  const before = paths.get(field);
  if (before === undefined) {
    value[field] = given;
    paths.set(field, [path]);
    return;
  }
  const first = itemsOf(value[field], before[0] ?? path, before);
  const next = itemsOf(given, path);
  value[field] = [...first, ...next].map(({ item }) => item);
  paths.set(
    field,
    [...first, ...next].map((each) => each.path),
  );
}

function itemsOf(
  value: unknown,
  path: YamlPath,
  known: readonly YamlPath[] = [],
): { readonly item: unknown; readonly path: YamlPath }[] {
  if (Array.isArray(value))
    return value.map((item: unknown, index) => ({
      item,
      path: known.length > 1 ? (known[index] ?? path) : [...path, index],
    }));
  return value === null || (typeof value === "string" && isBlank(value)) ? [] : [{ item: value, path }];
}

/** The row's own `variants`, and the variants of keys such as `content:twitter`. */
function withVariants(post: object, variants: Readonly<Record<string, unknown>>): unknown {
  const own: unknown = "variants" in post ? post.variants : undefined;
  if (own !== undefined && (typeof own !== "object" || Array.isArray(own))) return own;
  const platforms = [...new Set([...Object.keys(Object(own)), ...Object.keys(variants)])];
  const all: Record<string, unknown> = Object.create(null);
  for (const platform of platforms) {
    const given: unknown = withDescribedMedia(Object(own)[platform]);
    all[platform] =
      variants[platform] === undefined ? given : { ...Object(given), ...Object(variants[platform]) };
  }
  return all;
}

/** `media: [{ file: a.png, alt: A garden }]` as two lists; undefined if no item has this form. */
function describedMedia(value: unknown): { readonly media: unknown[]; readonly alt: string[] } | undefined {
  if (!Array.isArray(value) || !value.some(isDescribed)) return undefined;
  return {
    media: value.map((item: unknown) => (isDescribed(item) ? item.file : item)),
    alt: value.map((item: unknown) => (isDescribed(item) ? (item.alt ?? "") : "")),
  };
}

/** Anything else in a list of media is reported as a fault. */
function isDescribed(item: unknown): item is { readonly file: string; readonly alt?: string | null } {
  if (typeof item !== "object" || item === null || !("file" in item) || typeof item.file !== "string")
    return false;
  const { alt } = { alt: undefined, ...item };
  const isText = alt === undefined || alt === null || typeof alt === "string";
  return isText && Object.keys(item).every((key) => key === "file" || key === "alt");
}

/** The fields of one platform, with its media as two lists. */
function withDescribedMedia(variant: unknown): unknown {
  if (typeof variant !== "object" || variant === null || !("media" in variant)) return variant;
  const described = describedMedia(variant.media);
  return described === undefined || "alt" in variant ? variant : { ...variant, ...described };
}

function isHashtagKey(key: string): boolean {
  return /^(?:hash_?)?tags?$/.test(key);
}

/** A list of hashtags as text: `#one #two`. */
function joinHashtags(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string")) return value;
  return value
    .filter((each) => !isBlank(each))
    .map((each) => (each.trim().startsWith("#") ? each.trim() : `#${each.trim()}`))
    .join(" ");
}

/** The posts with the values of the post before in these fields, where their own are blank. */
export function carryDown(posts: readonly NamedPost[], fields: readonly Field[]): readonly NamedPost[] {
  if (fields.length === 0) return posts;
  const last = new Map<Field, unknown>();
  return posts.map((post) => {
    if (typeof post.value !== "object" || post.value === null || Array.isArray(post.value)) return post;
    const own: Readonly<Record<string, unknown>> = { ...post.value };
    for (const field of fields) if (!isEmpty(own[field])) last.set(field, own[field]);
    const carried = fields.filter((field) => isEmpty(own[field]) && last.has(field));
    if (carried.length === 0) return post;
    return {
      ...post,
      value: { ...own, ...Object.fromEntries(carried.map((each) => [each, last.get(each)])) },
    };
  });
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "string" ? isBlank(value) : Array.isArray(value) && value.length === 0;
}

/** The cell that a value gives its row; undefined for a blank one. */
export function toCell(value: unknown): Cell | undefined {
  if (Array.isArray(value)) {
    // Anything else is reported.
    const texts = value.filter((each) => typeof each === "string");
    return texts.length === 0 ? undefined : texts;
  }
  return typeof value !== "string" || isBlank(value) ? undefined : value;
}
