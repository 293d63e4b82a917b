/**
 * The embedded service for tests of other programs: in their own process and in memory, so nothing is left behind. Its
 * types are public, so they use no types of libraries, which other programs may not have.
 */

import { machineOf } from "../disk/machine.ts";
import { isoInstant, utcTime } from "../model/canonical.ts";
import { Failure } from "../model/failure.ts";
import { didYouMean, nearest } from "../model/text.ts";
import { CONTROL_PATH, DESCRIPTION_PATH, OUTBOX_PATH, PAGE_PATH } from "./publishing/paths.ts";
import { invalidFailureReason } from "./routes/control.ts";
import { startEmbedded } from "./start-embedded.ts";

export interface ServiceOptions {
  /** Port on 127.0.0.1. Default: any free port. */
  readonly port?: number | undefined;
  /** Requests per minute: `free` 30, `pro` 120, `business` 600. Default: `business`. */
  readonly plan?: "free" | "pro" | "business" | undefined;
  /** Time at which the service's clock stays until you move it; ISO 8601 with `Z` or an offset. Default: the machine's. */
  readonly clock?: string | Date | undefined;
  /** What fails: `platform=NAME`, `automation=ID`. Default: nothing. */
  readonly fail?: readonly string[] | undefined;
}

export interface StartedService {
  /** Address, with /v1. */
  readonly url: string;
  /** By scope. */
  readonly keys: Readonly<Record<"read" | "write" | "admin", string>>;
  /** Address of the page with all posts. */
  readonly page: string;
  /** Address of the page that shows what was published. */
  readonly outbox: string;
  /** Address of the OpenAPI description. */
  readonly openapi: string;
  /** Address for moving the clock and setting failures. */
  readonly control: string;
  /** Closes open connections. May be called again. */
  close(): Promise<void>;
}

/** Starts an empty service in memory. Throws a failure for invalid options, or a port that is taken. */
export async function startTestService(options: ServiceOptions = {}): Promise<StartedService> {
  refuseUnknownOptions(options);
  const { port = 0, plan = "business", clock, fail = [] } = options;
  const running = await startEmbedded({
    folder: undefined,
    access: "read-write",
    port,
    plan,
    random: machineOf("/").randomBytes,
    now: Date.now,
    clockAt: startOfClock(clock),
    failures: checkedFailures(fail),
  });
  return { url: running.url, keys: running.keys, ...pagesOf(running.url), close: () => running.close() };
}

const OPTIONS: Readonly<Record<keyof ServiceOptions, true>> = {
  port: true,
  plan: true,
  clock: true,
  fail: true,
};

/** Throws a Failure: without its effect, a mistyped option could let a test pass that must fail. */
function refuseUnknownOptions(options: ServiceOptions): void {
  const names = Object.keys(OPTIONS);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new Failure(
    "usage/arguments",
    `startService has no option \`${unknown}\`.${didYouMean(nearest(unknown, names))}`,
    `The options are ${names.join(", ")}.`,
  );
}

/** Addresses of the service that are not part of the interface. */
export function pagesOf(url: string): Pick<StartedService, "page" | "outbox" | "openapi" | "control"> {
  const { origin } = new URL(url);
  return {
    page: origin + PAGE_PATH,
    outbox: origin + OUTBOX_PATH,
    openapi: origin + DESCRIPTION_PATH,
    control: origin + CONTROL_PATH,
  };
}

/** Unix time, in ms; undefined for a clock that runs with the machine's. Throws a Failure for an invalid time. */
export function startOfClock(given: string | Date | undefined): number | undefined {
  if (given === undefined) return undefined;
  const text =
    given instanceof Date && !Number.isNaN(given.getTime()) ? utcTime(given.getTime()) : String(given);
  const time = isoInstant(text, undefined);
  if (time !== undefined) return time;
  throw new Failure(
    "usage/arguments",
    `The clock's time ${JSON.stringify(text)} is not a time with \`Z\` or an offset.`,
    "Write it like 2027-03-01T08:00Z.",
  );
}

/** Throws a Failure for anything that cannot be set to fail. */
export function checkedFailures(texts: readonly string[]): readonly string[] {
  for (const text of texts) {
    const problem = invalidFailureReason(text);
    if (problem === undefined) continue;
    throw new Failure("usage/arguments", `Cannot set ${JSON.stringify(text)} to fail: it ${problem}.`);
  }
  return texts;
}
