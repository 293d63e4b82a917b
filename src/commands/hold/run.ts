/**
 * The steps of `hold`: check the conditions, show the posts, ask, note the hold on the main branch, cancel. The hold is
 * noted first, so that nobody schedules the posts again. What stops the cancelling does not stop the hold.
 */

import { checkCalendars } from "../../calendars/check.ts";
import { selectCalendars } from "../../calendars/select.ts";
import { HeldPosts } from "../../checks/held-posts.ts";
import { utcTime } from "../../model/canonical.ts";
import { Failure, ProjectProblems } from "../../model/failure.ts";
import {
  type Hold,
  type HoldLine,
  conditionsText,
  holdFacts,
  lineText,
  parseHolds,
  withLine,
} from "../../model/holds.ts";
import type { Lockfile } from "../../model/lockfile.ts";
import type { Change, Plan } from "../../model/plan.ts";
import { hasErrors } from "../../model/problem.ts";
import { DERIVED_KEY_PREFIX, rowIdsOf } from "../../model/post.ts";
import { applyDocument } from "../../report/outcomes/apply.ts";
import { heldNowText } from "../../problems/hold-texts.ts";
import { failureText } from "../../report/problems/failure-text.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import type { ApplyRun } from "../../sync/apply/apply-plan.ts";
import { lockDeadline } from "../../sync/state/run-lock.ts";
import { exitCode, reportApply } from "../apply/report.ts";
import { applyLocked } from "../apply/run.ts";
import { readCompared, readHolds } from "../project/base.ts";
import { openProject } from "../project/project.ts";
import {
  type FormatFlag,
  type OnlyFlag,
  type ProjectRun,
  type Run,
  confirmChange,
  parseOnly,
} from "../shell/command.ts";
import { reportError } from "../shell/report-problems.ts";
import type { ExitCode } from "../shell/shell.ts";
import { instantOf } from "../shell/trial-time.ts";
import { type KeptHold, fetchMain, keepHold, nameInGit } from "./keep-holds.ts";

export interface HoldFlags extends OnlyFlag, FormatFlag {
  readonly until: string | undefined;
  readonly reason: string | undefined;
  readonly later: boolean;
  readonly yes: boolean;
}

/** How long a hold waits for a run that is under way. Its own run must not make a person wait longer. */
const LOCK_TIMEOUT = "60s";

export async function runHold(run: Run<HoldFlags>): Promise<ExitCode> {
  const opened = await openProject(run);
  const { flags, shell, project } = opened;
  const reason = flags.reason ?? (shell.isInteractive ? await shell.ask("Why? ") : undefined) ?? "";
  if (reason.trim() === "")
    throw new Failure(
      "usage/arguments",
      "A hold needs a reason.",
      'Add for example --reason "Recall of the lamp".',
    );
  await fetchMain(project, shell);
  const by = (await nameInGit(project, shell)) || shell.env["USER"] || undefined;
  const until =
    flags.until === undefined
      ? undefined
      : instantOf("--until", flags.until, project.config.timezone ?? "UTC");
  try {
    const wanted = { only: parseOnly(flags.only) ?? {}, reason: reason.trim(), by, until };
    return reportHold(opened, await holdNow(opened, wanted));
  } catch (error) {
    if (error instanceof Refused) return shell.stop.aborted ? 130 : 1;
    throw error;
  }
}

/** What to hold, and why. */
export interface WantedHold extends Pick<Hold, "only" | "reason" | "by" | "until"> {
  /** The main branch, if the caller knows it. */
  readonly branch?: string | undefined;
}

type HoldRun = ProjectRun<Pick<HoldFlags, "later" | "yes" | "format">>;

/** A hold that counts. */
export interface HoldResult {
  readonly exit: ExitCode;
  readonly hold: Hold;
  readonly kept: KeptHold;
  /** What was cancelled; undefined if nothing could be. */
  readonly applied: { readonly result: ApplyRun; readonly changes: Plan["changes"] } | undefined;
}

