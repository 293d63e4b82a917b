/** Edits in sheets come to review by one pull request. A stand-in answers for Google, and the hub for GitHub. */
import { expect, test } from "vitest";
import { fetchWorkflow, workflowTemplate } from "../../src/commands/init/workflows.ts";
import { type Hub, type Pull, type RanJob, WORKFLOW, startHub } from "../support/github/hub.ts";
import {
  type GoogleStandIn,
  type TestGoogleSheet,
  READ_SCOPE,
  WRITE_SCOPE,
  startGoogle,
} from "../support/google-sheets.ts";
import { type TestCell, xlsx } from "../support/workbook-files.ts";

const ID = "1AbCdEfGhIjKlMnOpQrStUvWxYz";
const COPY = "calendars/plan.xlsx";
const BRANCH = "plancast/fetch-plancast";
const FETCH_WORKFLOW = ".github/workflows/plancast-fetch.yml";
const SETTINGS = `timezone: UTC
calendars:
  - file: ${COPY}
    from: https://docs.google.com/spreadsheets/d/${ID}/edit#gid=0
`;
const OPTIONS = { action: "plancast/plancast@v0.1.0", branch: "main", repeats: false, folder: "" };

type Row = readonly TestCell[];
const HEADER: Row = ["id", "date", "time", "platforms", "content", "status"];
const BREAD: Row = ["bread", "2036-03-01", "09:00", "linkedin", "Fresh bread", ""];
const LAMP: Row = ["lamp", "2036-03-02", "09:00", "linkedin", "Our new lamp", ""];
const TABLE: Row = ["table", "2036-03-03", "09:00", "linkedin", "A new table", ""];

interface World {
  readonly hub: Hub;
  readonly google: GoogleStandIn;
  readonly sheet: TestGoogleSheet;
  readonly edit: (...rows: readonly Row[]) => void;
  readonly fetch: () => Promise<RanJob>;
  /** Merges what the last fetch opened, and applies it. */
  readonly mergeAndApply: () => Promise<RanJob[]>;
}

interface Given {
  readonly rows?: readonly Row[];
  readonly autoMerge?: boolean;
  readonly settings?: string;
  readonly token?: boolean;
  readonly results?: boolean;
}

async function start({
  rows = [BREAD, LAMP],
  autoMerge = false,
  settings = SETTINGS,
  token = false,
  results = false,
}: Given = {}): Promise<World> {
  const google = await startGoogle();
  const sheet: TestGoogleSheet = {
    sheets: [{ name: "Plan", rows: [HEADER, ...rows] }],
    isShared: true,
    viewers: new Set(["bot@team.example"]),
    editors: new Set(),
  };
  google.sheets.set(ID, sheet);
  const workflow = fetchWorkflow(OPTIONS)
    .replace(
      /( *)GOOGLE_SERVICE_ACCOUNT_JSON: .*/,
      "$1PLANCAST_GOOGLE_ENDPOINT: ${{ vars.GOOGLE }}\n$1GOOGLE_OAUTH_ACCESS_TOKEN: ${{ vars.TOKEN }}",
    )
    .replace('sheet-results: "false"', `sheet-results: "${results}"`)
    .replace('auto-merge: "false"', `auto-merge: "${autoMerge}"`);
  const hub = await startHub({
    "plancast.yaml": settings,
    [WORKFLOW]: workflowTemplate(OPTIONS),
    [FETCH_WORKFLOW]: workflow,
  });
  hub.vars["GOOGLE"] = google.endpoint;
  hub.vars["TOKEN"] = token ? google.token("bot@team.example", `${READ_SCOPE} ${WRITE_SCOPE}`) : "";
  return {
    hub,
    google,
    sheet,
    edit: (...changed) => {
      sheet.sheets = [{ name: "Plan", rows: [HEADER, ...changed] }];
    },
    fetch: async () => {
      const [job, ...others] = await hub.run("schedule", { workflow: "plancast-fetch.yml" });
      if (job === undefined || others.length > 0) throw new Error("the workflow has one job with the Action");
      return job;
    },
    mergeAndApply: () => hub.pushed(hub.merge(hub.opened(BRANCH))),
  };
}

function texts({ service }: Hub): readonly string[] {
  return service
    .scheduled()
    .map(({ content }) => content)
    .toSorted();
}

function summaryOf({ steps }: RanJob): string {
  return steps.map(({ summary }) => summary).join("\n");
}

async function started(given?: Given): Promise<World> {
  const world = await start(given);
  await world.fetch();
  expect((await world.mergeAndApply()).map(({ failed }) => failed)).toEqual([false]);
  return world;
}

