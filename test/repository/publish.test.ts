/** `plancast publish` from a schedule in a real git repository. */
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GIT_ENV } from "../support/github/repository.ts";
import { counts, publishingFaults } from "../support/networks/accounts.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { tinyPng } from "../support/tiny-media.ts";
import { DUE, ONE_POST, SkippingClock, startWorld } from "./world.ts";

const MINUTE_MS = 60_000;
const WITH_PICTURE = `timezone: UTC
posts:
  - { id: launch, date: 2027-03-01, time: "08:00", platforms: bluesky, content: "Open", media: bed.png }
`;

test("apply writes the schedule, publish publishes what is due, and status shows where", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  const applied = await world.run(["apply", "--yes"]);
  expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining("Commit and push it")]);
  expect(applied.stdout).toContain("Apply will only write files of this repository.");
  expect(applied.stdout).not.toMatch(/\d requests?/);
  world.repository.push("applied");
  expect(counts(world, "Open 🌱")).toEqual([0, 0, 0]);
  const published = await world.publish();
  expect([published.code, published.stdout]).toEqual([0, expect.stringContaining("3 published.")]);
  expect(counts(world, "Open 🌱")).toEqual([1, 1, 1]);
  expect(world.repository.log()).toEqual([
    "Publish: record 3 results",
    "Publish: claim 3 posts",
    "applied",
    "first",
  ]);
  world.repository.git("pull", "-q", "origin", "main");
  const status = await world.run(["status", "--format", "json"], DUE + MINUTE_MS);
  expect(status.stdout).toContain("https://bsky.app/profile/garden.test/post/");
  expect(status.stdout).toContain("https://social.example/@garden/");
});

function row(id: string, at: string): string {
  return `${id},${at},webhook,Post ${id} of the garden`;
}

test("two claims and their results are three commits, whose size does not depend on the schedule", async () => {
  const due = Array.from({ length: 20 }, (_, nr) => row(`due${nr}`, "2027-03-01T08:00:00Z"));
  const sizes: number[] = [];
  for (const later of [5, 300]) {
    const rest = Array.from({ length: later }, (_, nr) => row(`later${nr}`, "2027-04-01T08:00:00Z"));
    const calendar = ["id,scheduled_at,platforms,content", ...due, ...rest].join("\n");
    const world = await startWorld({ files: { "calendars/a.csv": calendar } });
    await world.apply();
    const { repository } = world;
    const before = repository.remoteFile("plancast.schedule.json");
    expect((await world.publish()).stdout).toContain("20 published.");
    expect(repository.log().filter((subject) => subject.startsWith("Publish:"))).toHaveLength(3);
    expect(repository.remoteFile("plancast.schedule.json")).toBe(before);
    sizes.push(repository.remoteFile("plancast.published.json").length);
    // The next apply puts the results into the schedule.
    repository.pull();
    await repository.project.write("calendars/a.csv", `${calendar}\n${row("new", "2027-04-02T08:00:00Z")}`);
    expect((await world.run(["apply", "--yes"], DUE + 2 * MINUTE_MS)).code).toBe(0);
    expect(await repository.project.read("plancast.schedule.json")).toContain('"published"');
    expect(JSON.parse(await repository.project.read("plancast.published.json"))).toEqual({
      posts: {},
      version: 1,
    });
  }
  const [small = 0, large = 0] = sizes;
  expect(Math.abs(large - small)).toBeLessThan(small / 10);
});

test("nothing is published early, and nothing is published that is not pushed", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.run(["apply", "--yes"]);
  const unpushed = await world.run(["publish"], DUE + MINUTE_MS);
  expect([unpushed.code, unpushed.stdout]).toEqual([0, "Nothing is due.\n"]);
  world.repository.push("applied");
  expect((await world.publish(DUE - 30 * MINUTE_MS)).stdout).toBe("Nothing is due.\n");
  expect(counts(world, "Open 🌱")).toEqual([0, 0, 0]);
  expect(world.repository.log()).toEqual(["applied", "first"]);
});

