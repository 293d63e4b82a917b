/** Reads calendars with the answers so far, and finds what is left to answer. Writes nothing. */

import { isOnlyName } from "../../checks/networks/network-names.ts";
import { aliasesOf } from "../../checks/platforms.ts";
import { type UnplannedRow, validate } from "../../checks/validate.ts";
import { isSameZone } from "../../checks/when/zone-names.ts";
import { foldersOfMissing } from "../../media/resolve-media.ts";
import type { ColumnAccount } from "../../model/column-account.ts";
import { groupBy } from "../../model/data.ts";
import type { Field } from "../../model/fields.ts";
import type { Post } from "../../model/post.ts";
import type { Position, Problem } from "../../model/problem.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import type { Config, ProjectSettings } from "../../settings/config.ts";
import { readCalendar } from "../read-calendar.ts";
import { SELECT_ALL, selectCalendars } from "../select.ts";
import { zoneInHeader, zonesOf } from "../columns/header-notes.ts";
import { columnTable } from "./column-table.ts";
import { type ProposalTable, mergeSettings } from "./proposal.ts";
import { fileTable, readingTable } from "./reading-tables.ts";
import { type SheetNotes, sheetNotes } from "./sheet-notes.ts";
import { valueTable } from "./value-tables.ts";

/** What a proposal is made for. */
export interface ProposalSource {
  readonly root: string;
  /** What plancast.yaml says before the first answer, with its calendars. */
  readonly given: ProjectSettings;
  /** What settings mean in this project. */
  readonly configOf: (settings: ProjectSettings) => Config;
  /** The time zone of this machine, if nobody has named the zone of the calendars. */
  readonly machine: { readonly zone: string; readonly from: string } | undefined;
  /** Whether the proposal is for a new project, which can get a name. */
  readonly isNew: boolean;
  /** Whether the pictures of the calendars are in this folder. */
  readonly hasPictures: boolean;
}

/** Calendars as the project would read them with the answers so far. */
export interface ProposalReading {
  readonly settings: ProjectSettings;
  readonly config: Config;
  readonly calendars: readonly Calendar[];
  readonly posts: readonly Post[];
  /** Drafts and skipped rows. */
  readonly leftOut: readonly LeftOutRow[];
  readonly problems: readonly Problem[];
  /** What somebody may answer, in this order. */
  readonly tables: readonly ProposalTable[];
}

/** A row that its status takes out of the plan. */
export interface LeftOutRow {
  readonly at: Pick<Position, "line" | "cell">;
  /** The text of its status; undefined if it has none. */
  readonly word: string | undefined;
  readonly status: "draft" | "skip";
}

/** @throws Failure if a calendar cannot be read */
export async function readProposal(
  source: ProposalSource,
  answers: ProjectSettings,
): Promise<ProposalReading> {
  const settings = mergeSettings(source.given, answers);
  // Without a zone, no row has a time, and nothing else can be found out about it.
  const config = source.configOf(
    mergeSettings(source.machine === undefined ? {} : { timezone: source.machine.zone }, settings),
  );
  const { calendars, problems: ofFiles } = await selectCalendars(
    { root: source.root, config },
    SELECT_ALL,
    source.root,
  );
  const { posts, problems: wrong, skippedRows } = validate(calendars, config);
  const problems = [...ofFiles, ...calendars.flatMap((each) => each.problems), ...wrong];
  const accounts = calendars.flatMap(({ account }) => account ?? []);
  const tables = [
    fileTable(problems),
    columnTable(calendars),
    valueTable(accounts, problems, unsureNetworks(posts, config)),
    readingTable(problems, await factsOf(source, calendars, config, posts)),
  ].filter((table) => table !== undefined);
  return {
    settings,
    config,
    calendars,
    posts,
    leftOut: leftOutRows(calendars, skippedRows),
    problems,
    tables,
  };
}

/** Networks to which few services publish, and about which the project says nothing, with the number of their posts. */
function unsureNetworks(posts: readonly Post[], config: Config): ReadonlyMap<string, number> {
  const said = aliasesOf(config).targets;
  const named = posts.flatMap(({ platforms }) =>
    platforms.filter((name) => isOnlyName(name) && !said.has(name)),
  );
  return new Map([...groupBy(named, (name) => name)].map(([name, all]) => [name, all.length]));
}

