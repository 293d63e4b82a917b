/** The schedule as a service: what plan, apply and the other commands see of it. */
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PUBLISHED_FILE } from "../../src/repository/schedule.ts";
import { joinLayers, parseLayers } from "../../src/repository/schedule-layers.ts";
import { utcTime } from "../../src/model/canonical.ts";
import { lockfileSchema } from "../../src/model/lockfile.ts";
import { GIT_ENV } from "../support/github/repository.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { DUE, ONE_POST, SkippingClock, startWorld } from "./world.ts";

const FILE = "plancast.schedule.json";
const ACCOUNTS = { press: { network: "webhook", url_env: "PRESS" } };
const CALENDAR = `timezone: UTC
posts:
  - { id: launch, date: 2027-03-01, time: "08:00", platforms: webhook, content: "Open" }
`;

async function startProject(calendar = CALENDAR) {
  const project = await makeProject({
    config: { service: { url: "repository" }, accounts: ACCOUNTS },
    files: { "calendars/a.yaml": calendar },
  });
  const run = (args: readonly string[], at = DUE - 3_600_000) =>
    runCommand(args, { cwd: project.root, env: GIT_ENV, clock: new SkippingClock(at) });
  return { project, run };
}

test("plan writes nothing, and apply writes the same file every time", async () => {
  const { project, run } = await startProject();
  const before = await project.tree();
  expect((await run(["plan"])).stdout).toContain("1 to create");
  expect(await project.tree()).toEqual(before);
  await run(["apply", "--yes"]);
  const text = await project.read(FILE);
  expect((await run(["apply", "--yes"])).stdout).toContain("Nothing to do");
  expect(await project.read(FILE)).toBe(text);
});

test("many posts are all scheduled, and cancelled when their rows are gone", async () => {
  const rows = Array.from(
    { length: 60 },
    (_, index) => `p${index},2027-03-0${1 + (index % 9)}T08:00:00Z,webhook,Post ${index}`,
  );
  const { project, run } = await startProject("[]");
  const header = "id,scheduled_at,platforms,content";
  await project.write("calendars/b.csv", [header, ...rows].join("\n"));
  expect((await run(["apply", "--yes"])).code).toBe(0);
  expect(Object.keys(JSON.parse(await project.read(FILE)).posts)).toHaveLength(60);
  await project.write("calendars/b.csv", [header, ...rows.slice(0, 55)].join("\n"));
  expect((await run(["apply", "--yes"])).code).toBe(0);
  expect(Object.keys(JSON.parse(await project.read(FILE)).posts)).toHaveLength(55);
});

test("a create that a killed apply began, and did not write, is made by the next apply at once", async () => {
  const { project, run } = await startProject();
  await run(["apply", "--yes"]);
  const lockfile = lockfileSchema.parse(JSON.parse(await project.read("plancast.lock.json")));
  const attempt = {
    fingerprint: lockfile.posts["launch"]?.fingerprint ?? "",
    attempted_at: utcTime(DUE - 3_600_000),
    scheduled_at: utcTime(DUE),
    content: "Open",
    platforms: ["webhook"],
    media_ids: [],
    file: "calendars/a.yaml",
  };
  const pending = { ...lockfile, posts: {}, unknown: { launch: attempt } };
  await project.write("plancast.lock.json", JSON.stringify(pending));
  await project.remove(FILE);
  await project.remove(".plancast");
  const { code, stdout } = await run(["apply", "--yes"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("1 created")]);
  expect(Object.keys(JSON.parse(await project.read(FILE)).posts)).toHaveLength(1);
});

test("a row for a network without an account is an error of plan", async () => {
  const { run } = await startProject(CALENDAR.replace("webhook", "bluesky"));
  const { code, stderr } = await run(["plan"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("platform/unknown")]);
});

test("a lost lockfile finds the posts again", async () => {
  const { project, run } = await startProject();
  await run(["apply", "--yes"]);
  const text = await project.read(FILE);
  await project.remove("plancast.lock.json");
  await project.remove(".plancast");
  expect((await run(["apply", "--yes"])).code).toBe(0);
  expect(await project.read(FILE)).toBe(text);
});

test.each([
  ["no JSON", "{", "lockfile/invalid"],
  ["another shape", '{"version":1,"posts":{"post_0123456789ab":{}}}', "lockfile/invalid"],
  ["a strange id", '{"version":1,"posts":{"__proto__x":{}}}', "lockfile/invalid"],
  ["a newer version", '{"version":2}', "run/newer-version"],
  ["conflict markers", "<<<<<<< ours\n{}\n=======\n", "lockfile/conflict"],
])("refuses a schedule with %s, and changes nothing", async (_name, text, code) => {
  const { project, run } = await startProject();
  await project.write(FILE, text);
  for (const command of [["plan"], ["apply", "--yes"], ["status"]])
    expect(await run(command)).toMatchObject({ code: 1, stderr: expect.stringContaining(code) });
  expect(await project.read(FILE)).toBe(text);
});

