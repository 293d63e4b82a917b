/** This machine's clock against the service's: it decides what is past, and what is due. */

import { Failure } from "../../model/failure.ts";
import { formatDuration, plural } from "../../report/text/numbers.ts";
import { type RateReading, readRateHeaders } from "../../service/rate/rate-headers.ts";
import { RATE_PLANS } from "../../settings/rate-plans.ts";
import { answersIn, ownAnswersIn } from "../answers.ts";
import { type Check, NEEDS_ANSWER, failing, ok, skipped, warning } from "../check.ts";

/** Further apart than this, ms, posts are taken for past that are not, or the other way about. */
const WRONG_MS = 60_000;
const NOTED_MS = 5_000;
/** A Date has whole seconds. Source: RFC 9110, section 6.6.1. */
const DATE_MS = 1_000;

export const clockCheck: Check = ({ service }) => {
  const answers = answersIn(service);
  const told = answers.flatMap(({ result, sentAt, receivedAt }) => {
    const { date } = readRateHeaders(result.headers);
    return date === undefined ? [] : [{ from: date - receivedAt, to: date + DATE_MS - sentAt }];
  });
  const last = told.at(-1);
  if (last === undefined)
    return skipped("clock", answers.length === 0 ? NEEDS_ANSWER : "the service does not tell its time.");
  const ahead = last.from > 0 ? last.from : Math.min(0, last.to);
  if (Math.abs(ahead) < NOTED_MS) return ok("clock", "Agrees with the service's.");
  const message = `This machine's clock is ${formatDuration(Math.abs(ahead))} ${ahead > 0 ? "behind" : "ahead of"} the service's.`;
  const advice = "Set it by the network's time (NTP): what is past or due is judged by it.";
  return Math.abs(ahead) < WRONG_MS ? warning("clock", message, advice) : failing("clock", message, advice);
};

/** The rate limit, as the service tells it. */

/** So many answers that told one remainder: then it does not count down. */
const STUCK = 3;

const UNITS = {
  seconds: "seconds from now",
  epoch: "seconds since 1970",
  "epoch-ms": "milliseconds since 1970",
};

export const limitCheck: Check = ({ service }) => {
  const readings = ownAnswersIn(service).map(({ result }) => readRateHeaders(result.headers));
  const last = readings.at(-1);
  if (service === undefined || last === undefined) return skipped("limit", NEEDS_ANSWER);
  const shut = [service.accounts, service.posts].find(isRateLimited);
  if (shut !== undefined) return failing("limit", shut.message, shut.hint);
  const { plan } = service.settings;
  const counted = `requests are counted against service.plan, which is ${plan} (${RATE_PLANS[plan]} a minute)`;
  if (last.limit === undefined || last.remaining === undefined)
    return warning(
      "limit",
      `Answers tell no limit (X-RateLimit-Limit and X-RateLimit-Remaining), so ${counted}.`,
      "If your plan is another, say so: service: { plan: pro }, or business.",
    );
  if (isStuck(readings))
    return warning(
      "limit",
      `X-RateLimit-Remaining says ${last.remaining} in every answer: it does not count. Where that stays so, ${counted}.`,
      "If your plan is another, say so: service: { plan: pro }, or business.",
    );
  return ok("limit", describeLimit(last));
};

function isRateLimited(fact: unknown): fact is Failure {
  return fact instanceof Failure && fact.code === "service/rate-limited";
}

function isStuck(readings: readonly RateReading[]): boolean {
  const told = readings.slice(-STUCK).map(({ remaining }) => remaining);
  return told.length === STUCK && new Set(told).size === 1;
}

function describeLimit({ limit: told, remaining, reset }: RateReading): string {
  const plan = Object.entries(RATE_PLANS).find(([, requests]) => requests === told)?.[0];
  const what = plan === undefined ? "of no plan that plancast knows" : `the ${plan} plan's`;
  const end = reset === undefined ? "No reset is told" : `The reset is told in ${UNITS[reset.unit]}`;
  return `${plural(told ?? 0, "request")} a window (${what}), ${remaining} left. ${end}.`;
}
