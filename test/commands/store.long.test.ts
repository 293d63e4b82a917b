/** `plancast store` with a real PostgreSQL and a real bucket: nothing is lost, and never may two stores publish. */
import { mkdir, readFile, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { usePostgres } from "../support/postgres-server.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";
import { runProcess, startProcess } from "../support/run-process.ts";
import { BUCKET_KEY, type TestBucket, startBucket } from "../support/s3-server.ts";
import { tinyPng } from "../support/tiny-media.ts";
import { until } from "../support/until.ts";

vi.setConfig({ testTimeout: 120_000 });
const postgres = usePostgres();
let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());

const OLD_POST = {
  id: "post_old",
  content: "Long ago",
  platforms: ["bluesky"],
  accounts: { bluesky: "garden" },
  scheduled_at: "2020-05-01T09:00:00Z",
  media_ids: [],
  created_at: "2020-04-01T09:00:00Z",
  published_at: "2020-05-01T09:00:00Z",
  results: [{ platform: "bluesky" }],
};
const COUNT = 40;

/** A project whose store in files has scheduled posts, media, and an archive. */
async function project() {
  const posts = Array.from(
    { length: COUNT },
    (_, index) =>
      `  - { id: p${index}, scheduled_at: "2031-05-0${1 + (index % 9)}T09:00Z", platforms: [bluesky], content: "Post ${index}"${index < 8 ? `, media: [m${index}.png]` : ""} }`,
  );
  const media = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`m${index}.png`, tinyPng(index)]),
  );
  const files = { "calendars/a.yaml": `posts:\n${posts.join("\n")}\n`, ...media };
  const { root } = await makeProject({ config: { service: { url: "embedded" }, project: "garden" }, files });
  const archive = join(root, ".plancast", "embedded", "archive");
  await mkdir(archive, { recursive: true });
  await writeFile(join(archive, "2020.jsonl"), `${JSON.stringify(OLD_POST)}\n`);
  const applied = await runCommand(["apply", "--yes"], { cwd: root });
  expect(applied.code).toBe(0);
  const url = await postgres().database();
  const env = { PLANCAST_DATABASE_URL: url, PLANCAST_MEDIA_URL: bucket.url, ...BUCKET_KEY };
  const plancast = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runCommand([...args], { cwd: root, env: more });
  return { root, env, plancast };
}

const documentOf = ({ stdout }: { readonly stdout: string }): object => Object(JSON.parse(stdout));

/** What the project's posts are, as its commands see them. */
async function seen(plancast: Awaited<ReturnType<typeof project>>["plancast"], env = {}) {
  const listed = await plancast(["posts", "list", "--format", "json"], env);
  const old = await plancast(["posts", "show", "post_old", "--format", "json"], env);
  const plan = await plancast(["plan"], env);
  expect([listed.code, old.code, plan.code]).toEqual([0, 0, 0]);
  expect(plan.stdout).toContain("Nothing to do");
  return { listed: documentOf(listed), old: documentOf(old) };
}

const sorted = (all: readonly Buffer[]) => all.map((each) => each.toString("base64")).sort();

test("copies into the database and back; the store that the project left is refused", async () => {
  const { root, env, plancast } = await project();
  const before = await seen(plancast);
  const place = join(root, ".plancast", "embedded", "keys.json");
  const keys = await readFile(place, "utf8").catch(() => undefined);
  const there = await plancast(["store", "copy", "file", "postgres", "--format", "json"], env);
  const copiedKeys = await readFile(place, "utf8");
  if (keys !== undefined) expect(copiedKeys).toBe(keys);
  expect([there.code, documentOf(there)]).toEqual([
    0,
    expect.objectContaining({ result: "copied", missing_media: [] }),
  ]);
  expect(await seen(plancast, env)).toEqual(before);
  for (const command of [["plan"], ["serve", "--port", "0"], ["store", "compact"]]) {
    const refused = await plancast(command);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("store/moved")]);
  }
  const again = await plancast(["store", "copy", "file", "postgres", "--format", "json"], env);
  expect(documentOf(again)).toMatchObject({ result: "there", records: 0 });
  expect(await bucket.objects()).toHaveLength(8);
  await rm(join(root, ".plancast", "embedded", "media"), { recursive: true });
  // The database has the keys that clients know.
  await rm(place);
  const back = await plancast(["store", "copy", "postgres", "file", "--format", "json"], env);
  expect(documentOf(back)).toMatchObject({ result: "copied", missing_media: [] });
  expect(await readFile(place, "utf8")).toBe(copiedKeys);
  expect(await seen(plancast)).toEqual(before);
  const media = join(root, ".plancast", "embedded", "media");
  const bytes = await Promise.all((await readdir(media)).map((name) => readFile(join(media, name))));
  expect(sorted(bytes)).toEqual(sorted(Array.from({ length: 8 }, (_, index) => Buffer.from(tinyPng(index)))));
  const refused = await plancast(["plan"], env);
  expect(refused.stderr).toContain("store/moved");
  const status = await plancast(["store", "status"], env);
  expect(status.stdout).toContain("The project uses another store now.");
});

