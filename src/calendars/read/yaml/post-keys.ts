/**
 * Reads the keys of posts as the headers of a table: the fields' own names, common names for them, and `columns:` of
 * plancast.yaml.
 */

import { type UsedAs, IGNORE, NOT_CARRIED, REFUSE } from "../../../model/columns.ts";
import type { Field } from "../../../model/fields.ts";
import { isObject } from "../../../model/json.ts";
import type { Assumed } from "../../../model/row.ts";
import { splitThread } from "../../../model/extras.ts";
import { foldName, isBlank, withParagraph } from "../../../model/text.ts";
import { mapColumns } from "../../columns/columns.ts";
import type { ReadOptions } from "../format.ts";
import { blankAnswer } from "../table-row.ts";
import { saysYes, statusSaid, strongest } from "../yes-or-no.ts";
import type { YamlPath } from "./document.ts";

interface UsedKey {
  readonly kind: "used";
  readonly as: UsedAs;
  /** Only the name of the key shows its meaning. */
  readonly isGuess?: boolean;
}

/** Yes-or-no keys. */
export type Switches = ReadonlyMap<string, UsedKey>;

/** What a key of a post means. */
export type KeyMeaning =
  | UsedKey
  | { readonly kind: typeof IGNORE | typeof NOT_CARRIED | typeof REFUSE }
  /** It has the same meaning as the key `first`. */
  | { readonly kind: "duplicate"; readonly first: string; readonly field: string }
  /** `suggestion`: the field that the key may mean. */
  | { readonly kind: "unknown"; readonly suggestion: string | undefined };

/** Keys that say with a yes that a post is already published. */
const PUBLISHED: ReadonlySet<string> = new Set(["published", "posted"]);

/** Understands keys. Most posts of a calendar have the same keys, so plancast reads each set of keys only once. */
export class PostKeys {
  readonly #columns: ReadOptions["columns"];
  readonly #kept: ReadonlySet<string>;
  readonly #known = new Map<string, ReadonlyMap<string, KeyMeaning>>();

  constructor({ columns, keep = [] }: Pick<ReadOptions, "columns" | "keep">) {
    this.#columns = columns;
    this.#kept = new Set(keep);
  }

  /** Whether a filter uses the key, whatever it means. */
  isKept(key: string): boolean {
    return this.#kept.has(foldName(key));
  }

  /** The field that a name means, as a key. */
  fieldOf(name: string): Field | undefined {
    const meaning = this.#understand([foldName(name)]).get(foldName(name));
    return meaning?.kind === "used" && meaning.as.kind === "field" ? meaning.as.field : undefined;
  }

  of(post: object): ReadonlyMap<string, KeyMeaning> {
    const keys = Object.keys(post).filter((key) => key !== "variants");
    const mark = JSON.stringify(keys);
    const known = this.#known.get(mark);
    if (known !== undefined) return known;
    const found = this.#understand(keys);
    this.#known.set(mark, found);
    return found;
  }

  /** The yes-or-no keys of posts. In a post without one of them, it is blank, as a cell of a table would be. */
  switchesIn(posts: readonly unknown[]): Switches {
    return new Map(
      posts
        .filter(isObject)
        .flatMap((post) =>
          [...this.of(post)].flatMap(([key, meaning]) =>
            meaning.kind === "used" && meaning.as.kind === "switch" ? [[key, meaning] as const] : [],
          ),
        ),
    );
  }

  #understand(keys: readonly string[]): ReadonlyMap<string, KeyMeaning> {
    const { meanings } = mapColumns(keys, this.#columns);
    return new Map(
      keys.map((key, index): [string, KeyMeaning] => {
        const meaning = meanings[index];
        switch (meaning?.kind) {
          case "used":
            // A vague name often means something else, and nobody would see it.
            return meaning.evidence.by === "synonym" && meaning.evidence.isVague
              ? [key, { kind: "unknown", suggestion: fieldOf(meaning.as) }]
              : [key, { kind: "used", as: meaning.as, isGuess: meaning.evidence.by === "synonym" }];
          case "ignored":
            return [key, { kind: IGNORE }];
          case "not_carried":
          case "refuse":
            return [key, { kind: meaning.kind }];
          case "duplicate":
            return [
              key,
              { kind: "duplicate", first: keys[meaning.first] ?? "", field: fieldOf(meaning.as) ?? "" },
            ];
          default:
            if (PUBLISHED.has(key))
              return [
                key,
                { kind: "used", as: { kind: "switch", field: "status", value: "skip" }, isGuess: true },
              ];
            if (key === "state" && !keys.includes("status"))
              return [key, { kind: "used", as: { kind: "field", field: "status" } }];
            return [key, { kind: "unknown", suggestion: undefined }];
        }
      }),
    );
  }
}

function fieldOf(target: UsedAs): string | undefined {
  return target.kind === "field" ? target.field : undefined;
}

