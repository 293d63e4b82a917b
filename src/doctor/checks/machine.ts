/**
 * Checks of this machine: Node, the clock, the files that people write, what runs leave behind (the run lock, the
 * lockfile, the journal), and plancast's caches.
 */

import { countFiles } from "../../calendars/check.ts";
import { countRows } from "../../calendars/row-groups.ts";
import { Failure, ProjectProblems } from "../../model/failure.ts";
import type { Lockfile } from "../../model/lockfile.ts";
import { hasErrors, placeName } from "../../model/problem.ts";
import { EMBEDDED_ELSEWHERE, otherAccountText } from "../../problems/plan-texts.ts";
import { countsText, problemsSummary } from "../../report/problems/problems-text.ts";
import { formatBytes, formatDuration, plural } from "../../report/text/numbers.ts";
import { readRateHeaders } from "../../service/rate/rate-headers.ts";
import type { Listed, PlatformRecord } from "../../service/records.ts";
import { EMBEDDED } from "../../settings/config.ts";
import { missingOwnedPosts } from "../../sync/plan/reconcile.ts";
import { areOtherAccounts } from "../../sync/state/accounts.ts";
import { lockHolder } from "../../sync/state/run-lock.ts";
import {
  type Check,
  type Facts,
  type StateFacts,
  NEEDS_ADDRESS,
  NEEDS_ANSWER,
  NEEDS_PROJECT,
  answersIn,
  failing,
  ok,
  skipped,
  warning,
  worked,
} from "../check.ts";

export const nodeCheck: Check = {
  name: "node",
  looksAt: "The version of Node, and of its time zone data.",
  run: ({ node: { version, zones, wanted } }) => {
    const least = wanted.replace(/^>=/, "");
    if (!isOlder(version, least))
      return ok(zones === undefined ? `Node ${version}.` : `Node ${version}, with time zone data ${zones}.`);
    return failing(`Node ${version} is too old.`, `plancast runs on Node ${least} and later. Update Node.`);
  },
};

function isOlder(version: string, than: string): boolean {
  const [have, want] = [version, than].map((text) => text.split(".").map(Number));
  const differing = want?.findIndex((part, index) => part !== (have?.[index] ?? 0)) ?? -1;
  return differing !== -1 && (have?.[differing] ?? 0) < (want?.[differing] ?? 0);
}

/** If the difference is larger, in ms, plancast confuses upcoming posts with past ones. */
const WRONG_MS = 60_000;
const NOTED_MS = 5_000;
/** A Date header has whole seconds. Source: RFC 9110, section 6.6.1. */
const DATE_MS = 1_000;

export const clockCheck: Check = {
  name: "clock",
  looksAt: "The clock of this machine, compared with the `Date` of the service's answers.",
  run: ({ service }) => {
    const answers = answersIn(service);
    const offsets = answers.flatMap(({ result, sentAt, receivedAt }) => {
      const { date } = readRateHeaders(result.headers);
      return date === undefined ? [] : [{ from: date - receivedAt, to: date + DATE_MS - sentAt }];
    });
    const last = offsets.at(-1);
    if (last === undefined)
      return skipped(answers.length === 0 ? NEEDS_ANSWER : "the service does not show its time.");
    const ahead = last.from > 0 ? last.from : Math.min(0, last.to);
    if (Math.abs(ahead) < NOTED_MS) return ok("This machine's clock agrees with the service's.");
    const message = `This machine's clock is ${formatDuration(Math.abs(ahead))} ${ahead > 0 ? "behind" : "ahead of"} the service's.`;
    const advice = "Set it with network time (NTP): plancast uses it to decide which posts are past or due.";
    return Math.abs(ahead) < WRONG_MS ? warning(message, advice) : failing(message, advice);
  },
};

/** Journal, lockfile and a schedule of some thousand posts, each written beside its old version. */
const ENOUGH_BYTES = 50_000_000;
/** Not even a journal fits, in bytes. */
const TOO_LITTLE_BYTES = 1_000_000;

