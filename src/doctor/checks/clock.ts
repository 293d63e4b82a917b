/** This machine's clock against the service's: it decides what is past, and what is due. */

import { formatDuration } from "../../report/text/numbers.ts";
import { readRateHeaders } from "../../service/rate/rate-headers.ts";
import { answersIn } from "../answers.ts";
import { type Check, NEEDS_ANSWER, failing, ok, skipped, warning } from "../check.ts";

/** Further apart than this, ms, posts are taken for past that are not, or the other way about. */
const WRONG_MS = 60_000;
const NOTED_MS = 5_000;
/** A Date has whole seconds. Source: RFC 9110, section 6.6.1. */
const DATE_MS = 1_000;

export const clockCheck: Check = {
  name: "clock",
  looksAt: "This machine's clock against the `Date` of the service's answers.",
  run: ({ service }) => {
    const answers = answersIn(service);
    const told = answers.flatMap(({ result, sentAt, receivedAt }) => {
      const { date } = readRateHeaders(result.headers);
      return date === undefined ? [] : [{ from: date - receivedAt, to: date + DATE_MS - sentAt }];
    });
    const last = told.at(-1);
    if (last === undefined)
      return skipped(answers.length === 0 ? NEEDS_ANSWER : "the service does not tell its time.");
    const ahead = last.from > 0 ? last.from : Math.min(0, last.to);
    if (Math.abs(ahead) < NOTED_MS) return ok("Agrees with the service's.");
    const message = `This machine's clock is ${formatDuration(Math.abs(ahead))} ${ahead > 0 ? "behind" : "ahead of"} the service's.`;
    const advice = "Set it by the network's time (NTP): what is past or due is judged by it.";
    return Math.abs(ahead) < WRONG_MS ? warning(message, advice) : failing(message, advice);
  },
};