test.each([
  ["into", "file", "postgres"],
  ["out of", "postgres", "file"],
] as const)(
  "a copy %s the database that is killed at any moment is used by nobody, and the next run completes it",
  async (_way, from, to) => {
    const { root, env, plancast } = await project();
    const before = await seen(plancast);
    const first = from === "file" ? {} : env;
    const second = to === "file" ? {} : env;
    if (from === "postgres")
      expect((await plancast(["store", "copy", "file", "postgres"], env)).code).toBe(0);
    const copy = ["store", "copy", from, to, "--format", "json"];
    let unused = 0;
    for (let round = 0; round < 12; round += 1) {
      const running = startProcess(copy, { cwd: root, env });
      const requests = bucket.requests() + (round % 4);
      let hasEnded = false;
      const ended = running.ended.finally(() => (hasEnded = true));
      // Some are killed before the copy begins, and the others while media go to or come from the bucket.
      await (round < 3 ? wait(250 + 100 * round) : until(() => hasEnded || bucket.requests() > requests));
      await wait(round);
      running.kill("SIGKILL");
      await ended;
      const [isFirstUsed, isSecondUsed] = [
        await plancast(["plan"], first),
        await plancast(["plan"], second),
      ].map((each) => each.code === 0);
      if (!isFirstUsed && !isSecondUsed) unused += 1;
      // Both only before a copy into an empty database.
      else if (isFirstUsed && isSecondUsed) {
        expect(to).toBe("postgres");
        const listed = await plancast(["posts", "list", "--format", "json"], second);
        expect(listed.stdout).not.toContain("post_");
      }
    }
    const { stdout } = await runProcess(copy, { cwd: root, env });
    expect(documentOf({ stdout })).toMatchObject({ missing_media: [] });
    expect((await plancast(["plan"], first)).stderr).toContain("store/moved");
    expect(unused).toBeGreaterThan(0);
    expect(await seen(plancast, second)).toEqual(before);
    const media = join(root, ".plancast", "embedded", "media");
    if (to === "file") expect(await readdir(media)).toHaveLength(8);
  },
);

test("an incomplete copy can be given up", async () => {
  const { env, plancast } = await project();
  const before = await seen(plancast);
  bucket.trouble.push(403);
  const failed = await plancast(["store", "copy", "file", "postgres"], env);
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining("store/copy")]);
  for (const each of [{}, env]) expect((await plancast(["plan"], each)).stderr).toContain("store/moved");
  const back = await plancast(["store", "copy", "postgres", "file", "--format", "json"], env);
  expect(documentOf(back)).toMatchObject({ result: "back" });
  expect(await seen(plancast)).toEqual(before);
  const there = await plancast(["store", "copy", "file", "postgres", "--format", "json"], env);
  expect(documentOf(there)).toMatchObject({ result: "copied" });
});

