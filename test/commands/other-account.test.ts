/**
 * With another customer's key for the same address, no command writes anything to the service, the lockfile or
 * calendars.
 */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ForeignOptions, type ForeignService, startForeignService } from "../support/foreign-service.ts";
import { afterThisTest } from "../support/after-test.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import { type Scenario, csv, startScenario } from "../support/scenario.ts";
import { tinyPng } from "../support/tiny-media.ts";

const CALENDAR = "calendars/a.csv";
const LOCKFILE = "plancast.lock.json";
const HEADER = ["id", "scheduled_at", "platforms", "content", "media"];
const ROWS = [1, 2, 3].map((day) => [`row-${day}`, `2036-03-0${day} 10:00`, "twitter", `Post ${day}`, ""]);
const FILES = { [CALENDAR]: csv(HEADER, ...ROWS), "calendars/a.png": tinyPng(), "b.png": tinyPng(2) };
const PLATFORMS = ["twitter", "linkedin"];

interface Swapped {
  readonly scenario: Scenario;
  /** The other customer's side of the service, at the same address. */
  readonly other: ForeignService;
  readonly run: (
    args: readonly string[],
    how?: "terminal" | "ci",
    env?: Readonly<Record<string, string>>,
  ) => Promise<CommandResult>;
}

/** A project that was applied on one customer's accounts, and the key of another. */
async function swapped(service: ForeignOptions = {}, others: ForeignOptions = {}): Promise<Swapped> {
  const own = { platforms: PLATFORMS, accountIds: ["acc_1", "acc_2"], ...service };
  const scenario = await startScenario({ files: FILES, service: own });
  await scenario.apply();
  const port = Number(new URL(scenario.service.url).port);
  await scenario.service.close();
  const other = await startForeignService({
    port,
    platforms: PLATFORMS,
    accountIds: ["acc_8", "acc_9"],
    automations: ["auto_1"],
    keys: { sk_other: "admin" },
    now: () => scenario.clock.now(),
    ...others,
    // Otherwise, the first posts of the two customers would have the same id.
    shape: { idForm: "number", ...others.shape },
  });
  afterThisTest(() => other.close());
  const { project, clock } = scenario;
  return {
    scenario,
    other,
    run: (args, how, env) =>
      runCommand(args, {
        cwd: project.root,
        clock,
        env: {
          PLANCAST_BASE_URL: other.url,
          PLANCAST_API_KEY: "sk_other",
          ...(how === "ci" ? { CI: "true" } : {}),
          ...env,
        },
        ...(how === "terminal" ? { terminal: { answer: () => true } } : {}),
      }),
  };
}

/** Everything that a command must not change. */
async function untouched({ scenario: { project }, other }: Swapped): Promise<unknown> {
  const lockfile = await project.read(LOCKFILE).catch(() => undefined);
  const writes = other.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);
  return { calendar: await project.read(CALENDAR), lockfile, writes };
}

/** Each command that writes, with its arguments, and something for it to do. */
const COMMANDS: readonly [string, readonly string[], ((world: Swapped) => unknown)?][] = [
  ["apply what vanished", ["apply"]],
  [
    "apply a new row",
    ["apply"],
    ({ scenario }) =>
      scenario.project.write(CALENDAR, csv(HEADER, ["new", "2036-04-01 10:00", "twitter", "New", ""])),
  ],
  [
    "apply an adoption",
    ["apply"],
    ({ scenario, other }) => {
      other.addForeignPost({
        content: "Taken over",
        platforms: ["twitter"],
        scheduled_at: "2036-05-01T08:00:00Z",
      });
      return scenario.project.write(
        CALENDAR,
        csv(HEADER, ["x", "2036-05-01 10:00", "twitter", "Taken over", ""]),
      );
    },
  ],
  ["cancel a post", ["posts", "cancel", "ID"], ({ other }) => other.addForeignPost()],
  ["upload a file", ["media", "upload", "b.png"]],
  ["trigger an automation", ["automations", "trigger", "auto_1", "--input", "https://a.example"]],
  ["register a webhook", ["webhooks", "add", "--url", "https://a.example/hook"]],
  ["disconnect an account", ["platforms", "disconnect", "acc_8"]],
  ["have a text written", ["ai", "text", "--prompt", "Spring", "--platform", "twitter"]],
  ["have a picture made", ["ai", "image", "--prompt", "Spring"]],
  [
    "draft a row",
    ["draft"],
    ({ scenario }) =>
      scenario.project.write(
        CALENDAR,
        csv(
          ["id", "scheduled_at", "platforms", "content", "prompt"],
          ["d", "2036-04-01 10:00", "twitter", "", "Spring"],
        ),
      ),
  ],
  [
    "adopt what is scheduled",
    ["pull", "--adopt"],
    ({ other }) => other.addForeignPost({ scheduled_at: "2036-05-01T08:00:00Z" }),
  ],
];