test("--dry-run shows what is due without any secret, and neither sends nor pushes anything", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  const cwd = await world.clone();
  const early = { cwd, env: GIT_ENV, clock: new SkippingClock(DUE - 30 * MINUTE_MS) };
  const before = await runCommand(["publish", "--dry-run"], early);
  expect(before.stdout).toMatch(/^Nothing is due\.\nThe next post is due at 2027-03-01 \d\d:00\.\n$/);
  const { code, stdout } = await runCommand(["publish", "--dry-run", "--format", "json"], {
    cwd,
    env: GIT_ENV,
    clock: new SkippingClock(DUE),
  });
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    {
      version: 1,
      dry_run: true,
      summary: { due: 3, published: 0 },
      results: [{ platform: "bluesky", scheduled_at: "2027-03-01T08:00:00Z", status: "due" }, {}, {}],
    },
  ]);
  expect([...counts(world, "Open 🌱"), world.repository.log().length]).toEqual([0, 0, 0, 2]);
});

test("a run that is an hour late still publishes, and after the time of --late, the post fails", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  const late = await world.publish(DUE + 60 * MINUTE_MS, "--late", "30m");
  expect([late.code, late.stdout]).toEqual([1, expect.stringContaining("it is too late now")]);
  expect(counts(world, "Open 🌱")).toEqual([0, 0, 0]);
  const other = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await other.apply();
  expect((await other.publish(DUE + 60 * MINUTE_MS)).code).toBe(0);
  expect(counts(other, "Open 🌱")).toEqual([1, 1, 1]);
});

test("a post that a killed run has claimed fails with that reason if nobody sends it in time", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  world.bluesky.watch = () => "lost-request";
  world.mastodon.watch = () => "lost-request";
  // The claim is pushed, and the results are lost.
  const { origin } = world.repository;
  await world.repository.beforePush(`[ -e "${origin}/claimed" ] && exit 1; touch "${origin}/claimed"`);
  await world.publish();
  await world.repository.beforePush("exit 0");
  world.bluesky.watch = () => undefined;
  world.mastodon.watch = () => undefined;
  const { code } = await world.publish(DUE + 180 * MINUTE_MS);
  const [post] = Object.values(world.schedule().posts);
  const reason = "until it was too late: plancast ended while it was sending";
  expect([code, post?.publications]).toMatchObject([
    1,
    { bluesky: { state: "failed", reason }, mastodon: { state: "failed", reason } },
  ]);
});

test("nothing is sent if the claim cannot be pushed", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  await world.repository.beforePush("echo 'protected branch' >&2; exit 1");
  const { code, stdout, stderr } = await world.publish();
  // Nothing says that nothing was due.
  expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("repository/push")]);
  expect(stderr).toContain("hook declined");
  expect(counts(world, "Open 🌱")).toEqual([0, 0, 0]);
});

test("a refused sign-in ends the run for that account at once, and the next run tries again", async () => {
  const texts = Array.from({ length: 20 }, (_, index) => `Post ${index}`);
  const rows = texts.map(
    (text) => `  - { date: 2027-03-01, time: "08:00", platforms: [bluesky, mastodon], content: ${text} }`,
  );
  const world = await startWorld({
    files: { "calendars/a.yaml": ["timezone: UTC", "posts:", ...rows, ""].join("\n") },
  });
  await world.apply();
  const at = DUE + MINUTE_MS;
  const clock = new SkippingClock(at);
  const wrong = { ...world.env, BSKY: "wrong" };
  const { code, stdout } = await runCommand(["publish"], { cwd: await world.clone(), env: wrong, clock });
  expect([code, stdout]).toEqual([1, expect.stringContaining("Invalid identifier or password")]);
  expect(stdout).toContain("20 published");
  expect(world.bluesky.requests).toEqual(["POST /xrpc/com.atproto.server.createSession"]);
  expect(clock.now() - at).toBeLessThan(10_000);
  expect((await world.publish(at + 10 * MINUTE_MS)).code).toBe(0);
  expect(publishingFaults({ ...world, received: [] }, texts)).toEqual([]);
});

