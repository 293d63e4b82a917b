/** An edit that needs every kind of change, with a fault at one of its requests. */
import { ALL_FAULTS, isLyingList } from "../../chaos/all-faults.ts";
import type { Fault } from "../../support/foreign/faults.ts";
import { type WorldClock, row } from "../../support/contract/contract-world.ts";
import { type JudgedWorld, bufferWorld, postizWorld, zernioWorld } from "../../support/contract/worlds.ts";
import { tinyPng } from "../../support/tiny-media.ts";

export type Start = (files: Readonly<Record<string, Uint8Array>>, clock?: WorldClock) => Promise<JudgedWorld>;

export const SERVICES: readonly [string, Start][] = [
  ["postiz", (files, clock) => postizWorld(files, {}, clock)],
  ["zernio", (files, clock) => zernioWorld(files, {}, clock)],
  ["buffer", (files, clock) => bufferWorld(files, {}, clock)],
];

const WANTED = ["brand Not ours", "bsky two, edited", "founder new", "x one", "x two, edited"];

interface Scenario extends JudgedWorld {
  readonly foreign: string;
}

export async function startScenario(start: Start, clock?: WorldClock): Promise<Scenario> {
  const judged = await start({ "a.png": tinyPng(1), "b.png": tinyPng(2) }, clock);
  const { world, addForeign } = judged;
  const foreign = addForeign("Not ours", "2030-02-02T09:00:00.000Z");
  await world.write(
    row("one", "01", "x", "one", "a.png,A rose,,"),
    row("two", "02", "x, bluesky", "two", "a.png,,reply,"),
    row("gone", "03", "linkedin/brand", "gone"),
  );
  await world.apply();
  await world.write(
    row("one", "01", "x", "one", "a.png,A rose,,"),
    row("two", "02", "x, bluesky", "two, edited", "b.png,,reply,"),
    row("new", "04", "linkedin/founder", "new"),
  );
  world.clock.advance(300_000);
  return { ...judged, foreign };
}

/** How many requests the edit needs. */
export async function requestsOfRun(start: Start): Promise<number> {
  const { world } = await startScenario(start);
  const before = world.server.requests.length;
  await world.apply();
  return world.server.requests.length - before;
}

/** Lists that hide posts are no fault of these services: each says how many posts it has, or has no pages. */
const FAULTS = ALL_FAULTS.filter((fault) => !isLyingList(fault) && fault !== "unauthorized-from-now-on");

/** One of this many; primes, so that every fault meets every request. */
export function triedFaults(
  requests: number,
  oneIn: number,
): readonly { readonly n: number; readonly fault: Fault }[] {
  return Array.from({ length: requests }, (_, index) => FAULTS.map((fault) => ({ n: index + 1, fault })))
    .flat()
    .filter((_, index) => index % oneIn === 0);
}

/** Gives what went wrong. @param fault may depend on the service's key */
export async function faultAt(
  n: number,
  fault: Fault | ((key: string) => Fault),
  start: Start,
): Promise<string | undefined> {
  const scenario = await startScenario(start);
  const { world } = scenario;
  const { server } = world;
  server.faults.at(n, typeof fault === "function" ? fault(server.key) : fault);
  const { stdout, stderr } = await world.run("apply", "--yes", "--verbose", "--format", "json");
  server.faults.clear();
  const output = stdout + stderr;
  if (output.includes("internal/fault")) return stderr;
  if (output.includes(server.key)) return `the key is in the output:\n${output}`;
  if (/[^\P{Cc}\n]|[\u202A-\u202E]/u.test(output)) return `control characters:\n${JSON.stringify(output)}`;
  return wrongAfterMoreRuns(scenario);
}

/** Runs apply until it ends with 0 and leaves nothing to do. Gives what is wrong then. */
export async function wrongAfterMoreRuns({
  world,
  scheduled,
  isUntouched,
  foreign,
}: Scenario): Promise<string | undefined> {
  const { server, clock } = world;
  let left = "";
  for (let runs = 0; runs < 4; runs += 1) {
    await server.whenQuiet();
    clock.advance(121_000);
    const ran = await world.run("apply", "--yes", "--format", "json");
    const found = JSON.stringify(scheduled());
    if (ran.code === 0 && found !== JSON.stringify(WANTED)) return `scheduled: ${found}`;
    if (!isUntouched(foreign)) return "a foreign post was changed";
    const { keep, unmanaged, ...more } = await world.planned();
    const isDone = unmanaged === 1 && keep !== undefined && Object.keys(more).length === 0;
    if (ran.code === 0 && isDone) return undefined;
    left = `${ran.stderr}\n${ran.stdout}\nthen plans ${JSON.stringify({ keep, unmanaged, ...more })}`;
    // One run adopts a post whose list does not show all of its parts, and the next one replaces it.
    if (ran.code === 0 && Object.keys(more).some((action) => action !== "replace")) return left;
  }
  return `no run left nothing to do:\n${left}`;
}
