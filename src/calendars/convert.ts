/**
 * Writes a calendar in another format. Before the result is saved, it is read again, with the settings for the new
 * file, and must give the same posts. So converting never changes a calendar.
 */

import { posix } from "node:path";
import { type Aliases, identify } from "../checks/networks/network-names.ts";
import { aliasesOf } from "../checks/platforms.ts";
import { optionReferences, readMediaCell } from "../checks/media-cells.ts";
import { RowView } from "../checks/row-view.ts";
import { validate } from "../checks/validate.ts";
import { rowForVariant } from "../checks/variants.ts";
import { type MediaPlaces, mediaPlaces, relocateMediaPaths } from "../media/resolve-media.ts";
import { filledExtras } from "../model/extras.ts";
import { type Post, DERIVED_KEY_PREFIX } from "../model/post.ts";
import { type Problem, problem } from "../model/problem.ts";
import type { Cell } from "../model/row.ts";
import { filterColumns } from "../model/row-filter.ts";
import { compareText, foldName, sameList } from "../model/text.ts";
import type { Calendar, CalendarSettings } from "../settings/calendar-settings.ts";
import type { Config, Project } from "../settings/config.ts";
import { readContents } from "./read-calendar.ts";
import { lostColumns, withUnusedColumns } from "./unused-columns.ts";
import { type WriteFormatName, FORMATS } from "./all-formats.ts";
import { postFileName } from "./formats/md/write-post-file.ts";
import { platformsToOffer, rowsToWrite } from "./rows-to-write.ts";
import {
  type WriteFault,
  type WrittenRow,
  type WrittenSheet,
  isKept,
  splitColumn,
} from "./formats/written-row.ts";

/** The file to write. */
export interface TargetFile {
  /** Relative to the project root, with `/`; it need not exist yet. */
  readonly file: string;
  /** The settings for reading it. */
  readonly settings: CalendarSettings;
  readonly format: WriteFormatName;
}

export type ConvertResult =
  | { readonly contents: string | Uint8Array; readonly rows: number; readonly warnings: readonly Problem[] }
  | { readonly problems: readonly Problem[] };

/** The rows of a calendar, ready for the new file. */
interface Source {
  readonly calendar: Calendar;
  readonly rows: readonly WrittenRow[];
  readonly mediaName: (path: string) => string;
}

/**
 * Calendars into one file. They must be readable: rows with errors are copied as they are. Columns without a use are
 * kept if the posts stay the same; otherwise `warnings` name them.
 */
export async function convertCalendars(
  project: Project,
  calendars: readonly Calendar[],
  target: TargetFile,
): Promise<ConvertResult> {
  const all = await Promise.all(
    calendars.map(async (each) => withUnusedColumns(project.root, each, target.settings)),
  );
  const kept = new Map(all.flatMap((each) => each.kept.map((name) => [foldName(name), name])));
  const full =
    kept.size === 0
      ? undefined
      : await convert(
          project,
          all.map(({ calendar }) => calendar),
          target,
          [...kept.values()],
        );
  if (full !== undefined && "contents" in full) return { ...full, warnings: lostColumns(all, true) };
  const bare = await convert(project, calendars, target, []);
  return "contents" in bare ? { ...bare, warnings: lostColumns(all, false) } : bare;
}

type Converted =
  Omit<Extract<ConvertResult, { contents: unknown }>, "warnings"> | { readonly problems: readonly Problem[] };

/** @param kept columns without a use that are written too */
async function convert(
  project: Project,
  calendars: readonly Calendar[],
  target: TargetFile,
  kept: readonly string[],
): Promise<Converted> {
  const sources = await sourcesFor(
    mediaPlaces(project),
    calendars,
    posix.dirname(target.file),
    target.settings,
    kept,
  );
  const rows = sources.flatMap((source) => source.rows);
  const sheets = sheetsToWrite(calendars, target.settings, rows);
  const { config } = project;
  const options = { platforms: platformsToOffer(config, rows), ...(sheets === undefined ? {} : { sheets }) };
  const written = await FORMATS[target.format].write(rows, options);
  if ("faults" in written) {
    return { problems: written.faults.map((fault) => unwritableProblem(fault, calendars)) };
  }
  const back = await readBack(written.contents, target, kept);
  const wrong = difference(sources, [back], config, kept);
  if (wrong !== undefined) return { problems: [wrong] };
  return { contents: written.contents, rows: rows.length };
}

/** A file with one post. */
interface PostFile {
  /** Relative to the project root, with `/`. */
  readonly file: string;
  readonly contents: string | Uint8Array;
}

export type PostFilesResult =
  | { readonly files: readonly PostFile[]; readonly warnings: readonly Problem[] }
  | { readonly problems: readonly Problem[] };

