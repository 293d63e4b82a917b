/**
 * Help with `service.shape` for answers that plancast cannot read: their paths with masked values, and lines to paste,
 * in which a person replaces each `fill in...`. It guesses nothing. Pure.
 */

import { isDeepStrictEqual } from "node:util";
import { blockText } from "../calendars/formats/yaml/write-yaml.ts";
import { isoInstant } from "../model/canonical.ts";
import { escapeTerminal } from "../report/text/escape.ts";
import { plural } from "../report/text/numbers.ts";
import { unlessFailure } from "../model/failure.ts";
import { isObject } from "../model/data.ts";
import type { Page } from "../service/answers/list-page.ts";
import { platformName } from "../service/answers/other-records.ts";
import { isAboutPages, isNextAddress, paginationHints } from "../service/answers/paging.ts";
import { decodePost, statusMeaning } from "../service/answers/post.ts";
import { decodeId, itemsIn, recordOf } from "../service/answers/record.ts";
import { applyMapping } from "../service/answers/response-mapping.ts";
import { bodyOf } from "../service/http/refusal.ts";
import type { HttpAnswer } from "../service/http/request.ts";
import type { Json } from "../service/records.ts";
import { type ResponseMapping, pathText, stepsOf, valueAtPath } from "../settings/response-mapping.ts";
import { type Facts, type ServiceFacts, isUnreadable, checkedPage } from "./check.ts";

/** Invalid as a path, a query parameter or a status, so plancast.yaml is refused until all are replaced. */
const PLACEHOLDER = "fill in...";

interface MappingHelp {
  /** The project's `service.shape`, with placeholders for what is missing. */
  readonly shape: Json;
  /** What to do with the snippet; ends with a colon. */
  readonly advice: string;
  /** The paths as comments, then the lines for plancast.yaml. */
  readonly snippet: string;
}

/** Undefined if `service.shape` would not help: everything is readable, or no answer holds a record. */
export function mappingHelp({ service }: Facts): MappingHelp | undefined {
  if (service === undefined) return undefined;
  const said = { ...service.settings.shape };
  const missing = missingParts(service);
  const shape = missing.reduce<Json>((all, { add }) => merged(all, add), said);
  if (isDeepStrictEqual(shape, said)) return undefined;
  const paths = missing.flatMap(({ title, shown }) =>
    title === undefined ? [] : [`# ${title}:`, ...maskedPaths(shown).map((line) => `#   ${line}`)],
  );
  const legend =
    paths.length === 0
      ? []
      : ["# Values are hidden. [0] is the first item of a list: leave it out of paths."];
  return {
    shape,
    advice: `Replace each \`${PLACEHOLDER}\`, and delete lines for fields that the service does not have. Then put \`shape\` under \`service\` in plancast.yaml, replacing any that is there, and run doctor again:`,
    snippet: [...legend, ...paths, withComments(blockText({ service: { shape } }))].join("\n"),
  };
}

function merged(one: Json, other: Json): Json {
  const both = Object.entries(other).map(([key, value]) => {
    const before = one[key];
    return [key, isObject(before) && isObject(value) ? merged(before, value) : value];
  });
  return { ...one, ...Object.fromEntries(both) };
}

const COMMENTS = new Map([
  ["list", "the path of the list, up to its [0]"],
  ["record", "the path of the record"],
  ["next_as", "the query parameter for the cursor, from the service's documentation"],
  ["id", "the path of its id, in a record"],
  ["scheduled_at", "the path of the time at which it is due"],
  ["platforms", "the path of its networks' names"],
  ["content", "the path of its text"],
  ["status", "the path of its status"],
  ["media", "the path of its media's ids"],
  ["platform", "the path of its network"],
]);

function withComments(lines: string): string {
  return lines.replaceAll(/^ *(\S.*): fill in\.\.\.$/gm, (line, name: string) => {
    return `${line} # ${COMMENTS.get(name) ?? "scheduled, published, cancelled, failed or draft"}`;
  });
}

/** What `service.shape` has to say, and where a person finds it: a part of an answer with its title. */
interface Missing {
  readonly add: Json;
  readonly title?: string;
  readonly shown?: unknown;
}