/** Throws a `Refused` if a person says no, or interrupts it before it counts. */
export async function holdNow(run: HoldRun, wanted: WantedHold): Promise<HoldResult> {
  const { project, shell, flags, console } = run;
  const line = newLine(run, wanted);
  const before = run.compared?.holds?.text ?? (await readHolds(project));
  const holds = withLine(before, lineText(line));
  const hold = parseHolds(holds).find(({ id }) => id === line.hold);
  if (hold === undefined) throw new Error("A hold was not written as it is read.");
  await refuseMistypes(run, holds, hold);
  const keep = async (ids?: readonly string[], earlier: readonly string[] = []): Promise<KeptHold> => {
    if (!(await confirmHold(run, hold, ids?.length))) throw new Refused();
    const text = lineText({ ...line, posts: ids && [...ids, ...earlier] });
    const message = `Hold ${conditionsText(hold)}: ${line.reason}`.replaceAll(/\s+/g, " ").slice(0, 200);
    return keepHold(project, text, message, shell, wanted.branch);
  };
  if (flags.later) {
    const later = await keep();
    return { exit: later.failure === undefined ? 0 : 1, hold, kept: later, applied: undefined };
  }
  let kept: KeptHold | undefined;
  let applied: HoldResult["applied"];
  let exit: ExitCode = 1;
  try {
    const known = run.compared ?? (await readCompared(project, shell.env));
    exit = await cancelHeld({ ...run, compared: { ...known, holds: { text: holds, isNew: true } } }, hold, {
      confirm: async ({ changes }, before) => {
        const ids = changes.flatMap((each) => ("remote" in each ? each.remote.id : []));
        kept = await keep(ids, before);
        return true;
      },
      report: (result, { changes }) => (applied = { result, changes }),
    });
  } catch (error) {
    const isKnown = error instanceof Failure || error instanceof ProjectProblems;
    const isUnasked = error instanceof Failure && error.code === "run/needs-terminal";
    if (!isKnown || kept !== undefined || isUnasked) throw error;
    reportError(error, console);
  }
  if (kept === undefined && shell.stop.aborted) throw new Refused();
  // The calendars or the service could not be read. At least nothing new goes out.
  kept ??= await keep();
  return { exit: exit === 0 && kept.failure !== undefined ? 1 : exit, hold, kept, applied };
}

/** A person said no. Everything is as before. */
class Refused extends Error {}

function newLine({ shell, project }: HoldRun, { only, reason, by, until }: WantedHold): HoldLine {
  const now = shell.clock.now();
  if (until !== undefined && until <= now)
    throw new Failure(
      "usage/arguments",
      `The hold would be over already: ${utcTime(until)} has passed.`,
      `Write a later time. Without an offset, it is read in ${project.config.timezone ?? "UTC"}.`,
    );
  return {
    hold: `hold-${Buffer.from(shell.randomBytes(4)).toString("hex")}`,
    only:
      Object.keys(only).length === 0
        ? undefined
        : Object.fromEntries(Object.entries(only).map(([name, value]) => [name, [value].flat()])),
    until: until === undefined ? undefined : utcTime(until),
    reason,
    by: by?.slice(0, 200),
    at: utcTime(now),
  };
}

/** A mistyped name or value would hold nothing, and look well. Throws a Failure. */
async function refuseMistypes({ project, shell, flags }: HoldRun, holds: string, hold: Hold): Promise<void> {
  const selection = await selectCalendars(project, { calendars: [], only: undefined, holds }, shell.cwd);
  const { problems, posts, calendars } = await checkCalendars(project, selection, shell.clock);
  const wrong = problems.find(({ code }) => code === "hold/unknown-column");
  if (wrong !== undefined)
    throw new Failure(
      "usage/arguments",
      `${wrong.message} Nothing was changed.`,
      "`plancast columns` shows the names.",
    );
  // A row with an error may fit.
  if (flags.later || hasErrors(problems) || Object.keys(hold.only).length === 0) return;
  const held = new HeldPosts([hold], calendars, project.config);
  if (posts.some((post) => held.holdOf(post, shell.clock.now()) !== undefined)) return;
  throw new Failure(
    "usage/not-found",
    `No row fits ${conditionsText(hold)}, so nothing was held.`,
    "Check the values. To hold rows that somebody adds later, add --later.",
  );
}

