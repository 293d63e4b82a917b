/** `plancast publish` in repositories that change while it runs, and with networks that refuse. */
import { rmSync, symlinkSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ScheduleMedia, ScheduledFiles } from "../../src/repository/schedule-media.ts";
import type { StoredMedia } from "../../src/embedded/store/records.ts";
import { type ScheduledMedia, mediaId } from "../../src/repository/schedule.ts";
import { fetchingToo, pathWithGit } from "../support/github/other-git.ts";
import { counts } from "../support/networks/accounts.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { tinyPng } from "../support/tiny-media.ts";
import { DUE, ONE_POST, type RepositoryWorld, SkippingClock, startWorld } from "./world.ts";

const MINUTE_MS = 60_000;
const WITH_PICTURE = `timezone: UTC
posts:
  - { id: launch, date: 2027-03-01, time: "08:00", platforms: bluesky, content: "Open", media: bed.png }
`;

test("if a run cannot push a result, a later run finds it out and sends nothing twice", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  const { origin } = world.repository;
  await world.repository.beforePush(`[ -e "${origin}/claimed" ] && exit 1; touch "${origin}/claimed"`);
  expect((await world.publish()).code).toBe(1);
  expect(counts(world, "Open 🌱")).toEqual([1, 1, 1]);
  await world.repository.beforePush("exit 0");
  // Another run may be sending, as long as the claim is not over.
  expect((await world.publish(DUE + 10 * MINUTE_MS)).stdout).toBe("Nothing is due.\n");
  const settled = await world.publish(DUE + 40 * MINUTE_MS);
  expect([settled.code, settled.stdout]).toEqual([3, expect.stringContaining("2 published, 1 unknown.")]);
  expect(counts(world, "Open 🌱")).toEqual([1, 1, 1]);
  expect((await world.publish(DUE + 50 * MINUTE_MS)).code).toBe(0);
});

test("a post that a network refuses for now is tried again by the same run, and by later ones", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  world.mastodon.watch = () => 503;
  const { code, stdout } = await world.publish();
  expect([code, stdout]).toEqual([1, expect.stringContaining("2 published, 1 scheduled.")]);
  world.mastodon.watch = () => undefined;
  expect((await world.publish(DUE + 30 * MINUTE_MS)).code).toBe(0);
  expect(counts(world, "Open 🌱")).toEqual([1, 1, 1]);
});

/** Posts with the same picture, at these times. */
function withPicture(...times: readonly string[]): string {
  const posts = times.map(
    (time, index) =>
      `  - { id: p${index}, date: 2027-03-01, time: "${time}", platforms: bluesky, content: "Post ${index}", media: bed.png }\n`,
  );
  return `timezone: UTC\nposts:\n${posts.join("")}`;
}

/** Publishes, and puts a link in place of the picture when the first post is out. */
async function publishWithSwap(world: RepositoryWorld): Promise<CommandResult> {
  const { project } = world.repository;
  await project.write("calendars/bed.png", tinyPng(1));
  await project.write("secret.png", tinyPng(2));
  await world.apply();
  const cwd = await world.clone();
  const picture = join(cwd, "calendars/bed.png");
  world.bluesky.watch = (request, moment) => {
    if (!request.endsWith("putRecord") || moment !== "handled") return undefined;
    rmSync(picture, { force: true });
    symlinkSync("../secret.png", picture);
    return undefined;
  };
  return world.run(["publish", "--format", "json"], DUE + MINUTE_MS, cwd);
}

const CHANGED = { reason: expect.stringContaining("is not the file that apply scheduled") };

test("if a link replaces a picture while a batch is sent, the whole batch gets the bytes that apply saw", async () => {
  const times = Array.from({ length: 8 }, () => "08:00");
  const world = await startWorld({ files: { "calendars/a.yaml": withPicture(...times) } });
  const { code } = await publishWithSwap(world);
  expect([code, world.bluesky.records.size]).toEqual([0, times.length]);
  expect([...world.bluesky.blobs.values()].map((each) => each.equals(tinyPng(1)))).toEqual([true]);
});

test("the copies of a batch are checked, and removed with it", async () => {
  const root = await tempFolder({ "bed.png": tinyPng(1), "link.png": tinyPng(2) });
  const sha256 = createHash("sha256").update(tinyPng(1)).digest("hex");
  const about = { sha256, bytes: tinyPng(1).length, mime: "image/png" };
  const [bed, other] = [
    { ...about, path: "bed.png" },
    { ...about, path: "link.png", sha256: "0".repeat(64) },
  ];
  const files = new ScheduledFiles(new ScheduleMedia(root, () => undefined), [bed, other]);
  const blob = await files.file(stored(bed));
  rmSync(join(root, "bed.png"));
  expect(Buffer.from(await blob.arrayBuffer()).equals(tinyPng(1))).toBe(true);
  await expect(files.file(stored(other))).rejects.toThrow("is not the file that apply scheduled");
  await files.close();
  await expect(blob.arrayBuffer()).rejects.toThrow();
});

test("a picture is checked again for each batch of a run", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": withPicture("08:00", "08:05") } });
  const { code, stdout } = await publishWithSwap(world);
  expect([code, JSON.parse(stdout).results]).toMatchObject([
    1,
    [{ status: "published" }, { status: "scheduled", ...CHANGED }],
  ]);
  expect([...world.bluesky.blobs.values()].map((each) => each.equals(tinyPng(1)))).toEqual([true]);
  expect(world.repository.log().filter((subject) => subject.includes("claim"))).toEqual([
    "Publish: claim 1 post",
  ]);
});

test("a picture is sent together with its own width and height", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": WITH_PICTURE } });
  await world.repository.project.write("calendars/bed.png", tinyPng(1));
  await world.apply();
  expect((await world.publish()).code).toBe(0);
  const [record] = world.bluesky.records.values();
  expect(record).toMatchObject({ embed: { images: [{ aspectRatio: { width: 4, height: 4 } }] } });
});

test("no commit of another branch is pushed if the clone fetches it at the same time", async () => {
  const world = await startWorld({ files: { "calendars/a.yaml": ONE_POST } });
  await world.apply();
  world.repository.git("commit", "-q", "--allow-empty", "-m", "unreviewed");
  world.repository.git("push", "-q", "origin", "HEAD:other");
  const cwd = await world.clone();
  const PATH = await pathWithGit(fetchingToo(cwd, "other"));
  const clock = new SkippingClock(DUE + MINUTE_MS);
  expect((await runCommand(["publish"], { cwd, env: { ...world.env, PATH }, clock })).code).toBe(0);
  expect(counts(world, "Open 🌱")).toEqual([1, 1, 1]);
  expect(world.repository.log()).not.toContain("unreviewed");
});

function stored(file: ScheduledMedia): StoredMedia {
  return {
    id: mediaId(file),
    type: "image",
    mime: file.mime,
    bytes: file.bytes,
    created_at: "2026-11-01T00:00:00.000Z",
  };
}