const KINDS = ["post", "platform"] as const;
type Kind = (typeof KINDS)[number];
const FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  post: ["id", "scheduled_at", "platforms", "content", "status", "media"],
  platform: ["platform"],
};
/** Many services leave these out, so they appear only together with others. */
const OPTIONAL = ["status", "media"];
const SINGLE = /\/v1\/posts\/[^/]+$/;

function missingParts(service: ServiceFacts): readonly Missing[] {
  const { shape } = service.settings;
  const single = firstAnswer(service, SINGLE);
  const record =
    single && unlessFailure(() => recordOf(applyMapping(single, shape, "/posts/id", "record"), ""));
  const lists = KINDS.flatMap((kind): readonly ListAnswer[] => {
    const path = `/${kind}s`;
    const answer = firstAnswer(service, new RegExp(String.raw`/v1${path}\?`));
    if (answer === undefined) return [];
    const page = checkedPage(answer, shape, path);
    const others = kind === "post" && record !== undefined ? [record] : [];
    const records = [...(page?.items ?? []), ...others].filter(isObject);
    return [{ kind, title: `GET /v1${path}`, answer, page, records }];
  });
  const isNoneFound = lists.every(({ page }) => page === undefined);
  const missing = lists.flatMap((list) => missingInList(list, shape, isNoneFound));
  if (single === undefined || record !== undefined || !isUnreadable(service.single)) return missing;
  const place = placeholders(["record"]);
  const add = shape?.post?.record === undefined ? place : { post: place };
  return [...missing, { add, title: "The answer to GET /v1/posts/{id}", shown: bodyOf(single) }];
}

/** An answer to a list, and what plancast can read in it. */
interface ListAnswer {
  readonly kind: Kind;
  readonly title: string;
  readonly answer: HttpAnswer;
  /** Undefined if the list was not found. */
  readonly page: Page | undefined;
  readonly records: readonly Json[];
}

/** @param isNoneFound whether all lists may be at one unknown path */
function missingInList(
  { kind, title, answer, page, records }: ListAnswer,
  shape: ResponseMapping | undefined,
  isNoneFound: boolean,
): readonly Missing[] {
  const body = bodyOf(answer);
  const said = shape?.[kind] ?? {};
  if (page === undefined) {
    // Without a record in it, nobody can know which list it is.
    if (!maskedPaths(body).some((line) => line.includes("[0]."))) return [];
    const [list, all] = [placeholders(["list"]), placeholders(FIELDS[kind])];
    const isForAll = isNoneFound && said.list === undefined;
    const add = isForAll ? { ...list, [kind]: all } : { [kind]: { ...list, ...all } };
    return [{ add, title: `The answer to ${title}`, shown: body }];
  }
  const others = kind === "post" ? [{ add: { ...statusesIn(records), ...pagingOf(answer, page) } }] : [];
  const fields = FIELDS[kind].filter((field) => isMissing(field, records, said));
  if (fields.every((field) => OPTIONAL.includes(field))) return others;
  const place = said.list ?? shape?.list;
  // Keys of the body: decoding adds the names that it looks for.
  const items = place === undefined ? itemsIn(body) : valueAtPath(body, stepsOf(place));
  const shown: unknown = Array.isArray(items) ? items[0] : undefined;
  return [{ add: { [kind]: placeholders(fields) }, title: `The first record of ${title}`, shown }, ...others];
}

function placeholders(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, PLACEHOLDER]));
}

function firstAnswer({ exchanges }: ServiceFacts, path: RegExp): HttpAnswer | undefined {
  const found = exchanges.find((each) => path.test(each.path))?.result;
  return found?.kind === "answer" && found.status < 300 ? found : undefined;
}

/**
 * Whether a field is unreadable in some record, or missing in all. Optional fields may be missing, unless the project
 * names them.
 */
function isMissing(field: string, records: readonly Json[], said: object): boolean {
  if (records.length === 0) return false;
  const values = records.map((record) => unlessFailure(() => ({ value: readField(field, record) })));
  const mayBeAbsent = OPTIONAL.includes(field) && Object.hasOwn(said, field);
  return values.includes(undefined) || (!mayBeAbsent && values.every((each) => each?.value === undefined));
}