const NO_CONFIRM = ["media", "webhooks", "ai"];

/** The service does not show the ids of its accounts to this key. */
function hideAccounts({ faults }: ForeignService): void {
  const body = JSON.stringify({ platforms: PLATFORMS.map((platform) => ({ platform })) });
  faults.plan(({ method, path }) =>
    method === "GET" && path.includes("/platforms")
      ? { kind: "answer-before", answer: { status: 200, body, type: "application/json" } }
      : undefined,
  );
}

/** How a person or a job gets to run a command with the other key. The service hides its accounts in the last way only. */
const WAYS = [
  { how: "terminal", isHidden: false },
  { how: "ci", isHidden: false },
  { how: "terminal", isHidden: true },
] as const;

test.each(COMMANDS)(
  "with another customer's key, a command does nothing: %s",
  async (_what, args, prepare) => {
    const world = await swapped();
    const { project } = world.scenario;
    await prepare?.(world);
    const [id = ""] = world.other.posts.keys();
    const lockfile = await project.read(LOCKFILE);
    // Every run leaves everything as it was, so the next one can use the same project and service.
    for (const { how, isHidden } of WAYS) {
      if (isHidden) hideAccounts(world.other);
      const asks = how === "ci" && !NO_CONFIRM.includes(args[0] ?? "");
      const given = [...args.map((each) => (each === "ID" ? id : each)), ...(asks ? ["--yes"] : [])];
      for (const withLockfile of [true, false]) {
        if (withLockfile) await project.write(LOCKFILE, lockfile);
        else await project.remove(LOCKFILE);
        const before = await untouched(world);
        const { code, stderr } = await world.run(given, how);
        expect([how, isHidden, withLockfile, code, stderr]).toEqual([
          how,
          isHidden,
          withLockfile,
          1,
          expect.stringContaining("lockfile/other-account"),
        ]);
        expect(await untouched(world)).toEqual(before);
      }
    }
  },
);

/** A pull request may change the checkout so that another customer's accounts seem to belong to the project. */
const FORGED: readonly ((world: Swapped) => Promise<unknown>)[] = [
  ({ scenario: { project } }) => project.remove(LOCKFILE),
  ({ scenario: { project } }) => editLockfile(project, ({ accounts: _accounts, ...rest }) => rest),
  ({ scenario: { project } }) =>
    editLockfile(project, (lockfile) => ({ ...lockfile, accounts: ["acc_1", "acc_8"] })),
];

async function editLockfile(
  project: Scenario["project"],
  edit: (lockfile: Record<string, unknown>) => object,
): Promise<void> {
  await project.write(
    LOCKFILE,
    `${JSON.stringify(edit(JSON.parse(await project.read(LOCKFILE))), null, 2)}\n`,
  );
}

