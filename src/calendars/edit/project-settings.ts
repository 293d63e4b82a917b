/**
 * Adds what plancast found out about calendars to plancast.yaml. The new text is parsed again and must mean the same,
 * plus the additions. Comments and layout stay.
 */

import { isDeepStrictEqual } from "node:util";
import { type YAMLSeq, isMap, isNode, isSeq } from "yaml";
import type { CalendarColumns, FoundSettings, ProjectFileEdit } from "../../model/columns.ts";
import { Failure } from "../../model/failure.ts";
import {
  type CalendarEntry,
  patternsOf,
  settingsOf,
  settingsShape,
} from "../../settings/calendar-settings.ts";
import type { Config, Project } from "../../settings/config.ts";
import { type FoundCalendars, patternFor } from "../find.ts";
import { parseProject } from "../project.ts";
import { calendarsOf, foundSettings, isEmptySettings, understandColumns } from "../understand-columns.ts";
import {
  addPairs,
  blockText,
  columnAt,
  endOf,
  endOfBlock,
  flowText,
  insertIntoFlow,
  insertLines,
  partsOf,
  startOf,
} from "./yaml-insert.ts";

/**
 * Adds the settings of calendars to the text of plancast.yaml. Throws a Failure if there is no place for them, or if
 * they would change anything else.
 * @param before the current text
 * @param answers what words of the status column mean, by calendar
 */
export async function addColumnSettings(
  project: Project,
  before: string,
  understood: readonly CalendarColumns[],
  answers: StatusAnswers = new Map(),
): Promise<ProjectFileEdit> {
  let after = before;
  const added: { readonly file: string; readonly settings: FoundSettings }[] = [];
  for (const each of understood) {
    // One after the other: each starts with the result of the previous one.
    const edit = await addOne(project, after, each, answers.get(each.file));
    if (edit === undefined) continue;
    after = edit.text;
    added.push({ file: each.file, settings: edit.settings });
  }
  return { file: project.file, before, after, added };
}

/**
 * Adds an account to the text of plancast.yaml. Throws a Failure if there is no place for it, and ProjectProblems if its
 * settings are not valid.
 */
export function addAccountSettings(
  { file, extended }: Project,
  before: string,
  name: string,
  settings: Readonly<Record<string, string>>,
): string {
  const hasAccounts = partsOf(before).get(["accounts"]) !== undefined;
  const after = hasAccounts
    ? addPairs(before, ["accounts"], { [name]: settings })
    : addPairs(before, [], { accounts: { [name]: settings } });
  const config = after === undefined ? undefined : parseProject(file, after, extended);
  const old = parseProject(file, before, extended);
  const { [name]: added, ...others } = config?.accounts ?? {};
  if (after !== undefined && added !== undefined && isDeepStrictEqual({ ...config, accounts: others }, old))
    return after;
  throw new Failure(
    "project/not-extended",
    `plancast cannot add the account ${name} to ${file} without changing something else. Nothing was written.`,
    `Add it by hand, under \`accounts:\`: ${JSON.stringify({ [name]: settings })}`,
  );
}

/** What words of the status column mean, by calendar. */
export type StatusAnswers = ReadonlyMap<string, NonNullable<FoundSettings["status_values"]>>;

function withStatuses(settings: FoundSettings, answers: FoundSettings["status_values"] = {}): FoundSettings {
  if (Object.keys(answers).length === 0) return settings;
  return { ...settings, status_values: { ...settings.status_values, ...answers } };
}

/** Undefined if there is nothing to add. */
async function addOne(
  project: Project,
  text: string,
  { file }: CalendarColumns,
  statuses: FoundSettings["status_values"],
): Promise<{ readonly text: string; readonly settings: FoundSettings } | undefined> {
  const old = { ...project, config: parseProject(project.file, text, project.extended) };
  const found = await calendarsOf(old);
  if (!found.files.includes(file)) throw notInProject(file);
  const before = await understandColumns(old, file, found);
  const settings = withStatuses(foundSettings(before), statuses);
  if (isEmptySettings(settings)) return undefined;
  const changed = addSettings(text, placeFor(file, found, old.config, settings), settings);
  const config = changed === undefined ? undefined : configOf(project, changed);
  if (changed === undefined || config === undefined) throw noPlaceFailure(project, file, settings);
  const now = { ...project, config };
  const foundNow = await calendarsOf(now);
  const after = await understandColumns(now, file, foundNow);
  const isSame =
    isDeepStrictEqual(otherSettings(old.config), otherSettings(config)) &&
    isDeepStrictEqual(comparableColumns(before), comparableColumns(after)) &&
    isEmptySettings(foundSettings(after)) &&
    isDeepStrictEqual(otherCalendars(file, old.config, found), otherCalendars(file, config, foundNow));
  if (!isSame) throw noPlaceFailure(project, file, settings);
  return { text: changed, settings };
}

function configOf({ file, extended }: Project, text: string): Config | undefined {
  try {
    return parseProject(file, text, extended);
  } catch {
    return undefined;
  }
}

/**
 * The calendar's own entry of `calendars:`, otherwise the project if this is the only calendar, otherwise a new entry.
 * Settings for only one workbook always get an entry, because they would be wrong for a converted copy.
 */