export const diskCheck: Check = {
  name: "disk",
  looksAt: "Whether plancast can write in the project's folder, and the space that is free there.",
  run: ({ disk }) => {
    if (disk === undefined) return skipped(NEEDS_PROJECT);
    const { refused, freeBytes } = disk;
    if (refused !== undefined)
      return failing(
        `plancast cannot write in the project's folder: ${refused}`,
        "Check the permissions of the folder and of .plancast in it, and whether its disk is read-only.",
      );
    const room =
      freeBytes === undefined ? "The folder can be written." : `${formatBytes(freeBytes)} are free.`;
    if (freeBytes === undefined || freeBytes >= ENOUGH_BYTES) return ok(room);
    const advice = "Free some space: apply stops before it sends anything if it cannot write its journal.";
    return freeBytes < TOO_LITTLE_BYTES ? failing(room, advice) : warning(room, advice);
  },
};

export const projectCheck: Check = {
  name: "project",
  looksAt: "`plancast.yaml`, with the place of each mistake.",
  run: ({ project }) => {
    if (project instanceof Failure) return failing(project.message, project.hint);
    if (!(project instanceof ProjectProblems)) return ok(`${project.file} is valid.`);
    const errors = project.problems.filter((each) => hasErrors([each]));
    const first = errors.slice(0, 3).map((each) => `${placeName(each)}: ${each.message}`);
    const more = errors.length > first.length ? ` And ${errors.length - first.length} more.` : "";
    return failing(
      `${first.join(" ")}${more}`,
      "Fix plancast.yaml: `plancast validate` shows the lines. Until then, doctor cannot check calendars and state.",
    );
  },
};

export const calendarsCheck: Check = {
  name: "calendars",
  looksAt: "The number of calendars, posts and problems. `plancast validate` lists them.",
  run: ({ calendars }) => {
    if (calendars === undefined) return skipped(NEEDS_PROJECT);
    if (calendars instanceof Failure) return failing(calendars.message, calendars.hint);
    const { problems } = calendars;
    const files = plural(countFiles(calendars.calendars), "calendar");
    const counts = `${files}, ${countsText(countRows(calendars))}`;
    if (problems.length === 0) return ok(`${counts}, no problems.`);
    const message = `${counts}: ${problemsSummary(problems)}.`;
    const advice = "`plancast validate` shows each one with its place.";
    const hasError = problems.some(({ severity }) => severity === "error");
    return hasError ? failing(message, advice) : warning(message, advice);
  },
};

export const lockCheck: Check = {
  name: "lock",
  looksAt: "Whether a run is in progress, or was stopped.",
  run: ({ state }) => {
    if (state === undefined) return skipped(NEEDS_PROJECT);
    const { lock } = state;
    if (lock === "free") return ok("No run is in progress.");
    if (lock === "unreadable")
      return failing(
        "plancast cannot read .plancast/run.lock, so a run may be in progress.",
        "If no plancast is running, remove that file.",
      );
    const { owner, running } = lock;
    if (!running)
      return ok(
        `A run died without releasing the run lock: ${lockHolder(owner)}. The next run takes the lock over.`,
      );
    return warning(
      `A run is in progress in this project: ${lockHolder(owner)}.`,
      "Wait until it ends; `plancast apply --lock-timeout 5m` waits automatically. If it hangs, end that process: the journal records what it did.",
    );
  },
};

export const lockfileCheck: Check = {
  name: "lockfile",
  looksAt:
    "Whether plancast can read the lockfile, and whether it is for this service, its accounts and its posts.",
  run: (facts) => {
    const { state } = facts;
    if (state === undefined) return skipped(NEEDS_PROJECT);
    const { read } = state;
    const { name, exists, wasThere } = state.lockfile;
    const otherAccounts = expectedAccountFinding(facts);
    if (otherAccounts !== undefined) return otherAccounts;
    if (wasThere)
      return failing(
        `${name} is missing, although this folder applied before.`,
        `Restore it with \`git checkout ${name}\`. Without it, plancast does not know the posts of rows that you edit or delete.`,
      );
    if (!exists) return ok(`${name} does not exist yet, because nothing was applied from here.`);
    if (read === undefined) return skipped(NEEDS_ADDRESS);
    if (read instanceof Failure && !read.code.startsWith("journal/")) return failing(read.message, read.hint);
    if (read instanceof Failure) return ok(`plancast can read ${name}.`);
    const against = accountFinding(read.lockfile, facts) ?? missingFinding(read.lockfile, state, facts);
    if (against !== undefined) return against;
    const { posts, media } = read.lockfile;
    const owned = plural(Object.keys(posts).length, "post");
    return ok(`${name} owns ${owned} and knows ${plural(Object.keys(media).length, "media file")}.`);
  },
};

