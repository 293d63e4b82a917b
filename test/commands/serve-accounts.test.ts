/** `plancast serve` in a project with accounts: from a calendar to a published post. */
import { expect, test } from "vitest";
import { systemClock } from "../../src/service/system-clock.ts";
import { BLUESKY_PASSWORD, startBluesky } from "../support/networks/bluesky.ts";
import { makeProject } from "../support/project.ts";
import { runCommand, startCommand } from "../support/run-command.ts";
import { tinyPng } from "../support/tiny-media.ts";
import { until } from "../support/until.ts";

const APPLIED = Date.UTC(2027, 2, 1, 7);
const CALENDAR = `timezone: UTC
posts:
  - { id: launch, date: 2027-03-01, time: "08:00", platforms: bluesky, content: "Open 🌱 https://example.com", media: bed.png }
`;

/** A clock that does not move, for deadlines and due times. Its waits are real. */
function clockAt(ms: number) {
  return { ...systemClock, now: () => ms };
}

async function startProject() {
  const bluesky = await startBluesky();
  const project = await makeProject({
    config: {
      service: { url: "embedded" },
      accounts: {
        garden: { network: "bluesky", handle: "garden.test", password_env: "BSKY", server: bluesky.origin },
      },
    },
    files: { "calendars/a.yaml": CALENDAR, "calendars/bed.png": tinyPng(1) },
  });
  const env = { BSKY: BLUESKY_PASSWORD, PLANCAST_TRUSTED_ORIGINS: `${bluesky.origin}=BSKY` };
  const run = (args: readonly string[], at = APPLIED, more: Record<string, string> = env) =>
    runCommand(args, { cwd: project.root, env: more, clock: clockAt(at) });
  const serve = (at: number) =>
    startCommand(["serve", "--port", "0"], { cwd: project.root, env, clock: clockAt(at) });
  return { bluesky, project, env, run, serve };
}

test("apply schedules a row, serve publishes it when it is due, and status shows its address", async () => {
  const { bluesky, run, serve } = await startProject();
  const applied = await run(["apply", "--yes"]);
  expect([applied.code, applied.stderr]).toEqual([
    0,
    expect.stringContaining("`plancast serve` publishes these posts on garden"),
  ]);
  expect(bluesky.requests).toEqual([]);
  const serving = serve(APPLIED + 3_600_000);
  await serving.waitFor(
    /Published post_\w+ on bluesky: https:\/\/bsky.app\/profile\/garden.test\/post\/\w{13}/,
  );
  expect([...bluesky.records.values()]).toMatchObject([
    { text: "Open 🌱 https://example.com", embed: { images: [{ aspectRatio: { width: 4, height: 4 } }] } },
  ]);
  const status = await run(["status", "--format", "json"], APPLIED + 3_600_000);
  expect(status.stdout).toContain(
    `https://bsky.app/profile/garden.test/post/${[...bluesky.records.keys()][0]}`,
  );
  serving.stop();
  const { code, stdout, stderr } = await serving.ended;
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain(BLUESKY_PASSWORD);
  // With a key of the service, anybody who can read the log could publish.
  expect(JSON.parse(stdout)).toEqual({ url: expect.stringMatching(/^http:/), accounts: ["garden"] });
  expect(stdout + stderr).not.toMatch(/pck_/);
});

test("plan, serve and status say that nobody has a handle", async () => {
  const { bluesky, project, run, serve } = await startProject();
  await project.write("calendars/a.yaml", CALENDAR.replace("Open 🌱", "Thanks @alice.test and @allice.test"));
  for (const args of [["plan"], ["apply", "--yes"]]) {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout + stderr]).toEqual([
      0,
      expect.stringMatching(/row\/unknown-mention[\s\S]*Nobody on Bluesky has the handle @allice\.test/),
    ]);
    expect(stdout + stderr).not.toContain("the handle @alice.test");
  }
  // A job does not follow plancast.yaml into its own network.
  expect((await run(["plan"], APPLIED, { CI: "true" })).stderr).not.toContain("row/unknown-mention");
  const serving = serve(APPLIED + 3_600_000);
  await serving.waitFor(
    /Published post_\w+ on bluesky: \S+ \(nobody on Bluesky has the handle @allice\.test/,
  );
  const status = await run(["status"], APPLIED + 3_600_000);
  expect(status.stdout.replaceAll(/\s+/g, " ")).toContain("nobody on Bluesky has the handle @allice.test");
  serving.stop();
  await serving.ended;
  expect(bluesky.records.size).toBe(1);
});

test("an edited row replaces its post, and only the new text goes out", async () => {
  const { bluesky, project, run, serve } = await startProject();
  await run(["apply", "--yes"]);
  await project.write("calendars/a.yaml", CALENDAR.replace("Open", "Closed"));
  expect((await run(["apply", "--yes"])).code).toBe(0);
  const serving = serve(APPLIED + 3_600_000);
  await until(() => bluesky.records.size > 0);
  serving.stop();
  await serving.ended;
  expect([...bluesky.records.values()].map(({ text }) => text)).toEqual(["Closed 🌱 https://example.com"]);
});

test("serve stops with an error after a command that cannot see it has used its store", async () => {
  const { project, run, serve } = await startProject();
  const serving = serve(APPLIED);
  await serving.waitFor("\n");
  // As if it ran in another container: a process of this number does not exist.
  for (const file of [".plancast/embedded/owner.json", ".plancast/serve.json"])
    await project.write(file, (await project.read(file)).replace(/"pid":\d+/, '"pid":4194304'));
  expect((await run(["apply", "--yes"])).code).toBe(0);
  expect(await serving.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("embedded/taken-over"),
  });
  const again = serve(APPLIED);
  await again.waitFor("\n");
  expect((await run(["plan"])).stdout).toBe("Nothing to do: 1 unchanged.\n");
  again.stop();
  await again.ended;
});