test("a failing post has one word in log, summary and status, one line in the log, and costs two commits", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  const before = world.repository.log().length;
  const wrong = { ...world.env, BSKY: "wrong" };
  const publish = async (at: number) =>
    runCommand(["publish"], { cwd: await world.clone(), env: wrong, clock: new SkippingClock(at) });
  const { code, stdout, stderr } = await publish(DUE + MINUTE_MS);
  expect([code, stdout]).toEqual([1, expect.stringContaining("2 published, 1 scheduled.")]);
  expect(stderr.match(/is still scheduled on bluesky: HTTP 401/g)).toHaveLength(1);
  expect(world.repository.log().length - before).toBe(2);
  const status = await world.run(["status"], DUE + 2 * MINUTE_MS, await world.clone());
  expect(status.stdout).toContain("Bluesky: scheduled: HTTP 401: Invalid identifier or password");
  // The next job signs in, and has nothing to write down.
  const again = await publish(DUE + 10 * MINUTE_MS);
  expect([again.code, again.stdout]).toEqual([1, expect.stringContaining("1 scheduled.")]);
  expect(world.repository.log().length - before).toBe(2);
  expect(world.bluesky.requests.filter((each) => each.endsWith("createSession"))).toHaveLength(2);
  expect((await world.publish(DUE + 20 * MINUTE_MS)).code).toBe(0);
  expect(counts(world, "Open 🌱")).toEqual([1, 1, 1]);
});

test("a server that fails for some minutes costs one claim a run, and later posts do not wait for it", async () => {
  const later = `  - { id: later, date: 2027-03-01, time: "08:01:30", platforms: mastodon, content: "Later" }\n`;
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST + later } });
  await world.apply();
  const before = world.repository.log().length;
  world.bluesky.watch = (request) => (request.endsWith("createSession") ? 503 : undefined);
  const { code, stdout, stderr } = await world.publish(DUE);
  expect([code, stdout]).toEqual([1, expect.stringContaining("3 published, 1 scheduled.")]);
  expect(stderr.match(/is still scheduled on bluesky/g)).toHaveLength(1);
  expect(world.repository.log().length - before).toBe(4);
  world.bluesky.watch = () => undefined;
  expect((await world.publish(DUE + 10 * MINUTE_MS)).code).toBe(0);
  expect(world.repository.log().length - before).toBe(6);
});

test("after a lost answer, the same run finds out whether the post is published, and sends it if not", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  world.mastodon.faults.set("/api/v1/statuses", ["lost-answer"]);
  world.bluesky.faults.set("/xrpc/com.atproto.repo.putRecord", ["lost-request"]);
  world.webhook.faults.set("/hook", ["lost-answer"]);
  const { code, stdout } = await world.publish();
  expect([code, stdout]).toEqual([3, expect.stringContaining("2 published, 1 unknown.")]);
  expect(counts(world, "Open 🌱")).toEqual([1, 1, 1]);
  const lost = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await lost.apply();
  lost.mastodon.faults.set("/api/v1/statuses", ["lost-request"]);
  expect((await lost.publish()).code).toBe(0);
  expect(counts(lost, "Open 🌱")).toEqual([1, 1, 1]);
  const [post] = Object.values(lost.schedule().posts);
  expect(post?.publications).toMatchObject({ mastodon: { state: "published", attempts: 2 } });
});

test("a run that was paused for longer than its claim sends nothing more, and a later run publishes", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  const clock = new SkippingClock(DUE + MINUTE_MS);
  // The last question before the post is sent.
  world.mastodon.watch = (request) => {
    if (request.startsWith("GET /api/v2/instance")) void clock.sleep(16 * MINUTE_MS);
    return undefined;
  };
  const { code } = await runCommand(["publish"], { cwd: await world.clone(), env: world.env, clock });
  expect([code, world.mastodon.statuses.length]).toEqual([1, 0]);
  world.mastodon.watch = () => undefined;
  await world.publish(DUE + 60 * MINUTE_MS);
  expect(counts(world, "Open 🌱")).toEqual([1, 1, 1]);
});

test("a cancelled post is not published, and an edited post is published once, in its new form", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  await world.repository.project.write("calendars/a.yaml", ONE_POST.replace("Open 🌱", "Closed"));
  await world.apply();
  expect((await world.publish()).code).toBe(0);
  expect([counts(world, "Open 🌱"), counts(world, "Closed")]).toEqual([
    [0, 0, 0],
    [1, 1, 1],
  ]);
  expect(Object.keys(world.schedule().posts)).toHaveLength(1);
});