/**
 * Calendars into one file for each row.
 * @param folder for the files, relative to the project root, with `/`
 * @param settingsOf how a file there would be read
 */
export async function convertToPostFiles(
  project: Project,
  calendars: readonly Calendar[],
  {
    folder,
    format,
    settingsOf,
  }: { folder: string; format: WriteFormatName; settingsOf: (file: string) => CalendarSettings },
): Promise<PostFilesResult> {
  const { root, config } = project;
  const [extension] = FORMATS[format].extensions;
  const settings = settingsOf(posix.join(folder, `post.${extension}`));
  const sources = await sourcesFor(mediaPlaces(project), calendars, folder, settings);
  const rows = sources.flatMap((source) => source.rows);
  const names = namesInOrder(rows, calendars, config);
  const files: PostFile[] = [];
  const back: Calendar[] = [];
  const problems: Problem[] = [];
  for (const [index, row] of rows.entries()) {
    const written = await FORMATS[format].write([row], { platforms: [] });
    if ("faults" in written) {
      problems.push(...written.faults.map((fault) => unwritableProblem({ ...fault, row: index }, calendars)));
      continue;
    }
    const file = posix.join(folder, `${names[index] ?? ""}.${extension}`);
    files.push({ file, contents: written.contents });
    back.push(await readBack(written.contents, { file, settings: settingsOf(file), format }));
  }
  const wrong = problems.length > 0 ? undefined : difference(sources, back, config);
  if (problems.length > 0 || wrong !== undefined)
    return { problems: wrong === undefined ? problems : [wrong] };
  const all = await Promise.all(calendars.map(async (each) => withUnusedColumns(root, each, settings)));
  return { files, warnings: lostColumns(all, false) };
}

/** Names for the files of rows. If rows take free slots, plancast must read the files in the order of the rows. */
function namesInOrder(
  rows: readonly WrittenRow[],
  calendars: readonly Calendar[],
  config: Config,
): readonly string[] {
  const names = distinctNames(rows.map(postFileName));
  const takesSlots = (calendar: Calendar): boolean =>
    validate([calendar], config).posts.some(({ slot }) => slot !== undefined);
  if (sameList(names, names.toSorted()) || !calendars.some(takesSlots)) return names;
  const digits = String(names.length).length;
  return names.map((name, index) => `${String(index + 1).padStart(digits, "0")}-${name}`);
}

/** The names, with a number where a name is there already. Upper and lower case do not distinguish files everywhere. */
function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  return names.map((name) => {
    let free = name;
    for (let number = numbers.get(name) ?? 2; taken.has(free.toLowerCase()); number += 1) {
      free = `${name}-${number}`;
      numbers.set(name, number + 1);
    }
    taken.add(free.toLowerCase());
    return free;
  });
}

async function sourcesFor(
  places: MediaPlaces,
  calendars: readonly Calendar[],
  folder: string,
  target: CalendarSettings,
  kept: readonly string[] = [],
): Promise<readonly Source[]> {
  return Promise.all(
    calendars.map(async (calendar) => {
      const folders = { from: posix.dirname(calendar.file), to: folder };
      const mediaName = await relocateMediaPaths(places, folders, pathsIn(calendar));
      return { calendar, rows: rowsToWrite({ calendar, target, mediaName, kept }), mediaName };
    }),
  );
}

/** The sheets that `sheet:` names for the written workbook, each with its rows; undefined if it names none. */
function sheetsToWrite(
  calendars: readonly Calendar[],
  { sheet }: CalendarSettings,
  rows: readonly WrittenRow[],
): readonly WrittenSheet[] | undefined {
  if (sheet === undefined) return undefined;
  const from = calendars.flatMap((calendar) => calendar.rows);
  const own = from.flatMap((row) => row.sheet ?? []);
  const names = sheet === "*" ? [...new Set(own)] : [sheet].flat();
  if (names.length === 0) return undefined;
  const places = from.map((row) => Math.max(0, names.indexOf(row.sheet ?? "")));
  return names.map((name, place) => ({ name, rows: rows.filter((_row, index) => places[index] === place) }));
}

/** @param row of all calendars together */
function unwritableProblem({ row, column, message }: WriteFault, calendars: readonly Calendar[]): Problem {
  const rows = calendars.flatMap((calendar) => calendar.rows);
  const { field, platform } = column === undefined || isKept(column) ? {} : splitColumn(column);
  const variant = rows[row]?.variants.find((each) => each.platform.trim().toLowerCase() === platform);
  const at = variant === undefined || field === undefined ? rows[row]?.at(field) : variant.at(field);
  return problem("write/unwritable", message, at ?? { file: calendars[0]?.file ?? "" });
}