test("no password goes to a server that only plancast.yaml names", async () => {
  const { bluesky, run } = await startProject();
  const secret = { BSKY: BLUESKY_PASSWORD };
  for (const env of [
    { ...secret, CI: "true" },
    secret,
    { ...secret, PLANCAST_TRUSTED_ORIGINS: "https://bsky.social=BSKY" },
  ]) {
    const { code, stdout, stderr } = await run(["serve", "--port", "0"], APPLIED, env);
    expect([code, stderr]).toEqual([1, expect.stringContaining("service/url-not-confirmed")]);
    expect(stdout + stderr).not.toContain(BLUESKY_PASSWORD);
  }
  expect(bluesky.requests).toEqual([]);
});

test("a missing secret ends serve, and names the variable", async () => {
  const { run } = await startProject();
  const { code, stderr } = await run(["serve", "--port", "0"], APPLIED, {});
  expect([code, stderr]).toEqual([1, expect.stringMatching(/service\/no-key[\s\S]*BSKY/)]);
});

test.each([
  ["--clock", "2027-03-01T08:00Z"],
  ["--fail", "platform=bluesky"],
  ["--late", "soon"],
])("serve %s does not work with accounts", async (flag, value) => {
  const { run } = await startProject();
  expect(await run(["serve", "--port", "0", flag, value])).toMatchObject({ code: 1 });
});

test("rows for a network without an account are an error in the plan", async () => {
  const { project, run } = await startProject();
  await project.write("calendars/a.yaml", CALENDAR.replace("platforms: bluesky", "platforms: mastodon"));
  const { code, stdout, stderr } = await run(["plan"]);
  expect([code, stdout + stderr]).toEqual([1, expect.stringContaining("mastodon")]);
});

test("rows from before the account existed are scheduled again by an apply that allows it", async () => {
  const { bluesky, project, run, serve } = await startProject();
  const config = await project.read("plancast.yaml");
  await project.write("plancast.yaml", "service: { url: embedded }\n");
  expect((await run(["apply", "--yes"])).code).toBe(0);
  await project.write("plancast.yaml", config);
  const refused = await run(["apply", "--yes"]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("lockfile/other-account")]);
  expect((await run(["lockfile", "accept-account", "--yes"])).code).toBe(0);
  // The new account does not have the post. A post that is missing is created only after a yes.
  const asked = await run(["apply", "--yes"]);
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining("apply/missing")]);
  expect((await run(["apply", "--yes", "--allow-recreates", "1"])).code).toBe(0);
  const serving = serve(APPLIED + 3_600_000);
  await until(() => bluesky.records.size > 0);
  serving.stop();
  await serving.ended;
  expect(bluesky.records.size).toBe(1);
});

test("a second account on a network does not stop the posts that are scheduled on the first", async () => {
  const { bluesky, project, run, serve } = await startProject();
  await run(["apply", "--yes"]);
  const shop = `  shop: { network: bluesky, handle: shop.test, password_env: BSKY, server: ${bluesky.origin} }`;
  await project.write("plancast.yaml", `${(await project.read("plancast.yaml")).trimEnd()}\n${shop}\n`);
  expect((await run(["status"])).stdout).toContain("Status: 1 scheduled");
  const serving = serve(APPLIED + 3_600_000);
  await serving.waitFor(/Published post_\w+ on bluesky: https:\/\/bsky.app\/profile\/garden.test/);
  expect(bluesky.records.size).toBe(1);
  serving.stop();
  await serving.ended;
});

test("a row names one of several accounts of a network, and only that account publishes it", async () => {
  const { bluesky, project, env, run, serve } = await startProject();
  const [garden] = [await project.read("plancast.yaml")];
  const shop = `  shop: { network: bluesky, handle: shop.test, password_env: BSKY, server: ${bluesky.origin} }`;
  await project.write("plancast.yaml", `${garden.trimEnd()}\n${shop}\n`);
  await project.write("calendars/a.yaml", CALENDAR.replace("platforms: bluesky", "platforms: bluesky/shop"));
  const applied = await run(["apply", "--yes"], APPLIED, env);
  expect([applied.code, applied.stderr]).toEqual([0, expect.anything()]);
  const serving = serve(APPLIED + 3_600_000);
  await serving.waitFor(/Published post_\w+ on bluesky\/shop: https:\/\/bsky.app\/profile\/shop.test/);
  expect(bluesky.records.size).toBe(1);
  serving.stop();
  await serving.ended;
  await project.write("calendars/a.yaml", CALENDAR.replace("launch", "other").replace("03-01", "03-02"));
  for (const command of ["plan", "validate"]) {
    const { code, stdout, stderr } = await run([command]);
    expect([command, code, stdout + stderr]).toEqual([command, 1, expect.stringContaining("bluesky/garden")]);
  }
  // Elsewhere, the service decides, and a past row is history.
  const elsewhere = { ...env, PLANCAST_BASE_URL: "https://service.example" };
  expect((await run(["validate"], APPLIED, elsewhere)).code).toBe(0);
  expect((await run(["validate"], APPLIED + 30 * 86_400_000)).code).toBe(0);
});