/** Undefined if PLANCAST_ACCOUNTS names no accounts, one of them is connected, or the service did not answer. */
function expectedAccountFinding({ service }: Facts) {
  const expected = service?.expectedAccounts;
  if (expected === undefined || !worked(service?.accounts)) return undefined;
  const connected = connectedIds(service.accounts);
  // A list that names nothing lets nothing through, as for apply.
  if (expected.length > 0 && !areOtherAccounts(expected, connected)) return undefined;
  const { message, hint } = otherAccountText("environment", expected, connected);
  return failing(message, hint);
}

/** Undefined if one of the lockfile's accounts is connected, or it has none. PLANCAST_ACCOUNTS has priority. */
function accountFinding({ accounts: known }: Lockfile, { service }: Facts) {
  if (known === undefined || service?.expectedAccounts !== undefined || !worked(service?.accounts))
    return undefined;
  const connected = connectedIds(service.accounts);
  if (!areOtherAccounts(known, connected)) return undefined;
  const { message, hint } = otherAccountText("lockfile", known, connected);
  return failing(message, hint);
}

/** Undefined if there are accounts, and none has an id. */
function connectedIds({ items }: Listed<PlatformRecord>): readonly string[] | undefined {
  const ids = items.flatMap(({ id }) => id ?? []);
  return ids.length === 0 && items.length > 0 ? undefined : ids;
}

/** Undefined if the service's list has all owned posts that are still due, or is not proved complete. */
function missingFinding(lockfile: Lockfile, state: StateFacts, { service, project }: Facts) {
  const { posts } = lockfile;
  const listed = service?.posts;
  // A running apply changes the list.
  if (service === undefined || !worked(listed) || !worked(project) || isRunning(state)) return undefined;
  if (project instanceof Error || listed.wholeness !== "end" || service.isCutShort) return undefined;
  const expected = Object.entries(posts).filter(([, post]) => post.cancelling !== true);
  const lacks = missingOwnedPosts(
    { posts: Object.fromEntries(expected), retiring: {}, cancelled: {} },
    listed.items,
    service.now,
  );
  if (lacks.length === 0) return undefined;
  const shown = new Set(listed.items.map(({ id }) => id));
  const found = expected.filter(([, post]) => shown.has(post.post_id)).length;
  const total = lacks.length + found;
  const message = `${state.lockfile.name} owns ${plural(total, "post")} to come, but the service's list of scheduled posts does not contain ${found === 0 ? "any of them" : `${lacks.length} of them`}.`;
  if (found === 0 && lockfile.origin === EMBEDDED) return warning(message, EMBEDDED_ELSEWHERE);
  return warning(
    message,
    `${found === 0 ? "Check that the key is the right one. " : ""}Apply does not create missing posts again (apply/missing) before you allow it. \`plancast plan\` shows them.`,
  );
}

export const journalCheck: Check = {
  name: "journal",
  looksAt: "What earlier runs left: interrupted runs, incomplete replacements and unknown outcomes.",
  run: ({ state }) => {
    if (state === undefined) return skipped(NEEDS_PROJECT);
    if (state.read === undefined) return skipped(NEEDS_ADDRESS);
    const { read } = state;
    if (read instanceof Failure)
      return read.code.startsWith("journal/")
        ? failing(read.message, read.hint)
        : skipped("needs a readable lockfile.");
    const { lockfile } = read;
    const unknown = Object.keys(lockfile.unknown).length;
    const retiring = Object.keys(lockfile.retiring).length;
    if (unknown > 0 && !isRunning(state))
      return failing(
        `${plural(unknown, "post")} may or may not be scheduled: ${Object.keys(lockfile.unknown).slice(0, 5).join(", ")}.`,
        "Run apply: it checks on the service. If the outcome is still unknown, use `plancast resolve`.",
      );
    if (isRunning(state)) return ok("The run in progress is writing it.");
    if (read.journal.records.length > 0)
      return warning(
        "A run was interrupted.",
        "Run apply: it continues from the journal, and does nothing twice.",
      );
    if (retiring > 0)
      return warning(`A replacement has not yet cancelled ${plural(retiring, "older post")}.`, "Run apply.");
    return ok("Nothing is left from earlier runs.");
  },
};

function isRunning({ lock }: StateFacts): boolean {
  return typeof lock === "object" && lock.running;
}