test("refuses a schedule that is a link", async () => {
  const { project, run } = await startProject();
  await writeFile(join(project.root, "elsewhere.json"), '{"version":1,"posts":{}}');
  await symlink("elsewhere.json", join(project.root, FILE));
  expect((await run(["apply", "--yes"])).code).toBe(1);
  expect(await readFile(join(project.root, "elsewhere.json"), "utf8")).toBe('{"version":1,"posts":{}}');
});

const FORGED = { state: "published", attempts: 1, sent_at: "2027-03-01T08:01:00Z", parts: [] };
const FAR = "9999-01-01T00:00:00Z";

test.each([
  ["for a network that the post does not have", "zzz", {}],
  ["of another account", "webhook", { account_id: "account_other" }],
  ["with a claim after the end", "webhook", { claim: { run: "x", until: "2027-03-01T08:15:00Z" } }],
  ["that is sent without a claim", "webhook", { state: "sending" }],
  ["from before the post was due", "webhook", { sent_at: "2027-03-01T07:59:59Z" }],
  ["from the future", "webhook", { sent_at: "2027-03-01T12:00:00Z" }],
  ["whose next attempt never comes", "webhook", { state: "waiting", next_at: FAR }],
  ["whose claim never ends", "webhook", { state: "sending", claim: { run: "x", until: FAR } }],
])("refuses a result %s", async (_name, platform, forged) => {
  const { project, run } = await startProject();
  await run(["apply", "--yes"]);
  const schedule = JSON.parse(await project.read(FILE));
  const [post] = Object.values<{ accounts: { webhook: string }; publications?: object }>(schedule.posts);
  if (post === undefined) throw new Error("no post");
  post.publications = { [platform]: { account_id: post.accounts.webhook, ...FORGED, ...forged } };
  await project.write(FILE, JSON.stringify(schedule));
  const { code, stderr } = await run(["plan"], DUE);
  expect([code, stderr]).toEqual([1, expect.stringContaining("lockfile/invalid")]);
});

test.each([
  ["an old claim", { state: "sending", claim: { run: "x", until: "2027-03-01T08:15:00Z" } }],
  ["a published part", { state: "waiting", parts: [{ id: "1" }] }],
  ["an unknown result", { state: "unknown", next_at: "2027-03-01T08:15:00Z" }],
])("plan shows a post that somebody added with %s, because publish may send it", async (_name, forged) => {
  const { project, run } = await startProject();
  await run(["apply", "--yes"]);
  const schedule = JSON.parse(await project.read(FILE));
  const [post] = Object.values<{ accounts: { webhook: string } }>(schedule.posts);
  if (post === undefined) throw new Error("no post");
  const webhook = { account_id: post.accounts.webhook, ...FORGED, ...forged };
  schedule.posts["post_0123456789ab"] = { ...post, publications: { webhook } };
  await project.write(FILE, JSON.stringify(schedule));
  const plan = await run(["plan", "--format", "json"], DUE);
  expect(JSON.parse(plan.stdout)).toMatchObject({ summary: { unmanaged: 1 } });
  schedule.posts["post_0123456789ab"].publications.webhook = { ...FORGED, account_id: post.accounts.webhook };
  await project.write(FILE, JSON.stringify(schedule));
  const over = await run(["plan", "--format", "json"], DUE);
  expect(JSON.parse(over.stdout)).toMatchObject({ summary: { unmanaged: 0 } });
});

test("doctor, platforms and posts know the accounts and the schedule", async () => {
  const { run } = await startProject();
  await run(["apply", "--yes"]);
  expect((await run(["doctor"])).stdout.replaceAll(/\s+/g, " ")).toContain("`plancast publish` publishes it");
  expect((await run(["platforms", "list"])).stdout).toContain("webhook");
  expect((await run(["posts", "list"])).stdout).toContain("Open");
  expect(await run(["platforms", "disconnect", "x", "--yes"])).toMatchObject({ code: 1 });
});

test("the merge driver of init keeps the posts of a branch, and the results of the other", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST, "calendars/b.yaml": "[]" } });
  const { project } = world.repository;
  await world.apply();
  const base = await project.read(FILE);
  await project.write("calendars/b.yaml", ONE_POST.replace("launch", "second").replace("Open 🌱", "Second"));
  await world.run(["apply", "--yes"]);
  expect((await world.publish()).code).toBe(0);
  await project.write("ours.json", await project.read(FILE));
  await project.write("base.json", base);
  await project.write("theirs.json", world.repository.remoteFile(FILE));
  await project.write("published.json", world.repository.remoteFile(PUBLISHED_FILE));
  const merged = await world.run(["lockfile", "merge", "base.json", "ours.json", "theirs.json"]);
  expect([merged.code, merged.stdout]).toEqual([0, ""]);
  const { posts } = joinLayers(
    parseLayers({
      schedule: await project.read("ours.json"),
      published: await project.read("published.json"),
    }),
  );
  const states = Object.values(posts).map(({ publications = {} }) =>
    Object.values(publications).map(({ state }) => state),
  );
  expect(new Set(states.map((each) => each.join(" ")))).toEqual(
    new Set(["", "published published published"]),
  );
});