test("a sheet becomes one pull request with its plan, and its merge schedules exactly that", async () => {
  const { hub, fetch, mergeAndApply, edit } = await start();
  const first = await fetch();
  expect(first).toMatchObject({ failed: false, outputs: { result: "changes", create: "2" } });
  expect(first.outputs["pull-request"]).toBe("https://github.example/acme/social/pull/99");
  expect(hub.github.opened).toMatchObject([{ head: BRANCH, base: "main" }]);
  const [comment, ...others] = hub.github.comments;
  expect(others).toEqual([]);
  expect(comment?.body).toContain("### Plan: ➕ 2 to create");
  expect(comment?.body).toContain("Our new lamp");
  expect(texts(hub)).toEqual([]);
  const applied = await mergeAndApply();
  expect(applied).toMatchObject([{ failed: false, outputs: { result: "applied" } }]);
  expect(texts(hub)).toEqual(["Fresh bread", "Our new lamp"]);

  const requests = hub.github.requests.length;
  expect(await fetch()).toMatchObject({ failed: false, outputs: { result: "nothing" } });
  expect(hub.github.opened).toEqual([]);
  expect(hub.github.requests.slice(requests).filter((each) => !each.startsWith("GET"))).toEqual([]);
  edit(BREAD, LAMP, TABLE);
  expect((await fetch()).outputs).toMatchObject({ create: "1", replace: "0", cancel: "0" });
});

test("a pull request that waits for two days shows what the sheet says now, and its merge schedules that", async () => {
  const { hub, fetch, mergeAndApply, edit } = await started();
  edit(BREAD, LAMP, TABLE);
  await fetch();
  hub.clock.advance(24 * 3_600_000);
  edit(BREAD, [...LAMP.slice(0, 4), "Our best lamp", ""], TABLE);
  const person = await hub.clone();
  await person.commit("notes", { "notes.md": "Ideas" });
  hub.push(person);
  await fetch();
  hub.clock.advance(24 * 3_600_000);
  // Another export, moved rows: the same posts.
  edit(TABLE, [...LAMP.slice(0, 4), "Our best lamp", ""], BREAD);
  const last = await fetch();
  expect(hub.github.opened).toHaveLength(1);
  expect(last.outputs).toMatchObject({ create: "1", replace: "1" });
  await mergeAndApply();
  expect(texts(hub)).toEqual(["A new table", "Fresh bread", "Our best lamp"]);
  expect(hub.remoteFile("notes.md")).toBe("Ideas");
});

test("edits that are undone close the pull request", async () => {
  const { hub, fetch, edit } = await started();
  edit(BREAD);
  await fetch();
  expect(hub.github.opened).toHaveLength(1);
  edit(BREAD, LAMP);
  expect((await fetch()).outputs).toMatchObject({ result: "nothing" });
  expect([hub.github.opened, hub.github.closed]).toEqual([[], [99]]);
});

test("an export with other bytes and the same cells pushes nothing", async () => {
  const { hub, fetch, edit } = await started();
  edit(BREAD, LAMP, TABLE);
  await fetch();
  const tip = hub.tip(BRANCH);
  await fetch();
  expect(hub.tip(BRANCH)).toBe(tip);
});

test("a pull request that somebody closed stays closed until the sheet changes", async () => {
  const { hub, fetch, edit } = await started();
  edit(BREAD, LAMP, TABLE);
  await fetch();
  hub.refuse(hub.opened(BRANCH));
  const again = await fetch();
  expect(summaryOf(again)).toContain("Somebody closed the pull request with exactly these contents");
  expect(hub.github.opened).toEqual([]);
  edit(BREAD, LAMP, [...TABLE.slice(0, 4), "A better table", ""]);
  await fetch();
  expect(hub.github.opened).toHaveLength(1);
});

/** What a person changes on the branch of the pull request. */
async function onBranch(
  hub: Hub,
  files: Parameters<Awaited<ReturnType<Hub["clone"]>>["write"]>[0],
): Promise<void> {
  const person = await hub.clone();
  person.git("checkout", "-q", "-B", "mine", `origin/${BRANCH}`);
  await person.commit("By hand", files);
  person.git("push", "-q", "origin", `HEAD:${BRANCH}`);
}