test.each(COMMANDS)(
  "PLANCAST_ACCOUNTS has priority over a forged checkout: %s",
  async (_what, args, prepare) => {
    const world = await swapped();
    await prepare?.(world);
    const [id = ""] = world.other.posts.keys();
    const given = [
      ...args.map((each) => (each === "ID" ? id : each)),
      ...(NO_CONFIRM.includes(args[0] ?? "") ? [] : ["--yes"]),
    ];
    const allowed = args[0] === "apply" ? ["--allow-recreates", "3"] : [];
    const lockfile = await world.scenario.project.read(LOCKFILE);
    for (const forge of FORGED) {
      await world.scenario.project.write(LOCKFILE, lockfile);
      await forge(world);
      await rm(join(world.scenario.project.root, ".plancast"), { recursive: true, force: true });
      const before = await untouched(world);
      const env = { PLANCAST_ACCOUNTS: "acc_1, acc_2" };
      const { code, stderr } = await world.run([...given, ...allowed], "ci", env);
      expect([code, stderr]).toEqual([1, expect.stringContaining("PLANCAST_ACCOUNTS names acc_1, acc_2")]);
      expect(await untouched(world)).toEqual(before);
    }
  },
);

test("PLANCAST_ACCOUNTS has priority over the accounts of the lockfile, even if those changed", async () => {
  const world = await swapped();
  const allowed = ["apply", "--yes", "--allow-recreates", "3"];
  expect((await world.run(allowed, "ci", { PLANCAST_ACCOUNTS: "acc_8" })).code).toBe(0);
  expect(world.other.scheduled()).toHaveLength(3);
});

test("PLANCAST_ACCOUNTS refuses a service that does not show its accounts", async () => {
  const scenario = await startScenario({ files: FILES });
  const unreadable = { status: 200, body: '{"platforms":[{}]}', type: "application/json" };
  scenario.service.faults.plan(({ path }) =>
    path.includes("/platforms") ? { kind: "answer-before", answer: unreadable } : undefined,
  );
  const { code, stderr } = await runCommand(["apply", "--yes"], {
    cwd: scenario.project.root,
    clock: scenario.clock,
    env: { ...scenario.env, PLANCAST_ACCOUNTS: "acc_1" },
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining("cannot check whose accounts")]);
  expect(scenario.service.posts.size).toBe(0);
});

test("a plan warns if the lockfile lists posts but no accounts, and the next apply saves the accounts", async () => {
  const service = { platforms: ["twitter"], accountIds: ["acc_1"] };
  const scenario = await startScenario({ files: FILES, service });
  const codes = async (): Promise<string[]> => (await scenario.plan()).problems.map(({ code }) => code);
  expect(await codes()).not.toContain("plan/accounts-unknown");
  await scenario.apply();
  await editLockfile(scenario.project, ({ accounts: _accounts, ...rest }) => rest);
  await scenario.project.remove(".plancast");
  await scenario.project.write(
    CALENDAR,
    csv(HEADER, ...ROWS, ["d", "2036-04-01 10:00", "twitter", "New", ""]),
  );
  expect(await codes()).toContain("plan/accounts-unknown");
  await scenario.apply();
  expect(JSON.parse(await scenario.project.read(LOCKFILE))).toMatchObject({ accounts: ["acc_1"] });
});

test("an empty list of accounts in the lockfile counts as no list", async () => {
  const world = await swapped();
  await editLockfile(world.scenario.project, (lockfile) => ({ ...lockfile, accounts: [] }));
  const before = await untouched(world);
  const { code, stderr } = await world.run(["apply", "--yes", "--allow-recreates", "3"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("lockfile/other-account")]);
  expect(await untouched(world)).toEqual(before);
});

test("a PLANCAST_ACCOUNTS without an id allows no write", async () => {
  const world = await swapped();
  const before = await untouched(world);
  const { code, stderr } = await world.run(["apply", "--yes"], "ci", { PLANCAST_ACCOUNTS: " , " });
  expect([code, stderr]).toEqual([1, expect.stringContaining("lockfile/other-account")]);
  expect(await untouched(world)).toEqual(before);
});

test("with another customer's key, posts with missing rows stay owned", async () => {
  const world = await swapped();
  const row = ["old", "2020-01-01 10:00", "twitter", "Old", ""];
  await world.scenario.project.write(CALENDAR, csv(HEADER, row));
  const before = await untouched(world);
  const { code, stderr } = await world.run(["apply", "--yes"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("lockfile/other-account")]);
  expect(await untouched(world)).toEqual(before);
});

