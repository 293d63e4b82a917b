/**
 * Writes a calendar in another format. Before the result is saved, it is read again, with the settings for the new
 * file, and must give the same posts. So converting never changes a calendar.
 */

import { posix } from "node:path";
import { RowView, readMediaCell } from "../checks/row-view.ts";
import { validate } from "../checks/validate.ts";
import { rowForVariant } from "../checks/variants.ts";
import { relocateMediaPaths } from "../media/find-media.ts";
import { type Post, DERIVED_KEY_PREFIX } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import { compareText } from "../model/text.ts";
import type { Calendar, CalendarSettings } from "../settings/calendar-settings.ts";
import type { Config, Project } from "../settings/config.ts";
import { readContents } from "./read-calendar.ts";
import { type WriteFormatName, WRITE_FORMATS, platformsToOffer } from "./write/formats.ts";
import { rowsToWrite } from "./write/rows-to-write.ts";
import { type WriteFault, type WrittenRow, splitColumn } from "./write/written-row.ts";

/** The file to write. */
export interface TargetFile {
  /** Relative to the project root, with `/`; it need not exist yet. */
  readonly file: string;
  /** The settings for reading it. */
  readonly settings: CalendarSettings;
  readonly format: WriteFormatName;
}

export type ConvertResult =
  | { readonly contents: string | Uint8Array; readonly rows: number }
  | { readonly problems: readonly Problem[] };

/** `calendar` must be readable: rows with errors are copied as they are. */
export async function convertCalendar(
  { root, config }: Project,
  calendar: Calendar,
  target: TargetFile,
): Promise<ConvertResult> {
  const folders = { from: posix.dirname(calendar.file), to: posix.dirname(target.file) };
  const mediaName = await relocateMediaPaths(root, folders, pathsIn(calendar));
  const rows = rowsToWrite({ calendar, target: target.settings, mediaName });
  const written = await WRITE_FORMATS[target.format].write(rows, { platforms: platformsToOffer(config, rows) });
  if ("faults" in written) {
    return { problems: written.faults.map((fault) => unwritableProblem(fault, calendar)) };
  }
  const back = await readBack(written.contents, target);
  const wrong = difference({ calendar, rows, mediaName }, back, config);
  if (wrong !== undefined) return { problems: [wrong] };
  return { contents: written.contents, rows: rows.length };
}

function unwritableProblem({ row, column, message }: WriteFault, { file, rows }: Calendar): Problem {
  const { field, platform } = column === undefined ? {} : splitColumn(column);
  const variant = rows[row]?.variants.find((each) => each.platform.trim().toLowerCase() === platform);
  const at = variant === undefined || field === undefined ? rows[row]?.at(field) : variant.at(field);
  return problem("write/unwritable", message, at ?? { file });
}

function pathsIn(calendar: Calendar): readonly string[] {
  const rows = calendar.rows.flatMap((row) => [row, ...row.variants.map((each) => rowForVariant(row, each))]);
  const references = rows.flatMap((row) => readMediaCell(new RowView(row, calendar)).references);
  return [...new Set(references.flatMap((each) => (each.kind === "file" ? each.path : [])))];
}

/** The result, read again. */
export async function readBack(
  contents: string | Uint8Array,
  { file, settings }: TargetFile,
): Promise<Calendar> {
  const bytes = typeof contents === "string" ? new TextEncoder().encode(contents) : contents;
  return { ...(await readContents(file, bytes, settings)), settings };
}

interface Source {
  readonly calendar: Calendar;
  readonly rows: readonly WrittenRow[];
  readonly mediaName: (path: string) => string;
}

/** The first difference between the result and its source. */
function difference(
  { calendar, rows, mediaName }: Source,
  back: Calendar,
  config: Config,
): Problem | undefined {
  const unread = back.problems.find(({ severity }) => severity === "error");
  if (unread !== undefined) return notTheSameProblem(back.file, unread.message, calendar.file);
  const again = rowsToWrite({ calendar: back, target: back.settings, mediaName: (path) => path });
  const index = rows.findIndex((row, at) => textOf(again[at]) !== textOf(row));
  const wanted = comparablePosts(calendar, config, mediaName);
  const found = comparablePosts(back, config, (path) => path);
  const other = wanted.findIndex((each, at) => each.said !== found[at]?.said);
  if (index === -1 && other === -1 && rows.length === back.rows.length && wanted.length === found.length)
    return undefined;
  const line = (index === -1 ? wanted[other]?.line : calendar.rows[index]?.line) ?? 1;
  return notTheSameProblem(back.file, "A row would change its meaning.", calendar.file, line);
}

/** The columns of a row have no order of their own. */
function textOf(row: WrittenRow | undefined): string {
  return row === undefined ? "" : JSON.stringify([...row].sort(([one], [other]) => compareText(one, other)));
}

function notTheSameProblem(target: string, why: string, file: string, line?: number): Problem {
  const message =
    `plancast would read different posts from ${target}: ${why} ` +
    "Perhaps plancast.yaml has settings for other files with that name: choose another name with --out.";
  return problem("write/not-the-same", message, line === undefined ? { file } : { file, line });
}

/** The posts of a calendar in a comparable form. The posts of one row have no order. */
function comparablePosts(
  calendar: Calendar,
  config: Config,
  mediaName: (path: string) => string,
): { readonly said: string; readonly line: number }[] {
  return validate([calendar], config)
    .posts.map((post) => ({
      said: JSON.stringify([
        keyOf(post),
        post.content,
        post.platforms,
        post.scheduledAt,
        mediaIn(post, mediaName),
      ]),
      line: post.source.line,
    }))
    .sort((one, other) => (one.said < other.said ? -1 : 1));
}

/**
 * Without id and text, a row's key comes from its media and changes with their names. The media are compared
 * separately.
 */
function keyOf({ key, content }: Post): string {
  return content === "" && key.startsWith(DERIVED_KEY_PREFIX) ? "" : key;
}

function mediaIn({ media }: Post, mediaName: (path: string) => string): readonly string[] {
  return media.map((each) =>
    each.kind === "file" ? posix.normalize(mediaName(each.path)) : each.kind === "id" ? each.id : each.url,
  );
}
