/** `plancast watch`: looks at the posts, sends what is new, and ends with a code; or looks again and again. */

import type { Channel } from "../../alerts/channels/channel.ts";
import { alertJson } from "../../alerts/channels/webhook.ts";
import { kindFacts } from "../../alerts/core/alert.ts";
import { newsText } from "../../alerts/core/message.ts";
import type { Look } from "../../alerts/core/news.ts";
import type { SendResult } from "../../alerts/send-news.ts";
import { sentFile } from "../../alerts/sent-file.ts";
import { LockHeld, acquireProcessLock } from "../../disk/process-lock.ts";
import { DURATION_FORM, durationOf } from "../../model/clock.ts";
import { Failure, errorCode, reasonOf } from "../../model/failure.ts";
import type { WatchDocument } from "../../report/documents/runs.ts";
import { terminalText, visibleText } from "../../report/text/escape.ts";
import { plural } from "../../report/text/numbers.ts";
import { openProject } from "../project/project.ts";
import type { FormatFlag, ProjectRun, Run } from "../shell/command.ts";
import { reportError } from "../shell/report-problems.ts";
import type { ExitCode } from "../shell/shell.ts";
import { lookNow, sendToEverybody, watchedName } from "./look.ts";
import { confirmRecipients } from "./recipients.ts";

type WatchFlags = FormatFlag & { readonly once: boolean; readonly every: string | undefined };

export async function watch(run: Run<WatchFlags>): Promise<ExitCode> {
  const { once, every, format } = run.flags;
  if (every !== undefined && (once || format === "json"))
    throw new Failure(
      "usage/arguments",
      `You cannot combine --every and ${once ? "--once" : "--format json"}.`,
      "Leave one of them out.",
    );
  const everyMs = every === undefined ? undefined : interval(every);
  for (;;) {
    // Read again each time, because somebody may change plancast.yaml.
    const exit = await watchOnce(await openProject(run));
    const { clock, stop } = run.shell;
    if (everyMs === undefined) return exit;
    await clock.sleep(everyMs, stop);
    if (stop.aborted) return 0;
  }
}

/** Shorter waits use up rate limits, in ms. */
const SHORTEST_MS = 60_000;

function interval(text: string): number {
  const ms = durationOf(text);
  if (ms !== undefined && ms >= SHORTEST_MS) return ms;
  throw new Failure(
    "usage/arguments",
    `--every must be ${DURATION_FORM}, and at least 1m.`,
    "For example: --every 15m.",
  );
}

async function watchOnce(run: ProjectRun<WatchFlags>): Promise<ExitCode> {
  const { project } = run;
  await confirmRecipients(run, project.config.notify.email?.to ?? []);
  return alone(run, async () => {
    const look = await lookNow(run);
    const results = await sendToEverybody(run, look, [TERMINAL], sentFile(project));
    show(run, look, results);
    return exitCode(look, results);
  });
}

/** What the run prints. It takes everything, so that it is printed once. */
const TERMINAL: Channel = {
  name: "output",
  send: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Two runs at once would send everything twice. */
async function alone<T>({ project }: ProjectRun, work: () => Promise<T>): Promise<T> {
  const place = project.state.in("watch.lock");
  const lock = await acquireProcessLock(place).catch((error: unknown) => {
    if (error instanceof LockHeld)
      throw new Failure(
        "run/locked",
        `Another plancast watch is looking at this project: ${error.message}`,
        "One is enough. Stop the other one, or wait until it ends.",
      );
    if (errorCode(error) === undefined) throw error;
    const message = `${project.state.nameOf(place)} cannot be written: ${reasonOf(error)}`;
    throw new Failure("disk/not-writable", message, "Free some space, or fix the permissions.");
  });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** Longest text, in UTF-16 units. */
const MAX_LENGTH = 20_000;

function show(run: ProjectRun<WatchFlags>, look: Look, results: readonly SendResult[]): void {
  const { project, flags, console } = run;
  const own = results.find(({ channel }) => channel === TERMINAL.name)?.news;
  const { fresh = [], solved = [] } = own ?? {};
  if (flags.format === "json") console.json(watchDocument(look, results));
  else if (own !== undefined && fresh.length + solved.length > 0)
    console.result(terminalText(visibleText(newsText(watchedName(project), own, MAX_LENGTH)).split("\n")));
  else console.note(`Nothing new. ${openText(look)}\n`);
  for (const { failure } of results) if (failure !== undefined) reportError(failure, console);
}

function openText({ open }: Look): string {
  if (open.length === 0) return "No alert is open.";
  return `${plural(open.length, "alert is", "alerts are")} still open. plancast status shows the posts.`;
}

function watchDocument(look: Look, results: readonly SendResult[]): WatchDocument {
  const own = results.find(({ channel }) => channel === TERMINAL.name)?.news;
  const fresh = new Set(own?.fresh.map(({ key }) => key));
  return {
    version: 1,
    summary: { open: look.open.length, new: fresh.size, solved: own?.solved.length ?? 0 },
    alerts: look.open.map((alert) => ({ ...alertJson(alert), new: fresh.has(alert.key) })),
    solved: [...(own?.solved ?? [])],
    channels: results
      .filter(({ channel }) => channel !== TERMINAL.name)
      .map(({ channel, news, failure }) => ({
        channel,
        sent: failure === undefined ? news.fresh.length + news.solved.length : 0,
        ...(failure === undefined ? {} : { failure: failure.message }),
      })),
  };
}

/** What somebody must do has priority over what nobody knows yet. */
export function exitCode({ open }: Look, results: readonly SendResult[]): ExitCode {
  const levels = new Set(open.map(({ kind }) => kindFacts(kind).level));
  if (levels.has("problem") || results.some(({ failure }) => failure !== undefined)) return 1;
  return levels.has("unknown") ? 3 : 0;
}
