/** The rate limit in the headers of answers. */

import { Failure } from "../../model/failure.ts";
import { plural } from "../../report/text/numbers.ts";
import { type RateReading, readRateHeaders } from "../../service/rate/rate-headers.ts";
import { type PublishedLimit, RATE_PLANS, serviceTypeFacts } from "../../model/service-interface.ts";
import {
  type Check,
  NEEDS_ANSWER,
  failing,
  ok,
  ownAnswersIn,
  publishedType,
  skipped,
  warning,
} from "../check.ts";

/** After this many answers with the same remainder, it clearly does not count down. */
const STUCK = 3;

const UNITS = {
  seconds: "seconds from now",
  epoch: "seconds since 1970",
  "epoch-ms": "milliseconds since 1970",
};

export const limitCheck: Check = {
  name: "limit",
  looksAt: "The rate limit headers, the rate plan that fits them, and the unit of the reset time.",
  run: ({ service }) => {
    const readings = ownAnswersIn(service).map(({ result }) => readRateHeaders(result.headers));
    const last = readings.at(-1);
    if (service === undefined || last === undefined) return skipped(NEEDS_ANSWER);
    const shut = [service.accounts, service.posts].find(isRateLimited);
    if (shut !== undefined) return failing(shut.message, shut.hint);
    const { limit: published } = serviceTypeFacts(publishedType(service)) ?? {};
    if (published !== undefined && last.limit === undefined) return ok(publishedLimit(published));
    const { plan } = service.settings;
    const counted = `plancast uses service.plan, which is ${plan} (${RATE_PLANS[plan]} requests a minute)`;
    if (last.limit === undefined || last.remaining === undefined)
      return warning(
        `The answers have no limit in X-RateLimit-Limit and X-RateLimit-Remaining, so ${counted}.`,
        "If you have another rate plan, set service: { plan: pro }, or business.",
      );
    if (isStuck(readings))
      return warning(
        `X-RateLimit-Remaining is always ${last.remaining}, so it does not count requests. If it never changes, ${counted}.`,
        "If you have another rate plan, set service: { plan: pro }, or business.",
      );
    return ok(describeLimit(last));
  },
};

function publishedLimit({ fallbackLimit, fallbackWindowMs }: PublishedLimit): string {
  const minutes = plural(fallbackWindowMs / 60_000, "minute");
  return `These answers show no limit, so plancast uses the published one: ${fallbackLimit} requests in ${minutes}.`;
}

function isRateLimited(fact: unknown): fact is Failure {
  return fact instanceof Failure && fact.code === "service/rate-limited";
}

function isStuck(readings: readonly RateReading[]): boolean {
  const last = readings.slice(-STUCK).map(({ remaining }) => remaining);
  return last.length === STUCK && new Set(last).size === 1;
}

function describeLimit({ limit, remaining, reset }: RateReading): string {
  const plan = Object.entries(RATE_PLANS).find(([, requests]) => requests === limit)?.[0];
  const what = plan === undefined ? "of an unknown rate plan" : `the rate plan ${plan}`;
  const end =
    reset === undefined
      ? "The answer has no reset time"
      : `The unit of the reset time is ${UNITS[reset.unit]}`;
  return `${plural(limit ?? 0, "request")} a window (${what}), ${remaining} left. ${end}.`;
}
