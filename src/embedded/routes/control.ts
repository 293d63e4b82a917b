/** Controls the service in tests. Not part of the interface; needs the admin key. */

import { z } from "zod";
import { isoInstant } from "../../model/canonical.ts";
import { DURATION_FORM, durationMs, durationOf } from "../../model/clock.ts";
import { SIMULATED_ACCOUNTS } from "../publishing/accounts.ts";
import { storedDelivery } from "../store/records.ts";
import { statusOf } from "../store/store-index.ts";
import { AUTOMATIONS } from "./automations.ts";
import { type Backend, type Route, EndpointError, endpoint, invalidField, pageOfStore } from "./endpoint.ts";
import { pageQuery } from "./schemas.ts";

const utcTime = z.iso.datetime();

const clockAnswer = z.strictObject({ now: utcTime, runs: z.boolean() });

const moveRequest = z
  .strictObject(
    {
      to: z.string("must be a time").optional(),
      by: z
        .string(`must be ${DURATION_FORM}`)
        .refine((given) => durationOf(given) !== undefined, `must be ${DURATION_FORM}`)
        .optional(),
    },
    "must be an object",
  )
  .refine(({ to, by }) => (to === undefined) !== (by === undefined), "must contain either `to` or `by`");

const moveAnswer = clockAnswer.extend({
  posts: z.array(z.strictObject({ id: z.string(), status: z.string() })),
});

const deliveryList = z.strictObject({
  data: z.array(storedDelivery.omit({ order: true })),
  next_cursor: z.string().nullable(),
});

const failuresBody = z.strictObject(
  { fail: z.array(z.string("must be a text"), "must be a list").max(100, "must not name more than 100") },
  "must be an object",
);

const readClock = endpoint({
  method: "GET",
  path: "/clock",
  scope: "admin",
  operation: "readClock",
  summary: "Shows the service's time",
  answer: clockAnswer,
  handle: (_asked, backend) => clockOf(backend),
});

const moveClock = endpoint({
  method: "POST",
  path: "/clock",
  scope: "admin",
  operation: "moveClock",
  summary: "Moves the service's time forward, and publishes all posts that become due",
  body: moveRequest,
  answer: moveAnswer,
  async handle({ body }, backend) {
    refuseIfReal(backend);
    const now = backend.now();
    const time = body.by === undefined ? parseTime(body.to ?? "") : now + durationMs(body.by);
    if (time < now)
      throw invalidField("to", `must not be before the current time, ${new Date(now).toISOString()}`);
    if (time > MAX_TIME) throw invalidField("by", "must not be after the year 9999");
    const posts = await backend.timeline.moveTo(time);
    return { ...clockOf(backend), posts: posts.map((post) => ({ id: post.id, status: statusOf(post) })) };
  },
});

const readFailures = endpoint({
  method: "GET",
  path: "/failures",
  scope: "admin",
  operation: "readFailures",
  summary: "Shows what is set to fail",
  answer: failuresBody,
  handle: (_asked, { failures }) => ({ fail: [...failures] }),
});

const setFailures = endpoint({
  method: "POST",
  path: "/failures",
  scope: "admin",
  operation: "setFailures",
  summary: "Sets what fails from now on. Nothing else fails",
  body: failuresBody,
  answer: failuresBody,
  handle({ body }, { failures, accounts }) {
    refuseIfReal({ accounts });
    for (const [index, text] of body.fail.entries()) {
      const problem = invalidFailureReason(text);
      if (problem !== undefined) throw invalidField(`fail[${index}]`, problem);
    }
    failures.clear();
    for (const text of body.fail) failures.add(text);
    return { fail: [...failures] };
  },
});

const listDeliveries = endpoint({
  method: "GET",
  path: "/deliveries",
  scope: "admin",
  operation: "listDeliveries",
  summary: "Lists each attempt to send an event to a webhook, in the order of the events",
  query: pageQuery,
  answer: deliveryList,
  handle: ({ query }, { store }) =>
    pageOfStore(store, "delivery", query, ({ order: _order, ...each }) => each),
});

export const controlRoutes: readonly Route[] = [
  readClock,
  moveClock,
  readFailures,
  setFailures,
  listDeliveries,
];

/** Time and failures of real networks cannot be set. */
function refuseIfReal({ accounts }: Pick<Backend, "accounts">): void {
  if (accounts.areReal)
    throw new EndpointError(
      "forbidden",
      "This service publishes on real accounts, so you cannot control it.",
    );
}

/** The last moment with a four-digit year. */
const MAX_TIME = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Why the clock cannot be moved to that time, in ms, for people; undefined if it can. */
export function refuseMove(time: number, now: number): string | undefined {
  // A field for a time may leave out the seconds.
  if (time < now) return "The clock only moves forward. Choose a later time.";
  return time > MAX_TIME ? "Choose a time before the year 10000." : undefined;
}

function clockOf({ now, runs }: Backend): z.infer<typeof clockAnswer> {
  return { now: new Date(now()).toISOString(), runs };
}

function parseTime(text: string): number {
  const time = isoInstant(text, undefined);
  if (time === undefined)
    throw invalidField("to", "must be a time with `Z` or an offset, such as 2027-03-01T08:00Z");
  return time;
}

/** What can be set to fail, with its possible names. */
const FAILURE_TARGETS: ReadonlyMap<string, readonly string[]> = new Map([
  ["platform", SIMULATED_ACCOUNTS.list.map((account) => account.platform)],
  ["automation", AUTOMATIONS.map((automation) => automation.id)],
]);

/** Why this cannot be set to fail, for the end of a sentence; undefined if it can. */
export function invalidFailureReason(text: string): string | undefined {
  const [, kind = "", name = ""] = /^(\w+)=(.+)$/.exec(text) ?? [];
  const names = FAILURE_TARGETS.get(kind);
  if (names === undefined) return "must be platform=NAME or automation=ID";
  if (names.includes(name)) return undefined;
  return `must name one of ${names.join(", ")}`;
}
