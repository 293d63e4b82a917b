/**
 * `plancast init`: writes a project that works at once, without replacing any file. With a calendar, it finds out how
 * to read it, and asks what only the team can know.
 */

import { resolve } from "node:path";
import { readFormatOf } from "../../calendars/read-calendar.ts";
import { makeFolder } from "../../disk/files.ts";
import { placeTyped, statsOf } from "../../disk/place.ts";
import { type Run, defineCommand } from "../shell/command.ts";
import type { ExitCode } from "../shell/shell.ts";
import { startWithCalendar } from "./existing-calendar.ts";
import { type InitFlags, defineFlags } from "./flags.ts";
import { furtherProject } from "./further-project.ts";
import { checkedZone, machineZone, noteMachineZone, showNextSteps, writeProject } from "./write-project.ts";

export const command = defineCommand<InitFlags>({
  flags: defineFlags,
  run: init,
});

async function init(run: Run<InitFlags>): Promise<ExitCode> {
  const { flags, shell } = run;
  const named = flags.path === undefined ? undefined : resolve(shell.cwd, flags.path);
  if (named !== undefined && (await isCalendar(named))) return startWithCalendar(named, run);
  const root = named ?? shell.cwd;
  if (named !== undefined) await makeFolder((await placeTyped(named, shell.cwd)).place);
  const further = await furtherProject(root, flags.timezone === undefined);
  const zone = checkedZone(flags.timezone ?? further?.shared?.timezone ?? machineZone());
  // The sample's rows are for networks on which plancast does not publish itself.
  const calendar = flags.sample && !flags.publish ? "sample" : "none";
  await writeProject({ root, timezone: zone, calendar, further }, run);
  if (flags.timezone === undefined && further?.sharesTimezone !== true) noteMachineZone(zone, run);
  await showNextSteps({ root, further }, run, true);
  return 0;
}

/** An existing file, or a name with a calendar's extension. Anything else is a folder. */
async function isCalendar(path: string): Promise<boolean> {
  const found = await statsOf(path);
  if (found !== undefined) return !found.isDirectory();
  return readFormatOf(path) !== undefined;
}