test("a plan that was reviewed with accounts is refused if the service hides them, even without a lockfile", async () => {
  const { run, scenario, other } = await swapped({}, { accountIds: ["acc_1", "acc_2"] });
  await scenario.project.remove(LOCKFILE);
  await scenario.project.remove(".plancast");
  expect((await run(["plan", "--out", "plan.json"])).code).toBe(0);
  hideAccounts(other);
  const { code, stderr } = await run(["apply", "--yes", "--plan", "plan.json"], "ci");
  expect([code, stderr]).toEqual([1, expect.stringContaining("the plan was made for acc_1, acc_2")]);
  expect(other.posts.size).toBe(0);
});

test("plan reports another customer's key as an error", async () => {
  const { run } = await swapped();
  const { code, stdout } = await run(["plan", "--format", "json"]);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    1,
    { changes: [], problems: [{ code: "lockfile/other-account", severity: "error" }] },
  ]);
});

test("a run without changes does not request the accounts", async () => {
  const scenario = await startScenario({
    files: FILES,
    service: { platforms: ["twitter"], accountIds: ["acc_1"] },
  });
  await scenario.apply();
  const lockfile = await scenario.project.read(LOCKFILE);
  expect(JSON.parse(lockfile)).toMatchObject({ accounts: ["acc_1"] });
  const before = scenario.service.requests.length;
  await scenario.plan();
  expect((await scenario.apply()).requests).toBe(1);
  const paths = scenario.service.requests.slice(before).map(({ path }) => path);
  expect(paths).toEqual(["/v1/posts", "/v1/posts"]);
  expect(await scenario.project.read(LOCKFILE)).toBe(lockfile);
});

test("an older lockfile causes no change, and is not rewritten only to add the accounts", async () => {
  const scenario = await startScenario({
    files: FILES,
    service: { platforms: ["twitter"], accountIds: ["acc_1"] },
  });
  await scenario.apply();
  const { accounts: _accounts, ...older } = JSON.parse(await scenario.project.read(LOCKFILE));
  await scenario.project.remove(".plancast");
  const text = `${JSON.stringify(older, undefined, 2)}\n`;
  await scenario.project.write(LOCKFILE, text);
  expect(await scenario.summary()).toEqual({ keep: 3 });
  await scenario.apply();
  expect(await scenario.project.read(LOCKFILE)).toBe(text);
});

test("if one account is still connected, the accounts do not stop a run, but no vanished post comes back", async () => {
  const world = await swapped({}, { accountIds: ["acc_2", "acc_9"] });
  const { code, stderr } = await world.run(["apply", "--yes"]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/apply\/missing[\s\S]*Check that this is the right\s+key/),
  ]);
  expect(world.other.posts.size).toBe(0);
  const wrong = await world.run(["apply", "--yes", "--allow-recreates", "2"]);
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringMatching(/--allow-recreates allows\s+exactly 2, but 3 rows are missing/),
  ]);
  expect((await world.run(["apply", "--yes", "--allow-recreates", "3"])).code).toBe(0);
  expect(world.other.scheduled()).toHaveLength(3);
});

test("a reviewed plan can also create missing posts again", async () => {
  const scenario = await startScenario({ files: FILES });
  await scenario.apply();
  for (const { id } of scenario.service.scheduled()) scenario.service.cancelByHand(id);
  expect((await scenario.plan("--out", "plan.json")).missing).toHaveLength(3);
  await scenario.apply({ args: ["--plan", "plan.json"] });
  expect(scenario.service.scheduled()).toHaveLength(3);
});