test("a post that somebody edits in the schedule is not published, and apply repairs it", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  await world.editSchedule((text) => text.replace("Open", "Evil"));
  const { code, stdout } = await world.publish();
  expect([code, stdout]).toEqual([1, expect.stringContaining("somebody edited the post")]);
  expect(world.bluesky.requests).toEqual([]);
  const plan = await world.run(["plan"]);
  expect(plan.stdout).toContain("1 to replace");
  await world.apply();
  expect((await world.publish()).code).toBe(0);
  expect(counts(world, "Open 🌱")).toEqual([1, 1, 1]);
});

test("a post stays where it is if its account changed after apply", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  const settings = await world.repository.project.read("plancast.yaml");
  await world.repository.project.write("plancast.yaml", settings.replace("garden.test", "other.test"));
  world.repository.push("another account");
  const { code, stdout } = await world.publish();
  expect([code, stdout]).toEqual([1, expect.stringContaining("scheduled for another account on bluesky")]);
  expect(counts(world, "Open 🌱")).toEqual([0, 1, 1]);
});

test("a second account on a network does not stop the posts that are scheduled on the first", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  const { project } = world.repository;
  const settings = await project.read("plancast.yaml");
  const shop = "  shop: { network: webhook, url_env: PRESS }";
  await project.write("plancast.yaml", `${settings.trimEnd()}\n${shop}\n`);
  world.repository.push("a second webhook");
  expect((await world.publish()).code).toBe(0);
  expect(counts(world, "Open 🌱")).toEqual([1, 1, 1]);
});

test("in CI, a password goes only to a server that the environment confirms", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  const env = { ...world.env, CI: "true", PLANCAST_TRUSTED_ORIGINS: "" };
  const { code, stderr } = await runCommand(["publish"], {
    cwd: await world.clone(),
    env,
    clock: new SkippingClock(DUE),
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining("service/url-not-confirmed")]);
  expect([...world.bluesky.requests, ...world.mastodon.requests]).toEqual([]);
});

test("the published picture is the file that apply saw, even after it was moved", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": WITH_PICTURE } });
  const { project } = world.repository;
  await project.write("calendars/bed.png", tinyPng(1));
  await world.apply();
  await project.write("calendars/bed.png", tinyPng(2));
  world.repository.push("another picture");
  const changed = await world.publish();
  expect([changed.code, changed.stdout]).toEqual([
    1,
    expect.stringContaining("is not the file that apply scheduled"),
  ]);
  expect(world.bluesky.requests).toEqual([]);
  await project.remove("calendars/bed.png");
  await project.write("calendars/new/bed.png", tinyPng(1));
  await project.write("calendars/a.yaml", WITH_PICTURE.replace("bed.png", "new/bed.png"));
  await world.apply();
  const published = await world.publish();
  expect([published.code, published.stdout]).toEqual([0, expect.stringContaining("1 published.")]);
  expect(
    [...world.bluesky.blobs.values()].map((each) => Buffer.compare(each, Buffer.from(tinyPng(1)))),
  ).toEqual([0]);
});

test("a picture behind a link is not published", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": WITH_PICTURE } });
  const { project } = world.repository;
  await project.write("calendars/bed.png", tinyPng(1));
  await world.apply();
  await project.remove("calendars/bed.png");
  await project.write("secret.png", tinyPng(1));
  await symlink("../secret.png", join(project.root, "calendars/bed.png"));
  world.repository.push("a link");
  expect((await world.publish()).code).toBe(1);
  expect(world.bluesky.requests).toEqual([]);
});

test("refuses a project whose service publishes on its own, and one without accounts", async () => {
  const embedded = await makeProject({ config: { service: { url: "embedded" } } });
  const none = await makeProject({ config: { service: { url: "repository" } } });
  const [one, other] = [
    await runCommand(["publish"], { cwd: embedded.root }),
    await runCommand(["publish"], { cwd: none.root }),
  ];
  expect([one.code, one.stderr]).toEqual([1, expect.stringContaining("repository/not-used")]);
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("repository/no-accounts")]);
});

test("a project whose repository has no remote names the command that adds one", async () => {
  const accounts = { press: { network: "webhook", url_env: "PRESS_WEBHOOK" } };
  const { root } = await makeProject({ config: { service: { url: "repository" }, accounts } });
  const { code, stderr } = await runCommand(["publish", "--dry-run"], { cwd: root });
  expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([
    1,
    expect.stringContaining("with a remote called origin"),
  ]);
  expect(stderr).toContain("git remote add origin");
});
