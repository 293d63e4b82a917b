/**
 * Rounds of random trouble for two or three `serve` on one PostgreSQL, checked from outside: what is on the networks, and
 * what the service says about it. `npm run chaos -- stores --runs 500 --seed 1` runs many rounds. On a busy machine, set
 * `CHAOS_SLOW`.
 */
import { appendFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { counts } from "../support/networks/accounts.ts";
import { type TestPostgres, usePostgres } from "../support/postgres-server.ts";
import { LONG_MS, SEED, SLOWNESS, randomBelow } from "./effort.ts";
import {
  type Machine,
  type StoresWorld,
  SETTLE_MS,
  TIMEOUT_MS,
  scriptWithClaims,
  startStores,
} from "./stores-world.ts";

const postgres = usePostgres();
const ROUNDS = Number(process.env["CHAOS_RUNS"] ?? 4);
/** Rounds on the same machines and clocks. */
const ROUNDS_OF_A_WORLD = 10;
/** Short, so that rounds are short. The design's bound counts from it. */
const CLAIM_MS = 6_000;
/** What the design allows beyond a claim, where plancast must also wait for lost requests. */
const TAKEOVER_MS = CLAIM_MS + SETTLE_MS + TIMEOUT_MS + 15_000;
/** What failed often is tried later, and tests share the machine. */
const SLACK_MS = 30_000 * SLOWNESS;

/** How long before their time posts are created, in ms. */
const LEAD_MS = 6_000 * SLOWNESS;

type Next = (below: number) => number;

/** Something that happens while posts go out. It ends by itself; what it broke works again then. */
interface Trouble {
  readonly name: string;
  readonly happen: (world: StoresWorld, next: Next, database: TestPostgres) => Promise<string | undefined>;
  /** Another request may arrive long after it was sent, so no network can say that it will not. */
  readonly isLate?: true;
  /** Nothing else may stop the database, or the machines, at the same time. */
  readonly isAlone?: true;
}

const one = ({ machines }: StoresWorld, next: Next): Machine => {
  const machine = machines[next(machines.length)];
  if (machine === undefined) throw new Error("There is no machine.");
  return machine;
};

/** A machine that is too busy to end its requests in time ends as interrupted. */
function isWrongEnd(code: number | null): boolean {
  return code !== null && code !== 0 && (SLOWNESS === 1 || code !== 130);
}

const TROUBLES: readonly Trouble[] = [
  {
    name: "kill",
    async happen(world, next) {
      const machine = one(world, next);
      await machine.end("SIGKILL");
      await wait(next(4_000));
      machine.start();
      return undefined;
    },
  },
  {
    name: "kill all",
    async happen({ machines }, next) {
      await Promise.all(machines.map((each) => each.end("SIGKILL")));
      await wait(next(3_000));
      for (const each of machines) each.start();
      return undefined;
    },
  },
  {
    name: "terminate",
    async happen(world, next) {
      const machine = one(world, next);
      // It may have just started, or somebody else may have killed it.
      const wasUp = (await machine.status("/readyz")) !== undefined;
      const code = await machine.end("SIGTERM");
      await wait(next(2_000));
      machine.start();
      return wasUp && isWrongEnd(code) ? `SIGTERM ended serve with ${code}` : undefined;
    },
  },
  {
    name: "rolling restart",
    isAlone: true,
    async happen({ machines }) {
      for (const each of machines) {
        const code = await each.end("SIGTERM");
        each.start();
        await each.ready();
        if (code === null || isWrongEnd(code)) return `a rolling restart ended serve with ${code}`;
      }
      return undefined;
    },
  },
  {
    name: "suspend shortly",
    async happen(world, next) {
      const machine = one(world, next);
      machine.signal("SIGSTOP");
      await wait(200 + next(3_000));
      machine.signal("SIGCONT");
      return undefined;
    },
  },
  {
    name: "suspend for longer than a claim",
    isLate: true,
    async happen(world, next) {
      const machine = one(world, next);
      machine.signal("SIGSTOP");
      await wait(CLAIM_MS + next(6_000));
      machine.signal("SIGCONT");
      return undefined;
    },
  },
  {
    name: "restart the database",
    isAlone: true,
    async happen(_world, _next, database) {
      await database.kill();
      await database.start();
      return undefined;
    },
  },
  {
    name: "database gone",
    isAlone: true,
    async happen({ machines }, next, database) {
      await database.kill();
      await wait(1_000 + next(9_000));
      const ready = await Promise.all(machines.map((each) => each.status("/readyz")));
      await database.start();
      return ready.includes(200) ? `ready without a database: ${ready.join(", ")}` : undefined;
    },
  },
  ...(["cut", "hold", "mute"] as const).map((how): Trouble => ({
    name: `${how} the way of one machine to the database`,
    async happen(world, next) {
      const { proxy } = one(world, next);
      proxy[how]();
      await wait(how === "mute" ? 100 + next(2_000) : 500 + next(2 * CLAIM_MS));
      proxy.heal();
      return undefined;
    },
  })),
];

test(
  "machines under random trouble publish each post once, and lose none",
  { timeout: LONG_MS },
  async () => {
    const script = scriptWithClaims(mkdtempSync(join(tmpdir(), "plancast-script-")), CLAIM_MS);
    const faults: string[] = [];
    const next = randomBelow(SEED);
    let round = 0;
    while (round < ROUNDS) {
      const ignoresKeys = next(2) === 0;
      const machines = 2 + next(2);
      const skewsMs = Array.from({ length: machines }, () => (next(3) - 1) * next(600_000));
      const databaseUrl = await postgres().database();
      const world = await startStores({ databaseUrl, machines, script, ignoresKeys, skewsMs });
      log(
        `seed ${SEED}: ${machines} machines, clocks ${skewsMs.map((ms) => `${Math.round(ms / 1000)} s`).join(", ")}${ignoresKeys ? ", Mastodon ignores keys" : ""}`,
      );
      // All start at once on an empty database.
      for (const each of world.machines) each.start();
      for (let nr = 0; nr < ROUNDS_OF_A_WORLD && round < ROUNDS; nr += 1) {
        round += 1;
        const found = await playRound(round, world, ignoresKeys, next);
        faults.push(...found.map((fault) => `round ${round}: ${fault}`));
      }
      await Promise.all(world.machines.map((each) => each.end("SIGTERM")));
      await Promise.all(world.machines.map((each) => each.proxy.close()));
    }
    log(`${round} rounds, ${faults.length} faults`);
    expect(faults).toEqual([]);
  },
);

const postPage = z.object({
  data: z.array(
    z.object({
      content: z.string(),
      status: z.string(),
      results: z
        .array(z.object({ platform: z.string(), error: z.object({ message: z.string() }).optional() }))
        .optional(),
    }),
  ),
});

async function playRound(
  nr: number,
  world: StoresWorld,
  ignoresKeys: boolean,
  next: Next,
): Promise<string[]> {
  await Promise.all(world.machines.map((each) => each.ready()));
  const networks = [world.bluesky, world.mastodon, world.webhook, world.repeated];
  for (const each of networks) each.delayMs = 20 + next(300);
  const texts = Array.from({ length: 4 + next(12) }, (_, index) => `Round ${nr}, post ${index}`);
  const due = Math.ceil(Date.now() / 1000) * 1000 + LEAD_MS;
  const scheduled_at = new Date(due).toISOString().replace(".000Z", "Z");
  await Promise.all(
    texts.map((content) =>
      one(world, next).request("/posts", { content, scheduled_at, platforms: world.platforms }),
    ),
  );
  // Each has random choices of its own, so that a seed repeats them in any order.
  const troubles = chosen(ignoresKeys, next).map((trouble) => ({ ...trouble, next: randomBelow(next(1e6)) }));
  const isLossy = next(3) === 0;
  const nextFault = randomBelow(next(1e6));
  for (const each of networks)
    each.watch = (_request, moment) => {
      if (!isLossy || nextFault(20) > 0) return undefined;
      return moment === "handled" ? "lost-answer" : nextFault(2) === 0 ? "lost-request" : 503;
    };
  const faults = await Promise.all(
    troubles.map(async ({ happen, next: own }) => {
      await wait(Math.max(0, due - 500 - Date.now()) + own(4_000));
      return happen(world, own, postgres());
    }),
  );
  const healed = Math.max(Date.now(), due);
  for (const each of networks) each.watch = () => undefined;
  while (Date.now() < healed + TAKEOVER_MS + SLACK_MS && !(await isOver(world))) await wait(250);
  const tookMs = Date.now() - healed;
  await Promise.all(world.machines.map((each) => each.ready()));
  faults.push(...(await faultsOf(world, texts)));
  const unanswered = texts.filter((text) => counts(world, text)[2] === 0).length;
  const what = [...troubles.map(({ name }) => name), ...(isLossy ? ["lost answers"] : [])].join(" + ");
  const found = faults.filter((fault) => fault !== undefined);
  log(
    `round ${nr}: ${what}: ${texts.length} posts, over after ${tookMs} ms, ${unanswered} not at the webhook, ${found.length} faults`,
  );
  for (const fault of found) log(`  ${fault}`);
  for (const { ends } of world.machines) for (const end of ends.splice(0)) log(`  ${end}`);
  return found;
}

function chosen(ignoresKeys: boolean, next: Next): readonly Trouble[] {
  const possible = TROUBLES.filter(({ isLate }) => !ignoresKeys || isLate !== true);
  const picked = Array.from({ length: 1 + next(3) }, () => possible[next(possible.length)]).filter(
    (each) => each !== undefined,
  );
  const alone = picked.find(({ isAlone }) => isAlone);
  return alone === undefined ? [...new Set(picked)] : [alone];
}

/** Whether no post waits any more, as one of the machines says. */
async function isOver({ machines }: StoresWorld): Promise<boolean> {
  for (const each of machines) {
    const answer = await each.request("/posts?status=scheduled&limit=1").catch(() => undefined);
    if (answer !== undefined) return postPage.parse(answer).data.length === 0;
  }
  return false;
}

async function faultsOf(world: StoresWorld, texts: readonly string[]): Promise<string[]> {
  const answer = await one(world, () => 0).request("/posts?limit=100&status=scheduled");
  const waiting = postPage.parse(answer).data.map(({ content }) => content);
  const results = await resultsOf(world);
  return texts.flatMap((text) => {
    const [bluesky, mastodon, webhook] = counts(world, text);
    const repeated = world.taken.filter((each) => each === text).length;
    const where = `${text}: ${bluesky} on Bluesky, ${mastodon} on Mastodon, ${repeated} at the webhook with repeats, ${webhook} at the other`;
    const found: string[] = [];
    if (bluesky !== 1 || mastodon !== 1 || repeated !== 1 || webhook > 1) found.push(where);
    if (waiting.includes(text)) found.push(`${text} is still waiting`);
    for (const { platform, error } of results.get(text) ?? []) {
      const isAllowed =
        platform === "webhook/press" && error?.message.startsWith("It may be published") === true;
      if (error !== undefined && !isAllowed) found.push(`${text}, ${platform}: ${error.message}`);
      if (platform === "webhook/press" && error === undefined && webhook === 0)
        found.push(`${text} is not at the webhook, and nothing says so`);
    }
    if ((results.get(text) ?? []).length !== world.platforms.length && !waiting.includes(text))
      found.push(`${text} is in no list, or has no results`);
    return found;
  });
}

type Results = NonNullable<z.infer<typeof postPage>["data"][number]["results"]>;

async function resultsOf(world: StoresWorld): Promise<ReadonlyMap<string, Results>> {
  const all = new Map<string, Results>();
  const page = postPage.extend({ next_cursor: z.string().nullish() });
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = page.parse(await one(world, () => 0).request(`/posts?limit=100${query}`));
    for (const { content, results = [] } of answer.data) all.set(content, results);
    cursor = answer.next_cursor ?? undefined;
  }
  return all;
}

function log(line: string): void {
  const file = process.env["CHAOS_LOG"];
  if (file === undefined) console.info(line);
  else appendFileSync(file, `${line}\n`);
}