function pathsIn(calendar: Calendar): readonly string[] {
  const rows = calendar.rows.flatMap((row) => [row, ...row.variants.map((each) => rowForVariant(row, each))]);
  const views = rows.map((row) => new RowView(row, calendar));
  const references = views.flatMap((view) => readMediaCell(view).references);
  const ofOptions = views.flatMap((view) => optionReferences(view.values.options?.items ?? []) ?? []);
  return [
    ...new Set([...references, ...ofOptions].flatMap((each) => (each.kind === "file" ? each.path : []))),
  ];
}

/** The result, read again. */
export async function readBack(
  contents: string | Uint8Array,
  { file, settings }: TargetFile,
  kept: readonly string[] = [],
): Promise<Calendar> {
  const bytes = typeof contents === "string" ? new TextEncoder().encode(contents) : contents;
  const keep = [...filterColumns([settings.only ?? {}]), ...kept.map(foldName)];
  return { ...(await readContents(file, bytes, { ...settings, keep })), settings };
}

/** The first difference between the result and its sources. */
function difference(
  sources: readonly Source[],
  back: readonly Calendar[],
  config: Config,
  kept: readonly string[] = [],
): Problem | undefined {
  const rows = sources.flatMap((source) => source.rows);
  const places = sources.flatMap(({ calendar }) => calendar.rows);
  const first = sources[0]?.calendar;
  const target = back[0];
  if (first === undefined || target === undefined) return undefined;
  const changed = sources.find(
    ({ calendar }) => JSON.stringify(calendar.settings.only) !== JSON.stringify(target.settings.only),
  );
  const unread = back.flatMap(({ problems }) => problems).find(({ severity }) => severity === "error");
  if (unread !== undefined)
    return changed === undefined
      ? notTheSameProblem(unread.file ?? target.file, unread.message, { file: first.file })
      : otherFilterProblem(target.file, changed.calendar.file);
  const again = back.flatMap((each) =>
    rowsToWrite({ calendar: each, target: each.settings, mediaName: (path) => path, kept }),
  );
  const aliases = aliasesOf(config);
  const index = rows.findIndex((row, at) => textOf(again[at], aliases) !== textOf(row, aliases));
  const wanted = sortPosts(
    sources.flatMap(({ calendar, mediaName }) => comparablePosts(calendar, config, mediaName)),
  );
  const found = sortPosts(back.flatMap((each) => comparablePosts(each, config, (path) => path)));
  const other = wanted.findIndex((each, at) => each.said !== found[at]?.said);
  if (index === -1 && other === -1 && rows.length === again.length && wanted.length === found.length)
    return undefined;
  if (changed !== undefined) return otherFilterProblem(target.file, changed.calendar.file);
  const place = index === -1 ? wanted[other]?.source : places[index];
  const { file, line } = place ?? { file: first.file, line: 1 };
  return notTheSameProblem(target.file, "A row would change its meaning.", { file, line });
}

/** The columns of a row have no order of their own, and a table may name a network in another way. */
function textOf(row: WrittenRow | undefined, aliases: Aliases): string {
  const cells = [...(row ?? [])].map(([name, cell]): [string, Cell] => {
    const { field, platform } = isKept(name) ? {} : splitColumn(name);
    return [
      platform === undefined || field === undefined ? name : `${field}:${identify(platform, aliases)}`,
      cell,
    ];
  });
  return JSON.stringify(cells.sort(([one], [other]) => compareText(one, other)));
}

function otherFilterProblem(target: string, file: string): Problem {
  const message =
    `plancast.yaml has other rows under \`only:\` for ${target} than for ${file}, so other posts would be scheduled. ` +
    `Set the same \`only:\` for ${target} under \`calendars:\`.`;
  return problem("write/unwritable", message, { file });
}

function notTheSameProblem(
  target: string,
  why: string,
  { file, line }: { readonly file: string; readonly line?: number },
): Problem {
  const message =
    `plancast would read different posts from ${target}: ${why} ` +
    "Perhaps plancast.yaml has settings for other files with that name: choose another name with --out.";
  return problem("write/unwritable", message, line === undefined ? { file } : { file, line });
}

/** The posts of a calendar in a comparable form. */
function comparablePosts(
  calendar: Calendar,
  config: Config,
  mediaName: (path: string) => string,
): readonly ComparablePost[] {
  return validate([calendar], config).posts.map((post) => ({
    said: JSON.stringify([
      keyOf(post),
      post.content,
      post.platforms,
      post.scheduledAt,
      mediaIn(post, mediaName),
      filledExtras(post),
    ]),
    source: post.source,
  }));
}

interface ComparablePost {
  readonly said: string;
  readonly source: Post["source"];
}

function sortPosts(posts: readonly ComparablePost[]): readonly ComparablePost[] {
  return posts.toSorted((one, other) => compareText(one.said, other.said));
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