/** One field of a record. Throws a Failure if it exists and cannot be read, whatever the state of other fields. */
function readField(field: string, record: Json): unknown {
  if (field === "id") return decodeId(record, "");
  if (field === "platform") return platformName(record);
  const name = field === "media" ? "media_ids" : field;
  if (!Object.hasOwn(record, name)) return undefined;
  const { post, status } = decodePost({ [name]: record[name], id: "any" }, "");
  const { content, platforms, scheduledAt, mediaIds } = post;
  return status ?? content ?? platforms ?? scheduledAt ?? mediaIds;
}

/** At most five unknown status words in these records. */
export function unknownStatuses(records: readonly unknown[]): readonly string[] {
  const words = records.filter(isObject).map((record) => unlessFailure(() => readField("status", record)));
  return [...new Set(words)]
    .filter((word) => typeof word === "string" && /^[\p{L}\p{N}_ -]{1,40}$/u.test(word))
    .map(String)
    .filter((word) => statusMeaning(word) === undefined)
    .slice(0, 5);
}

function statusesIn(records: readonly Json[]): Json {
  const words = unknownStatuses(records);
  return words.length === 0 ? {} : { status: placeholders(words) };
}

function isPlain(path: readonly string[]): boolean {
  return path.every((name) => name === escapeTerminal(name));
}

/** Paths of the next page and the total that plancast does not find automatically. */
function pagingOf(answer: HttpAnswer, { next, total, items }: Page): Json {
  const isWhole = next.kind === "unsaid" && total !== undefined && total <= items.length;
  if (isWhole || !["unsaid", "unfollowable"].includes(next.kind)) return {};
  const hints = paginationHints(answer, items.length);
  const nextPath = hints.find(
    ({ kind, path }) => kind === "next" && path !== undefined && isPlain(path),
  )?.path;
  const isCursor = nextPath !== undefined && !isNextAddress(valueAtPath(bodyOf(answer), nextPath));
  // Only a number next to other paging fields: another one may count something else, and a wrong total stops every run.
  const totalPath = hints.find(
    ({ kind, path = [] }) => kind === "total" && isAboutPages(path) && isPlain(path),
  )?.path;
  return {
    ...(nextPath !== undefined && { next: pathText(nextPath) }),
    ...(isCursor && placeholders(["next_as"])),
    ...(totalPath !== undefined && total === undefined && { total: pathText(totalPath) }),
  };
}

const MAX_DEPTH = 10;
const MAX_LINES = 80;

/** The paths of an answer, each with the form of its value. Only the first item of lists. Safe to print. */
function maskedPaths(value: unknown): readonly string[] {
  const lines: string[] = [];
  for (const line of pathsIn(value, "", 0)) {
    if (lines.length === MAX_LINES) return [...lines, "and more"];
    lines.push(line);
  }
  return lines;
}

function* pathsIn(value: unknown, path: string, depth: number): Generator<string> {
  const inner: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.slice(0, 1).map((each: unknown) => [`${path}[0]`, each])
    : isObject(value)
      ? Object.entries(value).map(([name, each]) => [
          `${path}${path === "" ? "" : "."}${escapeTerminal(pathText([name])).slice(0, 80)}`,
          each,
        ])
      : [];
  if (inner.length === 0 || depth === MAX_DEPTH) yield `${path}: ${masked(value)}`;
  else for (const [below, each] of inner) yield* pathsIn(each, below, depth + 1);
}

/** The type and the length of a value. For a text, shows at most its first character. */
function masked(value: unknown): string {
  if (typeof value === "number") return `number (${plural(String(value).length, "character")})`;
  if (typeof value === "boolean") return "true or false";
  if (typeof value !== "string") return Array.isArray(value) ? "list" : isObject(value) ? "object" : "null";
  if (isoInstant(value, "Z") !== undefined) return "a time";
  const kind = /^\p{L}+$/u.test(value) ? "letter" : "character";
  const first = value.length > 1 ? escapeTerminal(String.fromCodePoint(value.codePointAt(0) ?? 0)) : "";
  return `"${first}…" (${plural(value.length, kind)})`;
}
