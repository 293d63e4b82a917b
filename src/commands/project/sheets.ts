/** Sheets that are kept elsewhere: gets their contents for a command, and closes the connections after it. */

import { type FetchRecord, readFetchRecord, writeFetchRecord } from "../../calendars/fetch-record.ts";
import { endOf } from "../../calendars/all-formats.ts";
import { digestOf, readVersion } from "../../calendars/sheet-copy.ts";
import { settingsFor } from "../../calendars/select.ts";
import { type AllowsHost, allowedHosts } from "../../media/allowed-hosts.ts";
import { HostConnections } from "../../media/checked-request.ts";
import { DownloadBudget } from "../../media/download-budget.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import { roughDuration } from "../../report/text/numbers.ts";
import type { SheetCopy } from "../../settings/calendar-settings.ts";
import type { Project } from "../../settings/config.ts";
import { maximaOf } from "../../settings/maxima.ts";
import { sourceOf } from "../../sources/all-sources.ts";
import { testEndpoint } from "../../sources/google-access.ts";
import type { Fetched, SourceAccess } from "../../sources/source.ts";
import { SourceWeb } from "../../sources/source-web.ts";
import { USER_AGENT } from "../../model/version.ts";
import type { ProjectRun, Run } from "../shell/command.ts";
import { withConfirmedHosts } from "./confirmed-hosts.ts";

/** With the rules of a project for media from the web. */
export function withProjectSources<T>(
  run: ProjectRun,
  work: (access: SourceAccess) => Promise<T>,
): Promise<T> {
  const { media } = withConfirmedHosts(run.project, run.shell.env).config;
  return withSources(run, { allows: allowedHosts(media.allow_hosts), timeout: media.timeout }, work);
}

interface SourceRules {
  readonly allows: AllowsHost;
  /** For one sheet, such as `5m`. */
  readonly timeout: string;
}

export async function withSources<T>(
  run: Run,
  rules: SourceRules,
  work: (access: SourceAccess) => Promise<T>,
): Promise<T> {
  const { access, close } = openSources(run, rules);
  try {
    return await work(access);
  } finally {
    await close();
  }
}

/** @returns also `close`, which ends the connections */
export function openSources(
  { shell, console }: Run,
  { allows, timeout }: SourceRules,
): { readonly access: SourceAccess; readonly close: () => Promise<void> } {
  const { env, clock, stop } = shell;
  const endpoint = testEndpoint(env);
  const mayAsk: AllowsHost = (url) => allows(url) || url.origin === endpoint?.origin;
  const connections = new HostConnections(mayAsk);
  const web = new SourceWeb({
    connections,
    allows: mayAsk,
    timeout,
    userAgent: USER_AGENT,
    stop,
    budget: new DownloadBudget(maximaOf(env)),
    clock,
    onWait: (host, ms) =>
      console.note(`${escapeTerminal(`${host} asks for a pause of ${roughDuration(ms)}.`)}\n`),
  });
  return { access: { web, env, clock }, close: () => connections.close() };
}

/** The contents of a sheet in the format of its copy. */
export async function sheetBytes({ file, from }: SheetCopy, access: SourceAccess): Promise<Fetched> {
  const address = new URL(from);
  const { name, endings, fetch } = sourceOf(address);
  const ending = endOf(file);
  if (endings.includes(ending)) return fetch(address, ending, access);
  const way = `Let \`file:\` end in ${endings.map((each) => `.${each}`).join(" or ")}.`;
  return { message: `plancast cannot copy ${name} into a file of this name. ${way}` };
}

/** Records what was fetched into new copies. */
export async function recordFetched(
  project: Project,
  copies: readonly { readonly copy: SheetCopy; readonly bytes: Uint8Array }[],
): Promise<void> {
  let record: FetchRecord = await readFetchRecord(project);
  for (const { copy, bytes } of copies) {
    const { settings } = settingsFor(project, copy.file);
    record = record.with(copy, digestOf(await readVersion(copy.file, bytes, settings)));
  }
  await writeFetchRecord(project, record);
}
