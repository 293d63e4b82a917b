/**
 * What services reported about their rate limits, kept between runs: so the next run neither waits for a guess nor sends a
 * request that would be refused. A window is kept until it ends, and never for longer than it lasts.
 *
 * The file is untrusted input: a wrong file can only make a run wait, and no longer than a window lasts.
 */

import { createHash } from "node:crypto";
import { z } from "zod";
import type { Place } from "../../disk/place.ts";
import { readRegular, writeAtomic } from "../../disk/files.ts";
import { MAX_WAIT_MS } from "./backoff.ts";
import type { ToldLimits } from "./rate-limits.ts";
import { MAX_POLICY_MS } from "./window-ends.ts";

const VERSION = 1;
/** Services and keys, and windows of each: more is not ours. */
const MAX_SERVICES = 20;
const MAX_WINDOWS = 10;
/** The end of a window may be this much later than its length says, in ms: it is rounded. */
const ROUNDING_MS = 2_000;

const count = z.int().nonnegative();

const toldSchema = z.object({
  windows: z
    .array(
      z.object({
        name: z.string().max(200),
        limit: count.min(1),
        left: count,
        endsAt: z.number(),
        lengthMs: z.number().positive().max(MAX_POLICY_MS),
        isGuess: z.literal(true).optional(),
      }),
    )
    .max(MAX_WINDOWS),
  closedUntil: z.number().optional(),
});

const fileSchema = z.object({ version: z.literal(VERSION), limits: z.record(z.string(), z.unknown()) });

const NOTHING: ToldLimits = { windows: [] };

/** The name under which limits are kept. It shows neither the address nor the key. */
export function limitsName(origin: string, key: string): string {
  return createHash("sha256")
    .update(JSON.stringify(["rate", origin, key]))
    .digest("hex")
    .slice(0, 32);
}

/** What is still true at `now` (local ms). Nothing if there is no file, or plancast did not write it. */
export async function readKeptLimits(file: Place, name: string, now: number): Promise<ToldLimits> {
  return toldNow((await readFile(file))[name], now) ?? NOTHING;
}

/** Replaces what is kept under this name. Other names stay as long as they are true. */
export async function keepLimits(file: Place, name: string, told: ToldLimits, now: number): Promise<void> {
  const before = await readFile(file);
  const isNeeded = told.windows.length > 0 || told.closedUntil !== undefined;
  if (!isNeeded && !Object.hasOwn(before, name)) return;
  const current = Object.entries({ ...before, [name]: told }).flatMap(([each, value]) => {
    const still = toldNow(value, now);
    return still === undefined ? [] : [[each, still] as const];
  });
  const limits = Object.fromEntries(current.slice(-MAX_SERVICES));
  try {
    await writeAtomic(file, JSON.stringify({ version: VERSION, limits }));
  } catch {
    // Without the file, the next run asks the service, as the first one did.
  }
}

async function readFile(file: Place): Promise<Record<string, unknown>> {
  try {
    return fileSchema.parse(JSON.parse((await readRegular(file)).toString("utf8"))).limits;
  } catch {
    // There is no file, or another program wrote it. Both mean that nothing is known.
    return {};
  }
}

/** Without windows that are over, or that cannot be true because the clock was changed. */
function toldNow(value: unknown, now: number): ToldLimits | undefined {
  const told = toldSchema.safeParse(value).data;
  if (told === undefined) return undefined;
  const windows = told.windows.filter(
    ({ endsAt, lengthMs }) => endsAt > now && endsAt <= now + lengthMs + ROUNDING_MS,
  );
  const { closedUntil = now } = told;
  const isClosed = closedUntil > now && closedUntil <= now + MAX_WAIT_MS;
  if (windows.length === 0 && !isClosed) return undefined;
  return { windows, ...(isClosed ? { closedUntil } : {}) };
}
