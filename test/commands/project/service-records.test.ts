/** Posts, media and platforms of the service from the command line. */

import { expect, test } from "vitest";
import { type CommandResult, runCommand } from "../../support/run-command.ts";
import { type Scenario, csv, startScenario } from "../../support/scenario.ts";
import { tinyPng } from "../../support/tiny-media.ts";

const ROW = ["launch", "2036-03-01 10:00", "twitter", "Launch", "a.png"];
const HEADER = ["id", "scheduled_at", "platforms", "content", "media"];
const FILES = {
  "calendars/a.csv": csv(HEADER, ROW),
  "calendars/a.png": tinyPng(),
  "b.png": tinyPng(2),
};
const HOSTILE = "\u001b[31mred\u001b]0;title\u0007\u202eevil\n::set-output name=a::b\n##[error]x";

async function applied(options: Partial<Parameters<typeof startScenario>[0]> = {}): Promise<Scenario> {
  const scenario = await startScenario({ files: FILES, ...options });
  await scenario.apply();
  return scenario;
}

/** The document that a command prints. The command must end with this code. */
async function lockfile({ project }: Scenario): Promise<Record<string, Record<string, unknown>>> {
  return JSON.parse(await project.read("plancast.lock.json"));
}

function onlyId({ service }: Scenario): string {
  return service.scheduled()[0]?.id ?? "";
}

test("lists posts with their rows", async () => {
  const scenario = await applied({ service: { shape: { statusFilter: "ignored" } } });
  const id = onlyId(scenario);
  const other = scenario.service.addForeignPost({ content: HOSTILE, scheduled_at: "2036-02-01T08:00:00Z" });
  scenario.service.cancelByHand(scenario.service.addForeignPost().id);
  expect(await scenario.json(0, "posts", "list")).toMatchObject({
    version: 1,
    whole: true,
    posts: [
      { id: other.id, status: "scheduled", scheduled_at: "2036-02-01T08:00:00Z" },
      { id, content: "Launch", platforms: ["twitter"], row: { key: "launch", file: "calendars/a.csv" } },
    ],
  });
  const { stdout } = await scenario.run("posts", "list");
  expect(stdout).toContain(`2036-03-01 10:00  ${id}`);
  expect(stdout).toMatch(/\n2 posts\. Times are in Europe\/Paris\.\n$/);
  // oxlint-disable-next-line no-control-regex
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^\s*::|##\[/m);
  expect((await scenario.run("posts", "list", "--status", "all")).stdout).toMatch(/cancelled[^]*3 posts/);
});

test("shows a whole post; a missing one is an error", async () => {
  const scenario = await applied();
  const id = onlyId(scenario);
  const shown = await scenario.run("posts", "show", id);
  expect(shown.stdout).toMatch(/status: scheduled[^]*row: calendars\/a.csv: launch[^]*Launch/);
  expect(await scenario.json(0, "posts", "show", id)).toMatchObject({ post: { id }, record: { id } });
  const missing = await scenario.run("posts", "show", "post_none", "--format", "json");
  expect([missing.code, JSON.parse(missing.stdout)]).toMatchObject([
    1,
    { version: 1, problems: [{ code: "service/not-found" }] },
  ]);
});

test("a cancel needs confirmation, shows the row of the post, and updates the lockfile", async () => {
  const scenario = await applied();
  const id = onlyId(scenario);
  const refused = await scenario.run("posts", "cancel", id);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("run/needs-terminal")]);
  expect(scenario.service.scheduled().length).toBe(1);

  const done = await scenario.run("posts", "cancel", id, "--yes");
  expect([done.code, done.stdout]).toEqual([0, `Cancelled ${id}.\n`]);
  expect(done.stderr.replaceAll(/\s+/g, " ")).toContain(
    "(calendars/a.csv: launch). The next apply creates it again",
  );
  expect(scenario.service.scheduled()).toEqual([]);
  expect(await lockfile(scenario)).toMatchObject({ posts: {}, cancelled: { [id]: { key: "launch" } } });
  expect(await scenario.json(0, "posts", "cancel", id, "--yes")).toMatchObject({
    outcome: { post_id: id, status: "done", post: "already-gone" },
  });
  expect(await scenario.summary()).toEqual({ create: 1 });
  await scenario.apply();
  expect(scenario.service.duplicates()).toEqual([]);
});

