/** What rows ask `draft` for: the calendars are read with their bytes, for those are written into. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Project } from "../calendar/config.ts";
import { Failure, reasonOf } from "../calendar/failure.ts";
import { hasErrors, type Problem } from "../calendar/problem.ts";
import { columnsAsked } from "../calendar/row-filter.ts";
import { probe } from "../draft/probe.ts";
import { wantedIn, type WantedInAll } from "../draft/wanted.ts";
import type { CalendarFile } from "../edit/edit-calendar.ts";
import type { Identify } from "../edit/place-columns.ts";
import { readContents } from "../read/read-calendar.ts";
import { selectCalendars } from "../select-calendars.ts";
import { aliasesOf, platformReader } from "../validate/platforms.ts";
import type { DraftFlags } from "./draft.ts";
import { onlyFlag } from "./only-flag.ts";
import type { Shell } from "./shell.ts";

export interface ToDraft extends WantedInAll {
  readonly files: readonly CalendarFile[];
  readonly identify: Identify;
}

export async function readWanted(project: Project, flags: DraftFlags, { cwd }: Shell): Promise<ToDraft> {
  const only = onlyFlag(flags.only);
  const {
    calendars,
    inScope,
    problems: wrong,
  } = await selectCalendars(project, { calendars: flags.calendar, only }, cwd);
  const files: CalendarFile[] = [];
  const problems: Problem[] = [...wrong];
  for (const { file, settings } of calendars.filter((each) => inScope(each.file))) {
    const options = { ...settings, keep: columnsAsked([settings.only ?? {}, only ?? {}]) };
    // oxlint-disable-next-line no-await-in-loop
    const bytes = await bytesOf(project, file);
    // oxlint-disable-next-line no-await-in-loop
    const calendar = { ...(await readContents(file, bytes, options)), settings };
    problems.push(...calendar.problems);
    if (!hasErrors(calendar.problems)) files.push({ calendar, bytes, options });
  }
  const aliases = aliasesOf(project.config.platforms);
  const identify = (platform: string): string => {
    const typed = platform.trim().toLowerCase();
    return aliases.get(typed) ?? typed;
  };
  const found = wantedIn(files, {
    aliases,
    read: platformReader(aliases),
    only,
    isAgain: againOf(flags.again),
  });
  checkKeys(flags.again, found);
  const probed = await probe(found.wanted, identify);
  return {
    ...found,
    wanted: probed.wanted,
    problems: [...problems, ...found.problems, ...probed.problems],
    files,
    identify,
  };
}

async function bytesOf({ root }: Project, file: string): Promise<Uint8Array> {
  try {
    return await readFile(join(root, file));
  } catch (error) {
    throw new Failure(
      "calendar/unreadable",
      `${file} cannot be read: ${reasonOf(error)}`,
      "Check its permissions.",
    );
  }
}

/** Rows that are named are made again; without names, drafts alone: what somebody has made ready is theirs. */
function againOf(
  names: readonly string[] | undefined,
): (names: readonly string[], isDraft: boolean) => boolean {
  if (names === undefined) return () => false;
  if (names.length === 0) return (_names, isDraft) => isDraft;
  return (own) => own.some((name) => names.includes(name));
}

/** Throws a Failure for a name that no row with a prompt has. */
function checkKeys(names: readonly string[] | undefined, { wanted, had }: WantedInAll): void {
  const known = new Set(
    [...wanted, ...had.values()].flatMap(({ name, row, file: { calendar } }) => [
      name,
      `${calendar.file}:${calendar.rows[row]?.line}`,
    ]),
  );
  const stranger = names?.find((name) => !known.has(name));
  if (stranger === undefined) return;
  throw new Failure(
    "draft/unknown-key",
    `No row with a prompt is "${stranger}".`,
    "Name a row by its id, or as calendars/march.csv:4; calendars stand before --again.",
  );
}
