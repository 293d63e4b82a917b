/**
 * Checks of this machine, and of the files that people write: Node, the clock, plancast.yaml, the calendars, and
 * plancast's caches.
 */

import { countFiles } from "../../calendars/check.ts";
import { countRows } from "../../calendars/count-rows.ts";
import { Failure, ProjectProblems } from "../../model/failure.ts";
import { hasErrors, placeName } from "../../model/problem.ts";
import { countsText } from "../../report/problems/counts-text.ts";
import { problemsSummary } from "../../report/problems/problems-text.ts";
import { formatDuration, plural } from "../../report/text/numbers.ts";
import { readRateHeaders } from "../../service/rate/rate-headers.ts";
import {
  type Check,
  NEEDS_ANSWER,
  NEEDS_PROJECT,
  answersIn,
  failing,
  ok,
  skipped,
  warning,
} from "../check.ts";

export const nodeCheck: Check = {
  name: "node",
  looksAt: "The version of Node.",
  run: ({ node: { version, wanted } }) => {
    const least = wanted.replace(/^>=/, "");
    if (!isOlder(version, least)) return ok(`Node ${version}.`);
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

/** Nothing ever has to be done, because the cache is rebuilt in any case. */
export const cacheCheck: Check = {
  name: "cache",
  looksAt: "What plancast has saved about media files.",
  run: ({ remembered }) => {
    if (remembered === undefined) return skipped(NEEDS_PROJECT);
    if (remembered === "unusable")
      return ok("plancast cannot use what it saved about media files. The next validate or apply renews it.");
    return ok(`${plural(remembered, "media file")} known on this machine.`);
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