test("a cancel with an unknown outcome exits with 3, and the post stays owned", async () => {
  const scenario = await applied();
  const id = onlyId(scenario);
  scenario.service.faults.plan(({ method }) => (method === "DELETE" ? "status-500-before" : undefined));
  const document = await scenario.json(3, "posts", "cancel", id, "--yes");
  expect(document).toMatchObject({ outcome: { post_id: id, status: "unknown" } });
  expect(await lockfile(scenario)).toMatchObject({ posts: { launch: { post_id: id } } });
  scenario.service.faults.clear();
  expect(await scenario.summary()).toEqual({ keep: 1 });
});

test("refuses to cancel a published post", async () => {
  const scenario = await applied();
  const [post] = scenario.service.publishDue(Date.UTC(2037, 0));
  const { code, stderr } = await scenario.run("posts", "cancel", post?.id ?? "", "--yes");
  expect([code, stderr]).toEqual([1, expect.stringContaining("apply/already-published")]);
});

test("refuses a cancel while another one runs", async () => {
  const scenario = await applied();
  const cancel = (): Promise<CommandResult> => scenario.run("posts", "cancel", onlyId(scenario), "--yes");
  let second: CommandResult | undefined;
  const run = async (): Promise<void> => {
    second = await cancel();
  };
  scenario.service.faults.at(1, { kind: "run-before", run }, { method: "DELETE" });
  expect((await cancel()).code).toBe(0);
  expect([second?.code, second?.stderr]).toEqual([1, expect.stringContaining("run/locked")]);
  expect(second?.stderr).toContain("plancast posts cancel, process");
});

test("uploads a file once, and prunes it when the service no longer has it", async () => {
  const scenario = await applied();
  const first = await scenario.run("media", "upload", "b.png");
  expect([first.code, first.stdout]).toEqual([
    0,
    expect.stringMatching(/^Uploaded b\.png as media_\w+\.\n$/),
  ]);
  expect(await scenario.json(0, "media", "upload", "b.png", "calendars/a.png")).toMatchObject({
    outcomes: [
      { path: "b.png", status: "done", uploaded: false },
      { path: "calendars/a.png", status: "done", uploaded: false },
    ],
  });
  expect(scenario.service.counters.uploads).toBe(2);
  expect((await scenario.run("media", "list")).stdout).toMatch(/b\.png[^]*2 media items\.\n$/);

  for (const id of scenario.service.media.keys()) scenario.service.forgetMedia(id);
  const pruned = await scenario.json(0, "media", "prune");
  expect(pruned).toMatchObject({ summary: { pruned: 1, in_use: 1 }, pruned: [{ path: "b.png" }] });
  expect(Object.values((await lockfile(scenario))["media"] ?? {})).toMatchObject([
    { path: "calendars/a.png" },
  ]);
  expect((await scenario.run("media", "prune")).stdout).toMatch(/^Nothing to prune\./);
  // plancast still knows that the post with the other picture belongs to its row.
  expect(await scenario.summary()).toEqual({ keep: 1 });
});

test("refuses to upload anything but media files of the project", async () => {
  const scenario = await applied();
  const uploads = scenario.service.counters.uploads;
  const { code, stderr } = await scenario.run(
    "media",
    "upload",
    "b.png",
    "../x.png",
    "plancast.yaml",
    "none.png",
  );
  expect(code).toBe(1);
  for (const each of ["disk/outside", "media/type", "media/missing"]) expect(stderr).toContain(each);
  expect(scenario.service.counters.uploads).toBe(uploads);
});

test("prunes nothing if the list is truncated or posts do not show their media", async () => {
  const names = Array.from({ length: 9 }, (_, index) => `${index}.png`);
  const files = { ...FILES, ...Object.fromEntries(names.map((name, index) => [name, tinyPng(index + 10)])) };
  const capped = await applied({ files, service: { paging: "cap", cap: 10 } });
  expect((await capped.run("media", "upload", ...names)).code).toBe(0);
  expect(await capped.json(1, "media", "prune")).toMatchObject({
    problems: [{ code: "service/list-not-whole" }],
  });
  const mute = await applied({ service: { shape: { omit: ["media"] } } });
  for (const id of mute.service.media.keys()) mute.service.forgetMedia(id);
  expect(await mute.json(1, "media", "prune")).toMatchObject({ problems: [{ code: "media/not-pruned" }] });
});