function placeFor(
  file: string,
  { files, entriesOf }: FoundCalendars,
  config: Config,
  { sheet, header_row }: FoundSettings,
): SettingsPlace {
  const isOwn = (entry: CalendarEntry): boolean => {
    const [pattern, ...more] = patternsOf(entry);
    return (
      typeof entry !== "string" && more.length === 0 && (pattern === file || pattern === patternFor(file))
    );
  };
  const own = entriesOf(file).findLast(isOwn);
  if (own !== undefined) return { kind: "entry", index: config.calendars.indexOf(own) };
  if (files.length === 1 && sheet === undefined && header_row === undefined) return { kind: "project" };
  return { kind: "new", files: patternFor(file), usual: config.calendars };
}

/** What must not change: the use of each column, and which files are read. */
function comparableColumns({
  table,
  encoding,
  dateOrder,
  problems,
  otherProblems,
}: CalendarColumns): unknown {
  const uses = table?.columns.map(({ column, meaning }) => [
    column,
    meaning.kind,
    "as" in meaning && meaning.as,
  ]);
  const sheet = table?.sheet?.value;
  return {
    uses,
    sheet,
    row: table?.headerRow.value,
    encoding: encoding?.name,
    dateOrder: dateOrder?.value,
    problems,
    otherProblems,
  };
}

/** The settings in plancast.yaml other than calendars. */
function otherSettings(config: Config): unknown {
  const ours = new Set(["calendars", ...Object.keys(settingsShape)]);
  return Object.entries(config).filter(([name]) => !ours.has(name));
}

/** How all other calendars are read. */
function otherCalendars(file: string, config: Config, { files, entriesOf }: FoundCalendars): unknown {
  return files.map((each) => {
    const said = new Map(Object.entries(settingsOf(config, entriesOf(each))));
    return each === file ? each : [each, Object.keys(settingsShape).map((name) => said.get(name))];
  });
}

function notInProject(file: string): Failure {
  return new Failure(
    "calendar/not-in-project",
    `${file} is not one of the project's calendars, so nothing was written.`,
    "Add it under `calendars:` in plancast.yaml first.",
  );
}

function noPlaceFailure({ file: name }: Project, file: string, settings: FoundSettings): Failure {
  return new Failure(
    "project/not-extended",
    `plancast cannot add the settings of ${file} to ${name} without changing something else. Nothing was written.`,
    `Add them by hand, as an entry under \`calendars:\`: ${JSON.stringify({ files: patternFor(file), ...nonEmpty(settings) })}`,
  );
}

/** Where settings go: the whole project, an entry of `calendars:`, or a new one. */
export type SettingsPlace =
  | { readonly kind: "project" }
  | { readonly kind: "entry"; readonly index: number }
  | {
      readonly kind: "new";
      /** The pattern that matches only this calendar. */
      readonly files: string;
      /** The default patterns if plancast.yaml names none. */
      readonly usual: readonly unknown[];
    };

/**
 * The text with the settings added. Undefined if the file has no place for them, for example because an entry is an
 * alias. The caller must read the result and compare it.
 */
export function addSettings(text: string, place: SettingsPlace, settings: FoundSettings): string | undefined {
  if (place.kind === "new") return addEntry(text, place, settings);
  const path = place.kind === "entry" ? ["calendars", place.index] : [];
  const { get } = partsOf(text);
  const pairs: Record<string, unknown> = {};
  let after: string | undefined = text;
  for (const [name, value] of Object.entries(nonEmpty(settings))) {
    const isMapping = typeof value === "object" && !Array.isArray(value);
    if (isMapping && get([...path, name]) !== undefined)
      after = after === undefined ? undefined : addPairs(after, [...path, name], value);
    else pairs[name] = value;
  }
  return after === undefined ? undefined : addPairs(after, path, pairs);
}

/** The settings without empty mappings. */
function nonEmpty(settings: FoundSettings): Record<string, Record<string, unknown>> {
  const filled = Object.entries(settings).filter(
    ([, value]) => typeof value !== "object" || Object.keys(value).length > 0,
  );
  return Object.fromEntries(filled);
}

function addEntry(
  text: string,
  { files, usual }: SettingsPlace & { kind: "new" },
  settings: FoundSettings,
): string | undefined {
  const entry = { files, ...nonEmpty(settings) };
  const { get, key } = partsOf(text);
  const list = get(["calendars"]);
  if (key(["calendars"]) === undefined) return addPairs(text, [], { calendars: [...usual, entry] });
  if (!isSeq(list) || list.items.length === 0) return undefined;
  if (list.flow !== true)
    return insertLines(text, endOfBlock(list), itemText(entry), columnAt(text, startOf(list)));
  return listOfLines(text, list, itemText(entry)) ?? insertIntoFlow(text, list, flowText(entry));
}

/** A short list on one line becomes a multi-line list, because entries are easier to read there. */
function listOfLines(text: string, list: YAMLSeq, added: string): string | undefined {
  const { get, key } = partsOf(text);
  const [root, name] = [get([]), key(["calendars"])];
  if (!isMap(root) || root.flow === true || name === undefined) return undefined;
  const [start, end] = [startOf(list), endOf(list)];
  const items = list.items.filter(isNode).filter((item) => !("anchor" in item) || item.anchor === undefined);
  const isShort = items.length === list.items.length && !/[\n#]/.test(text.slice(start, end));
  if (!isShort || !/^:[ \t]+$/.test(text.slice(endOf(name), start))) return undefined;
  const opened = text.slice(0, start).trimEnd() + text.slice(end);
  const lines = items.map((item) => `- ${text.slice(startOf(item), endOf(item))}\n`).join("");
  return insertLines(opened, endOf(name), lines + added, 2);
}

function itemText(entry: unknown): string {
  return blockText([entry]);
}