function confirmHold(run: HoldRun, hold: Hold, count: number | undefined): Promise<boolean> {
  const posts =
    count === undefined
      ? ""
      : count === 0
        ? " No post is scheduled for it now."
        : ` It cancels ${count === 1 ? "the post" : `the ${count} posts`} above.`;
  return confirmChange(escapeTerminal(`Hold ${conditionsText(hold)}?${posts}`), run);
}

interface CancelSteps {
  /** @param earlier ids of posts that earlier holds have cancelled for the same rows */
  readonly confirm: (plan: Plan, earlier: readonly string[]) => Promise<boolean>;
  readonly report: (result: ApplyRun, plan: Plan) => void;
}

/** Cancels what the holds withhold, and nothing else. */
function cancelHeld(run: HoldRun, hold: Hold, { confirm, report }: CancelSteps): Promise<ExitCode> {
  const { flags, shell, console } = run;
  return applyLocked({
    ...run,
    flags: {
      ...flags,
      calendar: [],
      only: [],
      "only-valid": true,
      "refresh-media": false,
      plan: undefined,
      "allow-cancels": undefined,
      "allow-recreates": undefined,
    },
    lockOptions: {
      command: "hold",
      canWait: true,
      until: lockDeadline(LOCK_TIMEOUT, shell.clock),
      clock: shell.clock,
      stop: shell.stop,
      onWait: () => console.note("Another run is under way. plancast waits for it for at most a minute.\n"),
    },
    narrowed: withoutOthers,
    checkConfirmed: ({ owned, checked: { calendars } }, { held, ...plan }) => {
      const own = new HeldPosts([hold], calendars, run.project.config);
      const rows = held.filter(({ desired }) => own.holdOf(desired, shell.clock.now()) !== undefined);
      return confirm({ held, ...plan }, earlierPosts(owned, rows));
    },
    report: async (result, plan, ...rest) => {
      report(result, plan);
      return flags.format === "json" ? exitCode(result, plan) : reportApply(result, plan, ...rest);
    },
  });
}

/** The posts of rows that earlier holds have cancelled. */
function earlierPosts(owned: Lockfile | undefined, rows: Plan["held"]): readonly string[] {
  const keys = new Set(rows.map(({ key }) => key));
  return Object.entries(owned?.cancelled ?? {}).flatMap(([id, { key, hold }]) =>
    hold !== undefined && keys.has(key) ? [id] : [],
  );
}

type Cancel = Extract<Change, { action: "cancel" }>;

/**
 * Only the posts of held rows. A person confirms them, so no guard stops this. Without an id, a post whose row is gone
 * may be an older version of a held row of its calendar.
 */
function withoutOthers(plan: Plan): Plan {
  const ids = new Set(plan.held.flatMap(({ key }) => rowIdsOf(key)));
  const files = new Set(plan.held.map(({ desired }) => desired.source.file));
  const isHeld = (key: string): boolean => rowIdsOf(key).some((id) => ids.has(id));
  const mayBeHeld = ({ key, file, reason }: Cancel): boolean =>
    reason === "row-held" ||
    isHeld(key) ||
    (reason === "row-gone" && key.startsWith(DERIVED_KEY_PREFIX) && files.has(file));
  const changes = plan.changes.filter((change) => change.action === "cancel" && mayBeHeld(change));
  return {
    ...plan,
    summary: { ...plan.summary, create: 0, replace: 0, adopt: 0, missing: 0, cancel: changes.length },
    changes,
    uploads: [],
    missing: [],
    pending: plan.pending.filter(({ key }) => isHeld(key)),
    guards: [],
    requests: changes.length,
  };
}

function reportHold({ flags, console }: HoldRun, { exit, hold, kept, applied }: HoldResult): ExitCode {
  const { failure, branch } = kept;
  if (flags.format === "json")
    console.json({
      version: 1,
      hold: {
        id: hold.id,
        only: hold.only,
        reason: hold.reason,
        by: hold.by,
        until: hold.until === undefined ? undefined : utcTime(hold.until),
      },
      kept: branch === undefined ? "checkout" : "main-branch",
      branch,
      apply: applyDocument(applied?.result),
    });
  else console.result(`${escapeTerminal(heldNowText(holdFacts(hold), branch))}\n`);
  if (failure !== undefined) console.alert(failureText(failure, console.errorStyle, console));
  return exit;
}