test("lists accounts, and disconnects one by its id", async () => {
  const scenario = await startScenario({
    files: {},
    service: { shape: { platforms: "accounts" }, platforms: ["twitter", HOSTILE] },
  });
  expect(await scenario.json(0, "platforms", "list")).toMatchObject({
    whole: true,
    platforms: [{ id: "acc_1", platform: "twitter" }, { id: "acc_2" }],
  });
  const { stdout } = await scenario.run("platforms", "list");
  // oxlint-disable-next-line no-control-regex
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^\s*::|##\[/m);
  const missing = await scenario.run("platforms", "disconnect", "twitter", "--yes");
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("acc_1, acc_2")]);
  const asked = await scenario.run("platforms", "disconnect", "acc_1");
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining("run/needs-terminal")]);
  scenario.service.faults.at(
    1,
    { kind: "answer-before", answer: { status: 204, body: "" } },
    { method: "DELETE" },
  );
  expect(await scenario.json(0, "platforms", "disconnect", "acc_1", "--yes")).toMatchObject({
    outcome: { id: "acc_1", platform: "twitter", status: "done" },
  });
});

test("reports the refusal of a key that may only read", async () => {
  const scenario = await applied({ service: { keys: { sk_w: "write", sk_r: "read" } } });
  const env = { PLANCAST_API_KEY: "sk_r" };
  const { code, stdout } = await runCommand(["posts", "cancel", onlyId(scenario), "--yes"], {
    cwd: scenario.project.root,
    env: { ...scenario.env, ...env },
  });
  expect([code, stdout]).toEqual([1, expect.stringContaining("(forbidden)")]);
  expect(await lockfile(scenario)).toMatchObject({ posts: { launch: {} } });
});

test.each([
  ["posts", "show"],
  ["posts", "list", "x"],
  ["posts", "cancel", "a", "b"],
  ["posts", "remove", "x"],
  ["media", "upload"],
  ["media", "prune", "x"],
  ["platforms", "disconnect"],
])("refuses the arguments %s %s %s", async (...args) => {
  const scenario = await startScenario({ files: {} });
  const { code, stderr } = await scenario.run(...args.filter((each) => each !== undefined));
  expect([code, stderr]).toEqual([1, expect.stringContaining("usage/arguments")]);
});

test.each<[string, boolean]>([
  ["says what happened to it on each network", false],
  ["says so too where it came due meanwhile", true],
])("a cancel of a post that is published on one network and failed on another %s", async (_what, late) => {
  const scenario = await applied({
    service: { shape: { results: "list" } },
    files: { ...FILES, "calendars/a.csv": csv(HEADER, ROW.with(2, "twitter, linkedin")) },
  });
  const { service } = scenario;
  const id = onlyId(scenario);
  const results = [
    { platform: "linkedin", url: "https://linkedin.example/1" },
    { platform: "twitter", error: "Refused." },
  ];
  const end = (): void => void service.edit(id, { status: "failed", results });
  if (late) service.faults.at(1, { kind: "run-before", run: end }, { method: "DELETE" });
  else end();
  const { code, stdout, stderr } = await scenario.run("posts", "cancel", id, "--yes");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(
    `${id} cannot be cancelled: it is published on linkedin and failed on twitter.`,
  );
});

test("apply does not create a post again if one network published it and another refused it", async () => {
  const scenario = await applied({
    service: { shape: { results: "list" } },
    files: { ...FILES, "calendars/a.csv": csv(HEADER, ROW.with(2, "twitter, linkedin")) },
  });
  const results = [{ platform: "linkedin" }, { platform: "twitter", error: "Refused." }];
  scenario.service.edit(onlyId(scenario), { status: "failed", results });
  expect(await scenario.summary()).toEqual({ past: 1 });
});

// A line of a job's log that contains `##[`, `##vso[` or `##teamcity[` is a command.
test.each(["plan", "apply --yes", "doctor", "posts list", "platforms list", "media upload b.png"])(
  "what a broken gateway says is not a command in the log of a job: %s",
  async (line) => {
    const scenario = await startScenario({ files: FILES });
    const { service } = scenario;
    const title = "##[add-path]/tmp ##vso[task.setvariable]x ##teamcity[x]";
    const body = `<html><title>${title}</title></html>`;
    const answer = { status: 502, body, type: "text/html" };
    for (let at = 1; at <= 20; at += 1) service.faults.at(at, { kind: "answer-before", answer });
    const { stdout, stderr } = await scenario.run(...line.split(" "));
    expect(stderr).toContain("Waiting until");
    expect(stdout + stderr).toContain("add-path");
    expect(stdout + stderr).not.toMatch(/##(?:vso|teamcity)?\[/);
  },
);
