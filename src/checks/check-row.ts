/** Checks one ready row: turns it into as few posts as possible, or reports its faults. */

import { hash } from "node:crypto";
import { shellArgument } from "../model/command-line.ts";
import { canonicalContent, utcTime } from "../model/canonical.ts";
import { type Post, DERIVED_KEY_PREFIX } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import type { RawRow } from "../model/row.ts";
import type { Field } from "../model/fields.ts";
import { type RowView, readMediaCell } from "./row-view.ts";
import type { Aliases, ReadPlatforms } from "./platforms.ts";
import { type DateOrders, dueTime } from "./schedule.ts";
import { rowsByPlatform } from "./variants.ts";

export interface CheckedRow {
  /** Empty if the problems include an error. */
  readonly posts: readonly Post[];
  readonly problems: readonly Problem[];
}

export interface PlatformNames {
  readonly aliases: Aliases;
  readonly read: ReadPlatforms;
}

export function checkRow(row: RowView, { aliases, read }: PlatformNames, orders: DateOrders): CheckedRow {
  const problems: Problem[] = [];
  const id = idOf(row, problems);
  const platforms = read(row);
  if (row.row.variants.length === 0 || platforms.names.length === 0) {
    const said = readRowBody(row, orders, problems);
    problems.push(...platforms.problems);
    if (said === undefined || problems.length > 0) return { posts: [], problems };
    return { posts: [toPost(said, platforms.names, id)], problems };
  }
  problems.push(...platforms.problems);
  const seen = rowsByPlatform(row.row, platforms.names, aliases);
  const all = seen.rows.map(({ row: own, ...rest }) => ({
    ...rest,
    said: readRowBody(row.as(own), orders, problems),
  }));
  if (problems.length > 0) return { posts: [], problems: [...deduplicate(problems), ...seen.problems] };
  if (seen.problems.some(({ severity }) => severity === "error"))
    return { posts: [], problems: seen.problems };
  const posts = mergeSameBodies(all).map((group) => toPost(group, group.platforms, postKey(group, id)));
  return { posts, problems: seen.problems };
}

/** The content of a row for all its platforms. */
interface RowBody extends Pick<Post, "content" | "scheduledAt" | "media"> {
  readonly row: RawRow;
}

/** Undefined if there are problems, which are added to `problems`. */
function readRowBody(row: RowView, orders: DateOrders, problems: Problem[]): RowBody | undefined {
  const before = problems.length;
  const due = dueTime(row, orders);
  if ("problem" in due) problems.push(due.problem);
  const media = readMediaCell(row);
  problems.push(...media.problems);
  const content = canonicalContent(row.value("content")?.written ?? "");
  const isWaiting = isUndrafted(row, problems);
  if (!isWaiting && content === "" && media.references.length === 0 && media.problems.length === 0) {
    const message = "The row has no text and no media. Fill in content, or mark the row as draft or skip.";
    problems.push(problem("row/missing-field", message, row.at("content")));
  }
  if (problems.length > before || "problem" in due) return undefined;
  return { row: row.row, content, scheduledAt: utcTime(due.ms), media: media.references };
}

/** What a row asks `plancast draft` for, and the field for the result. */
const PROMPT_FIELDS = [
  { prompt: "prompt", wanted: "content", what: "text" },
  { prompt: "image_prompt", wanted: "media", what: "picture" },
] as const;

/** Whether the row asks for something that is still missing. Adds a problem for each missing part. */
function isUndrafted(row: RowView, problems: Problem[]): boolean {
  const before = problems.length;
  for (const { prompt, wanted, what } of PROMPT_FIELDS) {
    const asked = row.value(prompt);
    if (asked === undefined || row.value(wanted) !== undefined) continue;
    const message =
      `The row has a prompt but no ${what} yet. Run \`plancast draft ${shellArgument(row.row.file)}\`, ` +
      `fill in ${wanted} yourself, or mark the row as draft or skip.`;
    problems.push(problem("row/not-drafted", message, asked.at()));
  }
  return problems.length > before;
}

interface BodyForPlatforms extends RowBody {
  readonly platforms: readonly string[];
  readonly isOwn?: boolean;
}

/** Platforms with the same content share one post. The row's own comes first. */
function mergeSameBodies(
  all: readonly { platforms: readonly string[]; isOwn: boolean; said: RowBody | undefined }[],
): BodyForPlatforms[] {
  const found = new Map<string, BodyForPlatforms>();
  for (const { platforms, isOwn, said } of all) {
    if (said === undefined) continue;
    const mark = JSON.stringify([said.content, said.scheduledAt, said.media]);
    const same = found.get(mark);
    if (same === undefined) found.set(mark, { ...said, platforms, isOwn });
    else found.set(mark, { ...same, platforms: [...same.platforms, ...platforms].sort() });
  }
  return [...found.values()];
}

/** The row's id is that of what it says for all; what one platform has of its own adds that platform's name. */
function postKey({ platforms, isOwn }: BodyForPlatforms, id: string | undefined): string | undefined {
  return id === undefined || isOwn !== true ? id : `${id}@${platforms[0] ?? ""}`;
}

/** Rows for several platforms repeat the faults of their shared parts. */
function deduplicate(problems: readonly Problem[]): Problem[] {
  const found = new Map(problems.map((each) => [JSON.stringify(each), each]));
  return [...found.values()];
}

function toPost(
  { row, content, scheduledAt, media }: RowBody,
  platforms: readonly string[],
  id: string | undefined,
): Post {
  return {
    key: id ?? derivedKey({ content, platforms, scheduledAt, media }),
    source: row,
    at: (field, item) => row.at(fieldAsWritten(field, row), item),
    content,
    platforms,
    scheduledAt,
    media,
  };
}

/** The key of a row without an id: derived from its content, so that it stays the same when the row moves. */
function derivedKey({
  content,
  platforms,
  scheduledAt,
  media,
}: Pick<Post, "content" | "platforms" | "scheduledAt" | "media">): string {
  const said = [content, platforms, scheduledAt, content === "" ? media : []];
  return `${DERIVED_KEY_PREFIX}${hash("sha256", JSON.stringify(said)).slice(0, 16)}`;
}

/** A row with separate date and time has its time there. */
function fieldAsWritten(field: Field | undefined, { cells }: RawRow): Field | undefined {
  return field === "scheduled_at" && cells.scheduled_at === undefined ? "date" : field;
}

// oxlint-disable-next-line no-control-regex
const PRINTABLE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,200}$/u;

/** The one name that is not a normal property of a JavaScript object. */
const UNUSABLE_ID = "__proto__";

function idOf(row: RowView, problems: Problem[]): string | undefined {
  const id = row.own("id");
  if (id === undefined) return undefined;
  const text = id.text.normalize("NFC");
  if (!PRINTABLE.test(text) || text.startsWith(DERIVED_KEY_PREFIX) || text === UNUSABLE_ID) {
    const message = `An id must be one line of at most 200 characters. It must not start with "${DERIVED_KEY_PREFIX}" and must not be "${UNUSABLE_ID}".`;
    problems.push(problem("row/id", message, id.at()));
  }
  return text;
}
