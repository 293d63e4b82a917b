/** One look at a project for `plancast watch` and for the Action: what is open, and who hears it. */

import { basename } from "node:path";
import type { Channel, SentRecord } from "../../alerts/channels/channel.ts";
import type { Alert } from "../../alerts/core/alert.ts";
import {
  alertOfAccount,
  alertOfFailure,
  alertsOfPosts,
  alertsOfProblems,
} from "../../alerts/core/find-alerts.ts";
import type { Look } from "../../alerts/core/news.ts";
import { channelsOf } from "../../alerts/open-channels.ts";
import { type SendResult, sendAll } from "../../alerts/send-news.ts";
import { selectCalendars } from "../../calendars/select.ts";
import { utcMs, utcTime } from "../../model/canonical.ts";
import { Failure, ignoreFailure } from "../../model/failure.ts";
import type { Lockfile } from "../../model/lockfile.ts";
import type { RowStatus } from "../../model/publication.ts";
import { accountNames, checkAccount } from "../../networks/open-accounts.ts";
import type { FullService } from "../../service/service.ts";
import type { Project } from "../../settings/config.ts";
import { isOtherThanRecorded } from "../../sync/plan/compare.ts";
import { readHolds } from "../project/base.ts";
import { type CheckedService, networkOptions, withService } from "../project/connect.ts";
import type { ProjectRun } from "../shell/command.ts";
import { readRows, rowStatuses } from "../status/read.ts";

/** The name of the project in messages. */
export function watchedName({ config, root }: Project): string {
  return config.project ?? basename(root);
}

/**
 * What is open now. A failure that stops the look is an alert, too. Throws anything but a Failure, and a Failure if the run
 * was stopped.
 */
export async function lookNow(run: ProjectRun): Promise<Look> {
  const accounts = await accountAlerts(run);
  try {
    const { open, now } = await lookAtPosts(run);
    return { open: [...accounts, ...open], isWhole: true, now };
  } catch (error) {
    if (!(error instanceof Failure) || run.shell.stop.aborted) throw error;
    const open = [...accounts, alertOfFailure(error)];
    return { open, isWhole: false, now: run.shell.clock.now() };
  }
}

async function lookAtPosts(
  run: ProjectRun,
): Promise<{ readonly open: readonly Alert[]; readonly now: number }> {
  const { project, shell } = run;
  const holds = await readHolds(project);
  const selection = await selectCalendars(project, { calendars: [], only: undefined, holds }, shell.cwd);
  const read = await readRows(run, selection);
  const errors = alertsOfProblems(read.problems);
  return withService(run, "read-only", async (opened) => {
    const { statuses: rows, lockfile } = await rowStatuses(run, read, opened);
    const now = opened.clock.now();
    const changed = await changedPosts(opened, rows, lockfile);
    const timezone = project.config.timezone ?? "UTC";
    const inactive = await inactiveAccounts(opened.service, rows);
    return { open: [...errors, ...inactive, ...alertsOfPosts({ rows, changed, now, timezone })], now };
  });
}

/** A day, in ms: a list by dates ends after the last post. */
const DAY_MS = 24 * 3_600_000;

/** Ids of scheduled posts that are no longer as plancast sent them. */
async function changedPosts(
  { service, clock }: Pick<CheckedService, "service" | "clock">,
  rows: readonly RowStatus[],
  { posts, media }: Lockfile,
): Promise<ReadonlySet<string>> {
  const times = rows.flatMap((row) => (row.state === "scheduled" ? utcMs(row.scheduledAt) : []));
  if (times.length === 0) return new Set();
  const last = times.reduce((latest, each) => Math.max(latest, each), clock.now());
  const range = { from: utcTime(clock.now()), to: utcTime(last + DAY_MS) };
  const list = await service.listScheduled(service.listsByDate === true ? range : undefined);
  const owned = new Map(Object.values(posts).map((each) => [each.post_id, each]));
  return new Set(
    list.posts.flatMap((remote) => {
      const post = owned.get(remote.id);
      return post !== undefined && isOtherThanRecorded(remote, post, media) ? remote.id : [];
    }),
  );
}

/** Accounts of the service that do not publish, although coming posts need them. */
async function inactiveAccounts(
  service: Pick<FullService, "listInactiveNetworks">,
  rows: readonly RowStatus[],
): Promise<readonly Alert[]> {
  const needed = new Set(rows.flatMap((row) => (row.state === "scheduled" ? row.platforms : [])));
  if (needed.size === 0) return [];
  const inactive = (await service.listInactiveNetworks?.().catch(ignoreFailure)) ?? new Set<string>();
  return [...inactive].filter((name) => needed.has(name)).map((name) => alertOfAccount(name, undefined));
}

/** A person waits for the answer, in ms. */
const PATIENCE_MS = 30_000;

/** Accounts on which plancast publishes itself, and that do not take its sign-in. */
async function accountAlerts(run: ProjectRun): Promise<readonly Alert[]> {
  const { project, shell } = run;
  const alerts: Alert[] = [];
  for (const account of accountNames(project.config.accounts)) {
    const options = { ...networkOptions(run, project, PATIENCE_MS), stop: shell.stop };
    const check = await checkAccount(account, options).catch((error: unknown) => {
      if (!(error instanceof Failure) || shell.stop.aborted) throw error;
      return { state: "failed", reason: error.message, isSignInRefused: true } as const;
    });
    // A server that is down for a moment does not answer whether the secret is right.
    if (check.state === "failed" && check.isSignInRefused === true)
      alerts.push(alertOfAccount(account.platform, check.reason));
  }
  return alerts;
}

/** Sends the news to everybody whom `notify:` names, and to the given channels. */
export async function sendToEverybody(
  run: ProjectRun,
  look: Look,
  own: readonly Channel[],
  record: SentRecord,
): Promise<readonly SendResult[]> {
  const { project, shell } = run;
  const openers = channelsOf(project.config.notify, {
    project: watchedName(project),
    env: shell.env,
    requests: { ...networkOptions(run, project, PATIENCE_MS), stop: shell.stop },
  });
  const opened = await Promise.all(
    openers.map(async ({ name, open }) => [name, await open().catch(asFailure)] as const),
  );
  try {
    return await sendAll(look, [...own.map((each) => [each.name, each] as const), ...opened], record);
  } finally {
    await Promise.all(opened.flatMap(([, each]) => (each instanceof Failure ? [] : each.close())));
  }
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}