test("accept-account confirms new accounts; missing posts still need their own confirmation", async () => {
  const { run, scenario } = await swapped();
  const refused = await run(["lockfile", "accept-account"], "ci");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("run/needs-terminal")]);
  const { code, stdout } = await run(["lockfile", "accept-account", "--yes", "--format", "json"]);
  expect([code, JSON.parse(stdout).outcome]).toEqual([
    0,
    { status: "done", before: ["acc_1", "acc_2"], accounts: ["acc_8", "acc_9"] },
  ]);
  expect(JSON.parse(await scenario.project.read(LOCKFILE)).accounts).toEqual(["acc_8", "acc_9"]);
  expect((await run(["apply", "--yes"])).stderr).toContain("apply/missing");
  expect((await run(["apply", "--yes", "--allow-recreates", "3"])).code).toBe(0);
});

test("accept-account asks you to connect an account if there is none", async () => {
  const { run } = await swapped({}, { platforms: [] });
  const { code, stderr } = await run(["lockfile", "accept-account", "--yes"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("No account is connected.")]);
});

test("accept-account has nothing to accept if the service never showed ids", async () => {
  const scenario = await startScenario({ files: FILES, service: { platforms: PLATFORMS } });
  hideAccounts(scenario.service);
  await scenario.apply();
  const { code, stderr } = await runCommand(["lockfile", "accept-account", "--yes"], {
    cwd: scenario.project.root,
    clock: scenario.clock,
    env: scenario.env,
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining("does not show the ids of its accounts")]);
});

test("accept-account confirms that the service no longer shows ids, and later runs compare nothing", async () => {
  const { run, scenario, other } = await swapped();
  hideAccounts(other);
  const refused = await run(["lockfile", "accept-account"], "ci");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("run/needs-terminal")]);
  const { code, stdout } = await run(["lockfile", "accept-account", "--yes"]);
  expect([code, stdout]).toEqual([0, "The lockfile knew acc_1, acc_2. It now knows no accounts.\n"]);
  expect(JSON.parse(await scenario.project.read(LOCKFILE))).not.toHaveProperty("accounts");
  expect((await run(["apply", "--yes", "--allow-recreates", "3"])).code).toBe(0);
  expect(other.scheduled()).toHaveLength(3);
});

test("accept-account shows the accounts before and after", async () => {
  const { run } = await swapped();
  const accept = (): Promise<CommandResult> => run(["lockfile", "accept-account", "--yes"]);
  expect((await accept()).stdout).toBe("The lockfile knew acc_1, acc_2. It now knows acc_8, acc_9.\n");
  expect((await accept()).stdout).toBe("The lockfile already knows acc_8, acc_9.\n");
});

test("status does not call the posts of another customer cancelled", async () => {
  const { run } = await swapped();
  const { code, stdout, stderr } = await run(["status"]);
  expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("lockfile/other-account")]);
  await run(["lockfile", "accept-account", "--yes"]);
  expect((await run(["status"])).stdout).toContain("3 missing");
});

test("doctor compares with PLANCAST_ACCOUNTS, as plan does", async () => {
  const { run } = await swapped();
  const lockfileCheck = async (accounts: string): Promise<unknown> => {
    const { stdout } = await run(["doctor", "--format", "json"], undefined, { PLANCAST_ACCOUNTS: accounts });
    const { checks }: { checks: { name: string }[] } = JSON.parse(stdout);
    return checks.find(({ name }) => name === "lockfile");
  };
  expect(await lockfileCheck("acc_5")).toMatchObject({
    state: "problem",
    message: expect.stringContaining("PLANCAST_ACCOUNTS names acc_5"),
  });
  // The lockfile names acc_1 and acc_2, but the environment has priority.
  expect(await lockfileCheck("acc_5, acc_8")).toMatchObject({ state: "warning" });
});

test("doctor says that the service no longer shows the accounts", async () => {
  const { run, other } = await swapped();
  hideAccounts(other);
  const { code, stdout } = await run(["doctor"]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/to do +lockfile +plancast cannot check whose/)]);
});

test("doctor says that the key leads to other accounts", async () => {
  const { run } = await swapped();
  const { code, stdout } = await run(["doctor"]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/to do +lockfile +This key gives access to other accounts/),
  ]);
  expect(stdout).toContain("acc_8");
});