test("a new column gets a proposal, named first, and a correction of it stays", async () => {
  const { hub, sheet, fetch, mergeAndApply } = await started();
  sheet.sheets = [
    {
      name: "Plan",
      rows: [
        [...HEADER, "Approved by"],
        [...BREAD, "Kim"],
        [...LAMP, ""],
      ],
    },
  ];
  const job = await fetch();
  const body = hub.github.comments.at(-1)?.body ?? "";
  expect(body).toMatch(/^[^]*### [^\n]*\n[^]*\[!IMPORTANT\][^]*Approved by/);
  expect(body.indexOf("IMPORTANT")).toBeLessThan(body.indexOf("plan.xlsx: fetched"));
  expect(hub.remoteFile("plancast.yaml", BRANCH)).toContain("Approved by");
  expect(job.outputs["pull-request"]).toBeDefined();
  await onBranch(hub, { "plancast.yaml": `${SETTINGS}columns: { Approved by: ignore }\n` });
  expect(await fetch()).toMatchObject({ failed: false });
  expect(hub.remoteFile("plancast.yaml", BRANCH)).toContain("Approved by: ignore");
  expect((await mergeAndApply()).map(({ failed }) => failed)).toEqual([false]);
  expect(texts(hub)).toEqual(["Fresh bread", "Our new lamp"]);
});

test("an edit of the copy in the pull request is not lost", async () => {
  const { hub, fetch, edit } = await started();
  edit(BREAD, LAMP, TABLE);
  await fetch();
  const mine = xlsx([{ name: "Plan", rows: [HEADER, BREAD, LAMP, [...TABLE.slice(0, 4), "Mine", ""]] }]);
  await onBranch(hub, { [COPY]: mine });
  edit(BREAD, LAMP, [...TABLE.slice(0, 4), "Theirs", ""]);
  const job = await fetch();
  expect(job.failed).toBe(true);
  expect(summaryOf(job)).toContain("Somebody edited this copy in the pull request");
  const person = await hub.clone();
  person.git("checkout", "-q", `origin/${BRANCH}`);
  expect(Buffer.from(await person.read(COPY)).toString()).toBe(Buffer.from(mine).toString("utf8"));
});

test("a copy that was edited on the main branch, too, is a conflict", async () => {
  const { hub, fetch, edit } = await started();
  const person = await hub.clone();
  await person.commit("By hand", {
    [COPY]: xlsx([{ name: "Plan", rows: [HEADER, BREAD, [...LAMP.slice(0, 4), "Mine", ""]] }]),
  });
  hub.push(person);
  edit(BREAD, [...LAMP.slice(0, 4), "Theirs", ""]);
  const job = await fetch();
  expect(job).toMatchObject({ failed: true, outputs: { result: "failed", errors: "1" } });
  expect(summaryOf(job)).toContain("fetch/conflict");
  expect(hub.github.opened).toEqual([]);
});

test("two fetches at once open one pull request", async () => {
  const { hub, fetch } = await start();
  const jobs = await Promise.all([fetch(), fetch()]);
  expect(jobs.map(({ failed }) => failed)).toEqual([false, false]);
  expect(new Set(hub.github.opened.map(({ head }) => head))).toEqual(new Set([BRANCH]));
  expect(hub.github.opened).toHaveLength(1);
});

test("a sheet that is shared with nobody fails the job, and leaves everything as it is", async () => {
  const { hub, sheet, fetch } = await started();
  sheet.isShared = false;
  const job = await fetch();
  expect(job).toMatchObject({ failed: true, outputs: { result: "failed" } });
  expect(summaryOf(job)).toContain("only after signing in");
  expect(texts(hub)).toHaveLength(2);
});

function stopped(row: Row): Row {
  return row.with(5, "Stop");
}

test("a row that says Stop is cancelled at once, and everything else waits for a review", async () => {
  const { hub, fetch, edit, mergeAndApply } = await started();
  edit(BREAD, stopped(LAMP), TABLE);
  const begun = { real: Date.now(), virtual: hub.clock.now() };
  const job = await fetch();
  expect(job).toMatchObject({ failed: false, outputs: { create: "1", cancel: "0" } });
  expect(texts(hub)).toEqual(["Fresh bread"]);
  // Two minutes from the start of the job; GitHub's queue adds to it.
  expect(hub.clock.now() - begun.virtual).toBeLessThan(120_000);
  expect(Date.now() - begun.real).toBeLessThan(120_000);
  expect(hub.remoteFile("plancast.holds.yaml")).toContain('"only":{"id":["lamp"]}');
  expect(summaryOf(job)).toContain("Stopped in the sheet");
  expect(job.outputs["lockfile"]).toBe("unchanged");
  expect(hub.remoteFile("plancast.lock.json")).not.toContain("Our new lamp");

  // The hold counts once, also if the pull request waits.
  await fetch();
  expect(hub.remoteFile("plancast.holds.yaml").match(/"hold":/g)).toHaveLength(1);
  await mergeAndApply();
  expect(texts(hub)).toEqual(["A new table", "Fresh bread"]);

  // Ready again in the sheet: a release is a decision of its own.
  edit(BREAD, LAMP, TABLE);
  await fetch();
  await mergeAndApply();
  expect(texts(hub)).toEqual(["A new table", "Fresh bread"]);
});

test("without ids, a stopped row is found by its other cells", async () => {
  const rows = [BREAD, LAMP].map((each) => each.with(0, ""));
  const { hub, fetch, edit } = await started({ rows });
  edit(...rows.map((each, index) => (index === 1 ? stopped(each) : each)));
  expect(await fetch()).toMatchObject({ failed: false });
  expect(texts(hub)).toEqual(["Fresh bread"]);
});

test("a run stops at most safety.max_cancels posts without a review", async () => {
  const settings = `${SETTINGS}safety: { max_cancels: 1 }\n`;
  const { hub, fetch, edit } = await started({ settings, rows: [BREAD, LAMP, TABLE] });
  edit(stopped(BREAD), stopped(LAMP), TABLE);
  const job = await fetch();
  expect(job.failed).toBe(true);
  expect(summaryOf(job)).toContain("1 row was stopped in a sheet, but is not held yet");
  expect(texts(hub)).toEqual(["A new table", "Our new lamp"]);
});

function mergedPull(world: World): Pull {
  const { hub } = world;
  expect(hub.github.started).toEqual([{ workflow: "plancast.yml", ref: "main" }]);
  const pull = hub.opened(BRANCH);
  expect(hub.github.merged).toEqual([{ number: 99, sha: hub.tip(BRANCH) }]);
  return pull;
}

test("with auto-merge, a harmless edit of a closed sheet goes through without a person", async () => {
  const world = await start({ autoMerge: true, token: true });
  const { hub, sheet, fetch } = world;
  sheet.isShared = false;
  expect(await fetch()).toMatchObject({ failed: false });
  hub.merge(mergedPull(world));
  const applied = await hub.run("workflow_dispatch", { workflow: "plancast.yml" });
  expect(applied).toMatchObject([{ failed: false, outputs: { result: "applied" } }]);
  expect(texts(hub)).toEqual(["Fresh bread", "Our new lamp"]);
});

test.each([
  [
    "a sheet that strangers can open",
    (world: World) => world.edit(BREAD, LAMP, TABLE),
    true,
    "cannot know who edits it",
  ],
  ["a cancel", (world: World) => world.edit(BREAD), false, "the plan has an error, a cancel, or a question"],
  ["an error", (world: World) => world.edit(BREAD, LAMP, TABLE.with(1, "soon")), false, "an error, a cancel"],
])("with auto-merge, %s waits for a person", async (_what, edit, isShared, says) => {
  const world = await started({ autoMerge: true, token: true });
  edit(world);
  world.sheet.isShared = isShared;
  const job = await world.fetch();
  expect(world.hub.github.comments.at(-1)?.body).toContain(says);
  expect(job.outputs["pull-request"]).toBeDefined();
  expect([world.hub.github.merged, world.hub.github.started]).toEqual([[], []]);
});

function settingsWith(draft: string): string {
  return `${SETTINGS}values: { status: { "": ready, Draft: ${draft} } }\n`;
}

test("with auto-merge, settings that somebody pushed to the branch wait for a person", async () => {
  const given = { autoMerge: true, token: true, settings: settingsWith("draft") };
  const { hub, sheet, edit, fetch } = await started(given);
  edit(BREAD, LAMP, [...TABLE.slice(0, 5), "Draft"]);
  await fetch();
  // A draft would be published, and the plan would show only a create.
  await onBranch(hub, { "plancast.yaml": settingsWith("ready") });
  sheet.isShared = false;
  expect((await fetch()).outputs).toMatchObject({ create: "1", errors: "0" });
  expect(hub.github.comments.at(-1)?.body).toContain("the pull request changes settings");
  expect([hub.github.merged, hub.github.started]).toEqual([[], []]);
});

test("the job writes what became of posts into the sheet, if the workflow says so", async () => {
  const { hub, sheet, fetch, edit } = await start({ token: true, results: true });
  sheet.editors?.add("bot@team.example");
  const header = [...HEADER, "plancast status", "plancast link"];
  const withHeader = (...rows: readonly Row[]): void => {
    sheet.sheets = [{ name: "Plan", rows: [header, ...rows] }];
  };
  withHeader(BREAD, LAMP);
  await fetch();
  await hub.pushed(hub.merge(hub.opened(BRANCH)));
  expect(await fetch()).toMatchObject({ failed: false, outputs: { result: "nothing" } });
  expect(sheet.sheets[0]?.rows).toEqual([header, [...BREAD, "scheduled"], [...LAMP, "scheduled"]]);
  edit(BREAD, LAMP);
  const job = await fetch();
  expect(job.failed).toBe(false);
  expect(summaryOf(job)).toContain("The sheet has no columns");
});

test("a pull request cannot fetch", async () => {
  const { hub } = await start();
  const person = await hub.clone();
  person.start("mine");
  const text = await person.read(WORKFLOW);
  await person.commit("mine", { [WORKFLOW]: text.replace("command: plan", "command: fetch") });
  const [job] = await hub.plan(hub.open(person));
  expect(job).toMatchObject({ failed: true });
  expect(job === undefined ? "" : summaryOf(job)).toContain("This command runs on a branch");
});