test("a running serve with files refuses the copy; one with the database stops publishing and takes no posts", async () => {
  const { root, env, plancast } = await project();
  const withFiles = startProcess(["serve", "--port", "0", "--stay"], { cwd: root });
  await withFiles.waitFor('"url"');
  const refused = await plancast(["store", "copy", "file", "postgres"], env);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("run/locked")]);
  withFiles.kill("SIGTERM");
  await withFiles.ended;
  expect((await plancast(["store", "copy", "file", "postgres"], env)).code).toBe(0);
  const withDatabase = startProcess(["serve", "--port", "0", "--stay"], { cwd: root, env });
  await withDatabase.waitFor('"url"');
  const { url, keys } = Object(JSON.parse(withDatabase.stdout()));
  const isReady = async () => (await fetch(new URL("/readyz", String(url)))).status;
  expect(await isReady()).toBe(200);
  expect((await runProcess(["store", "copy", "postgres", "file"], { cwd: root, env })).code).toBe(0);
  expect(await isReady()).toBe(503);
  const body = {
    content: "New",
    platforms: ["linkedin"],
    scheduled_at: "2031-01-01T09:00:00Z",
    media_ids: [],
  };
  const headers = { authorization: `Bearer ${String(keys.write)}`, "content-type": "application/json" };
  const answer = await fetch(`${String(url)}/posts`, { method: "POST", headers, body: JSON.stringify(body) });
  expect([answer.status, await answer.text()]).toEqual([
    500,
    expect.stringContaining("copied to another store"),
  ]);
});

test("refuses what would mix or double posts", async () => {
  const [one, other] = [await project(), await project()];
  const copy = ["store", "copy", "file", "postgres"];
  expect((await one.plancast(copy, one.env)).code).toBe(0);
  // The same database and project, from another machine.
  const mixed = await other.plancast(copy, {
    ...other.env,
    PLANCAST_DATABASE_URL: one.env.PLANCAST_DATABASE_URL,
  });
  expect(mixed.stderr).toContain("store/not-empty");
  // Another database, from the store that was left.
  const doubled = await one.plancast(copy, {
    ...one.env,
    PLANCAST_DATABASE_URL: other.env.PLANCAST_DATABASE_URL,
  });
  expect(doubled.stderr).toContain("store/moved");
  const { PLANCAST_MEDIA_URL: _media, ...noBucket } = other.env;
  expect((await other.plancast(copy, noBucket)).stderr).toContain("store/copy");
  expect((await other.plancast(copy)).stderr).toContain("share/address");
  for (const stores of [[], ["file"], ["file", "file"], ["file", "redis"], ["file", "postgres", "file"]])
    expect((await other.plancast(["store", "copy", ...stores], other.env)).stderr).toContain(
      "usage/arguments",
    );
  expect((await other.plancast(["plan"])).code).toBe(0);
});

test("status says what is where, and compaction makes it smaller", async () => {
  const { plancast } = await project();
  const status = await plancast(["store", "status", "--format", "json"]);
  expect(documentOf(status)).toMatchObject({
    store: "file",
    state: "used",
    posts: { scheduled: COUNT, published: 0, failed: 0, cancelled: 0 },
    archived: { "2020": 1 },
    media: { files: 8 },
    schema_version: 1,
  });
  const { bytes } = Object(documentOf(status));
  const compacted = await plancast(["store", "compact", "--format", "json"]);
  expect(Object(documentOf(compacted)).bytes).toBeLessThan(Number(bytes));
  const text = await plancast(["store", "status"]);
  expect(text.stdout).toContain(`Posts: ${COUNT} scheduled.\nArchived: 2020: 1.\n`);
});

test("compaction removes bytes of media that a crash left without a record, once they are a day old", async () => {
  const { root, plancast } = await project();
  const media = join(root, ".plancast", "embedded", "media");
  for (const [name, hours] of [
    ["media_young", 1],
    ["media_left", 25],
  ] as const) {
    await writeFile(join(media, name), "abc");
    const at = Date.now() / 1000 - hours * 3_600;
    await utimes(join(media, name), at, at);
  }
  // A file with a record stays, however old it is.
  const [used = ""] = await readdir(media);
  await utimes(join(media, used), 0, 0);
  expect((await plancast(["store", "compact"])).code).toBe(0);
  const left = await readdir(media);
  expect(left).toHaveLength(9);
  expect(left).toContain("media_young");
  expect(left).toContain(used);
});