/** A post with the fields' own names, and where each value comes from. */
export interface NamedPost {
  /** The value for the schema. */
  readonly value: unknown;
  /** The path of each field's value; for values from several keys, of each item. */
  readonly paths: ReadonlyMap<string, readonly YamlPath[]>;
  /** Like `paths`, for the fields of one platform. */
  readonly variantPaths: ReadonlyMap<string, ReadonlyMap<string, YamlPath>>;
  /** The keys without a use. */
  readonly others: readonly { readonly key: string; readonly meaning: KeyMeaning }[];
  /** Yes-or-no keys that say neither. */
  readonly undecided: readonly { readonly key: string; readonly text: string; readonly value: string }[];
  /** What it means that yes-or-no keys are blank. */
  readonly blankAnswers: readonly Assumed[];
  readonly namesAccounts: boolean;
  /** Whether yes-or-no keys choose the platforms, so that no default applies. */
  readonly choosesPlatforms: boolean;
}

/**
 * Gives a post the fields' own names. `path`: its place. Anything but a mapping stays as it is.
 * @param switches yes-or-no keys that are blank if the post does not have them
 */
export function namePost(
  post: unknown,
  path: YamlPath,
  keys: PostKeys,
  switches: Switches = new Map(),
): NamedPost {
  const value: Record<string, unknown> = Object.create(null);
  const paths = new Map<Field, YamlPath[]>();
  const variantPaths = new Map<string, Map<string, YamlPath>>();
  const others: { key: string; meaning: KeyMeaning }[] = [];
  const appended: { readonly field: Field; readonly text: string }[] = [];
  const answers: Answer[] = [];
  const variants: Record<string, unknown> = Object.create(null);
  let namesAccounts = false;
  let choosesPlatforms = false;
  let describesMedia = false;
  if (!isObject(post))
    return { value: post, paths, variantPaths, others, ...readAnswers([]), namesAccounts, choosesPlatforms };
  const meanings = keys.of(post);
  const missing = [...switches.keys()].filter((key) => !meanings.has(key));
  for (const [key, written] of [...Object.entries(post), ...missing.map((key) => [key, ""] as const)]) {
    const own = [...path, key];
    const meaning = meanings.get(key) ?? switches.get(key);
    if (meaning?.kind !== "used") {
      if (meaning !== undefined) others.push({ key, meaning });
      continue;
    }
    const { as } = meaning;
    const given = isHashtagKey(key) ? joinHashtags(written) : written;
    const described = as.kind === "field" && as.field === "media" ? describedMedia(given) : undefined;
    if (described !== undefined) {
      // If alt texts are also in a separate list, it is unclear which of them count.
      if (paths.has("alt")) others.push({ key, meaning: { kind: "duplicate", first: "alt", field: "alt" } });
      else add(value, paths, "alt", described.alt, own);
      add(value, paths, "media", described.media, own);
      describesMedia = true;
    } else if (as.kind === "field" && as.field === "alt" && describesMedia) {
      others.push({ key, meaning: { kind: "duplicate", first: "media", field: "alt" } });
    } else if (as.kind === "field") {
      namesAccounts ||= as.isAccount === true;
      add(value, paths, as.field, given, own);
    } else if (as.kind === "variant") {
      variants[as.platform] = { ...Object(variants[as.platform]), [as.field]: given };
      const of = variantPaths.get(as.platform) ?? new Map<string, YamlPath>();
      variantPaths.set(as.platform, of.set(as.field, own));
    } else if (as.kind === "append") {
      if (typeof given === "string" && !isBlank(given))
        appended.push({ field: as.field, text: given.trim() });
    } else {
      const text = typeof given === "string" ? given : "";
      const said = saysYes(text, as, meaning.isGuess === true);
      answers.push({ key, text, said, field: as.field, value: as.value, path: own });
      if (as.field !== "platforms") continue;
      choosesPlatforms = true;
      add(value, paths, "platforms", said === true ? [as.value] : [], own);
    }
  }
  const { status, ...answered } = readAnswers(answers);
  if (status !== undefined) {
    value["status"] = status.text;
    paths.set("status", [status.path]);
  }
  append(value, appended);
  if ("variants" in post || variantPaths.size > 0) value["variants"] = withVariants(post, variants);
  return { value, paths, variantPaths, others, ...answered, namesAccounts, choosesPlatforms };
}

/** What a yes-or-no key says; `said` is undefined for neither, and `value` is what a yes means. */
interface Answer {
  readonly key: string;
  readonly text: string;
  readonly said: boolean | undefined;
  readonly field: string;
  readonly value: string;
  readonly path: YamlPath;
}

function readAnswers(answers: readonly Answer[]): Pick<NamedPost, "undecided" | "blankAnswers"> & {
  readonly status?: { readonly text: string; readonly path: YamlPath } | undefined;
} {
  const ofStatus = answers.filter(({ field }) => field === "status");
  const status = strongest(
    ofStatus.flatMap(({ text, said, value, path }) => {
      const found = statusSaid(value, said === true, text);
      return found === undefined ? [] : [{ text: found, path }];
    }),
  );
  return {
    status,
    undecided: answers.filter(({ said }) => said === undefined),
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
  for (const { field, text } of appended) {
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