function leftOutRows(calendars: readonly Calendar[], skipped: readonly UnplannedRow[]): LeftOutRow[] {
  const rows = calendars.flatMap((each) => each.rows);
  const cellsOf = new Map<UnplannedRow["row"], (typeof rows)[number]["cells"]>(
    rows.map((row) => [row, row.cells]),
  );
  return skipped.map(({ row, status }) => {
    const word = [cellsOf.get(row)?.status ?? []].flat().join(", ");
    return { at: row.at(), word: word === "" || word === status ? undefined : word, status };
  });
}

async function factsOf(
  { root, given, machine, isNew, hasPictures }: ProposalSource,
  calendars: readonly Calendar[],
  { media }: Config,
  posts: readonly Post[],
): Promise<Parameters<typeof readingTable>[1]> {
  const notes: SheetNotes[] = [];
  for (const each of calendars) notes.push(await notesOf(root, each));
  const inHeaders = calendars.flatMap(({ notes: { zone } = {} }) =>
    zone === undefined ? [] : [{ zone: zone.name, from: `the header "${zone.header}"`, isSaid: true }],
  );
  const inNotes = notes.flatMap(({ zone }) =>
    (zone?.zones ?? []).map((each) => ({ zone: each, from: `the note "${zone?.text ?? ""}"`, isSaid: true })),
  );
  const unclear = calendars.flatMap(({ account }) => account?.columns.flatMap(unclearZones) ?? []);
  const named = given["timezone"];
  const isContradicted =
    isNew && typeof named === "string" && inNotes.some(({ zone }) => !isSameZone(zone, named));
  const own = isContradicted ? { zone: named, from: "--timezone" } : machine;
  const folders = hasPictures
    ? await foldersOfMissing(posts, { root, folders: media.folders })
    : new Map<string, number>();
  return {
    zones:
      own === undefined
        ? undefined
        : [
            ...inHeaders,
            ...inNotes,
            ...unclear.flatMap(({ zones, from }) => zones.map((zone) => ({ zone, from, isSaid: true }))),
            { ...own, isSaid: false },
          ],
    unclearZone: isContradicted
      ? [...inNotes.map(({ from }) => from), own?.from ?? ""]
      : inHeaders.length === 0
        ? unclear.map(({ from }) => from)
        : [],
    filled: new Set(calendars.flatMap(({ rows }) => rows.flatMap(({ cells }) => Object.keys(cells)))),
    title: isNew ? notes.find(({ title }) => title !== undefined)?.title : undefined,
    pictures:
      folders.size === 0
        ? undefined
        : { folders: [...folders.keys()], found: [...folders.values()].reduce((sum, each) => sum + each, 0) },
  };
}

/** What a header such as `Time (EST)` or `Time (HQ)` may mean, if that is not one zone. */
function unclearZones({
  name,
  use,
}: ColumnAccount): { readonly zones: readonly string[]; readonly from: string }[] {
  const note = use.kind === "used" && UNCLEAR_FIELDS.has(use.as.field) ? zoneInHeader(name) : undefined;
  if (note === undefined || note.kind === "exact") return [];
  return [{ zones: zonesOf(note), from: `the header "${name}"` }];
}

/** A name in brackets beside a date is rarely a zone. */
const UNCLEAR_FIELDS: ReadonlySet<Field> = new Set<Field>(["time", "scheduled_at"]);

/** Records below the header that are searched for a note. */
const MOST_BELOW = 1_000;

/** What is written around a table. It is read again without a header, because no reader keeps these cells. */
async function notesOf(root: string, { file, table, settings }: Calendar): Promise<SheetNotes> {
  const above: (readonly string[])[] = [];
  const below: (readonly string[])[] = [];
  const row = [table?.headerRow.value ?? "none"].flat().at(-1);
  if (typeof row !== "number") return { title: undefined, zone: undefined };
  const sheet = table?.sheet?.value ?? settings.sheet;
  await readCalendar(root, file, {
    ...settings,
    ...(sheet === undefined ? {} : { sheet }),
    columns: {},
    header_row: "none",
    eachRow: (cells, line) => {
      if (line < row) above.push(cells);
      else if (line > row && below.length < MOST_BELOW) below.push(cells);
    },
  });
  return sheetNotes(above, below);
}
