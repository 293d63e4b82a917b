/** Accounts for the keys of posts, by the same rule as for the columns of a table. */

import type { CalendarAccount } from "../../../model/column-account.ts";
import type { ColumnMeaning } from "../../../model/columns.ts";
import { yamlKey } from "../../../model/columns.ts";
import { isObject } from "../../../model/data.ts";
import type { Field } from "../../../model/fields.ts";
import { type Problem, problem } from "../../../model/problem.ts";
import type { Cell } from "../../../model/row.ts";
import { formatNumber, isBlank } from "../../../model/text.ts";
import { yesOrNo } from "../../../settings/languages/languages.ts";
import { ColumnTally } from "../../columns/account-for.ts";
import { accountProblems } from "../../columns/account-text.ts";
import { type ReadOptions, MAX_COLUMNS } from "../../read/format.ts";
import { refusedCell } from "../../read/read-row.ts";
import { type YamlDocument, type YamlPath, valueAt } from "./document.ts";
import { type NamedPost, toCell } from "./named-post.ts";
import type { KeyMeaning, PostKeys } from "./post-keys.ts";

interface YamlSource {
  readonly document: YamlDocument;
  readonly options: Pick<ReadOptions, "columns" | "values" | "status_values" | "date_order">;
}

/** Posts whose keys are named. */
interface NamedPosts {
  readonly posts: readonly NamedPost[];
  readonly path: (index: number) => YamlPath;
  readonly defaults: NamedPost | undefined;
  readonly keys: PostKeys;
}

/** A key of posts, with its first place. */
interface SeenKey {
  readonly key: string;
  readonly at: YamlPath;
  readonly meaning: KeyMeaning;
}

/** What becomes of all keys of all posts, and the problems of those that have no use. */
export function accountForKeys(
  { document, options }: YamlSource,
  named: NamedPosts,
): { readonly account: CalendarAccount; readonly problems: readonly Problem[] } {
  const found = keysOf(document, named);
  const shared = valueAt(document.value, ["defaults"]);
  const numbers = new Map(found.map(({ key }, column) => [key, column]));
  const meanings = found.map(({ meaning }): ColumnMeaning =>
    meaning.kind === "rival" ? { ...meaning, winner: numbers.get(meaning.first) ?? 0 } : meaning,
  );
  const nameOf = (column: number): string => {
    const { at, key } = found[column] ?? { at: [], key: "" };
    return document.keyText(at, key);
  };
  const tally = new ColumnTally(
    {
      names: found.map((_each, column) => nameOf(column)),
      columns: { meanings, fields: meanings.map(fieldOf) },
      keyOf: nameOf,
      filters: new Set(found.flatMap(({ key }, column) => (named.keys.isKept(key) ? [column] : []))),
    },
    options,
  );
  for (const index of named.posts.keys()) {
    const post = valueAt(document.value, named.path(index));
    if (!isObject(post)) continue;
    tally.note(
      found.map(({ key, meaning }) => {
        const value = valueAt(post, [key]) ?? (meaning.kind === "used" ? valueAt(shared, [key]) : undefined);
        return cellText(value);
      }),
      named.posts[index]?.misshapen.length === 0,
    );
  }
  const account = tally.account();
  const places = {
    whole: document.at([]),
    of: (column: number) => {
      const { at, key } = found[column] ?? { at: [], key: "" };
      return document.keyAt(at, key);
    },
  };
  return {
    account,
    problems: [
      ...accountProblems(account, places, "key"),
      ...otherProblems(document, named, found),
      ...shapeProblems(document, named.posts),
    ],
  };
}

/** The keys of posts and their defaults in the order of the file. */
function keysOf(document: YamlDocument, { posts, path, defaults, keys }: NamedPosts): readonly SeenKey[] {
  const found = new Map<string, SeenKey>();
  const all = [
    ...posts.map((_post, index) => path(index)),
    ...(defaults === undefined ? [] : [["defaults"] as YamlPath]),
  ];
  for (const at of all) {
    const post = valueAt(document.value, at);
    if (!isObject(post)) continue;
    for (const [key, meaning] of keys.of(post)) {
      const known = found.get(key);
      // A key that has a use in one post may be a rival in another.
      if (known === undefined || (known.meaning.kind === "used" && meaning.kind === "rival"))
        found.set(key, { key, at, meaning });
    }
  }
  return [...found.values()].slice(0, MAX_COLUMNS);
}

function fieldOf(meaning: ColumnMeaning): Field | undefined {
  return meaning.kind === "used" && meaning.as.kind === "field" ? meaning.as.field : undefined;
}

/** A value as the cell of a table. A list or a mapping where a word belongs has an error of its own. */
function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  const cell = toCell(value);
  if (Array.isArray(value) && value.every((each) => typeof each === "string"))
    return [cell ?? ""].flat().join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Keys that the service cannot store, and keys that must not say yes. */
function otherProblems(
  document: YamlDocument,
  { posts, path, keys }: NamedPosts,
  found: readonly SeenKey[],
): Problem[] {
  return found.flatMap(({ key, at, meaning }): Problem[] => {
    const filled = [...posts.keys()].flatMap((index) => {
      const place = [...path(index), key];
      const value = toCell(valueAt(document.value, place));
      return saysMore(value) ? [{ place, value }] : [];
    });
    if (meaning.kind === "refuse")
      return filled.map(({ place, value }) => refusedCell(String(value), document.at(place)));
    if (meaning.kind !== "not_carried" || keys.isKept(key) || filled.length === 0) return [];
    const name = document.keyText(at, key);
    const message = `The service has no field for \`${name}\`, so plancast does not publish it (${filled.length === 1 ? "1 post" : `${formatNumber(filled.length)} posts`}). Put what you want to publish into the text, or set \`${yamlKey(name)}: ignore\` under \`columns:\` in plancast.yaml.`;
    return [problem("service/not-stored", message, document.keyAt(at, key))];
  });
}

/** Lists and mappings in place of a word, and alt texts in two places. */
function shapeProblems(document: YamlDocument, posts: readonly NamedPost[]): Problem[] {
  return posts.flatMap(({ misshapen, altTwice }) => [
    ...misshapen.map((path) => {
      const what = Array.isArray(valueAt(document.value, path)) ? "a list" : "a mapping";
      const message = `\`${document.keyText(path.slice(0, -1), String(path.at(-1)))}\` must be one word, such as yes or no, but it is ${what}. Write the word, or set the key to \`ignore\` under \`columns:\` in plancast.yaml.`;
      return problem("calendar/shape", message, document.at(path));
    }),
    ...altTwice.map((path) => problem("row/value-twice", ALT_TWICE, document.at(path))),
  ]);
}

const ALT_TWICE =
  "The post has alt texts in `alt` and beside its media. Keep one of them, so that it is clear which text counts.";

/** Whether a cell asks for something: it is neither blank nor no. */
function saysMore(value: Cell | undefined): boolean {
  if (value === undefined || (typeof value === "string" && isBlank(value))) return false;
  return typeof value !== "string" || yesOrNo(value) !== false;
}
