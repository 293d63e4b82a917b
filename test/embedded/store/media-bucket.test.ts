/** Media in a bucket: signed, under the SHA-256 of their bytes, and never other bytes than those that were uploaded. */
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Place } from "../../../src/disk/place.ts";
import { bucketOf } from "../../../src/embedded/store/bucket-address.ts";
import { MediaBucket } from "../../../src/embedded/store/media-bucket.ts";
import { type MediaFiles, mediaOnDisk, prepareMediaFolder } from "../../../src/embedded/store/media-files.ts";
import type { StoredMedia } from "../../../src/embedded/store/records.ts";
import { BUCKET_KEY, type TestBucket, startBucket } from "../../support/s3-server.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { tinyPng as tinyBytes } from "../../support/tiny-media.ts";

function sha256Of(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function folderOf(project: string): string {
  return `posts/${project}-${sha256Of(Buffer.from(project)).slice(0, 12)}`;
}

function objectOf({ id, sha256 = "" }: StoredMedia): string {
  return `${id}-${sha256}`;
}

/** Of the project `garden` in the bucket. */
const FOLDER = folderOf("garden");
let server: TestBucket;
beforeAll(async () => {
  server = await startBucket();
});
afterAll(() => server.close());
beforeEach(() => void server.trouble.splice(0));

/** A machine: its own folder, and the bucket of all. */
async function machine(
  key: Readonly<Record<string, string>> = BUCKET_KEY,
  project = "garden",
): Promise<MediaFiles> {
  const address = bucketOf({ PLANCAST_MEDIA_URL: server.url, ...key }, project);
  if (address === undefined) throw new Error("There is no bucket.");
  const folder = Place.checked(await tempFolder({}));
  await prepareMediaFolder(folder);
  return mediaOnDisk(folder, new MediaBucket(address, () => Promise.resolve()));
}

async function upload(files: MediaFiles, id: string, bytes: Buffer): Promise<StoredMedia> {
  const draft = files.draft(id);
  await new Promise<void>((resolve) => void draft.sink().end(bytes, resolve));
  const kept = await draft.keep();
  const about = { type: "image", mime: "image/png", created_at: "2026-11-01T00:00:00.000Z" } as const;
  return { id, bytes: bytes.length, ...about, ...kept };
}

const tinyPng = (pixel: number): Buffer => Buffer.from(tinyBytes(pixel));

describe("a file", () => {
  test("that one machine received is read by another", async () => {
    const bytes = tinyPng(1);
    const item = await upload(await machine(), "m1", bytes);
    expect(item.sha256).toBe(sha256Of(bytes));
    expect(await server.objects()).toContain(`${FOLDER}/m1-${sha256Of(bytes)}`);
    const other = await machine();
    expect((await buffer(await other.read(item))).equals(bytes)).toBe(true);
    expect(Buffer.from(await (await other.file(item)).arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("that is removed is gone from the bucket, and another one with the same bytes stays", async () => {
    const files = await machine();
    const [one, other] = [await upload(files, "m5", tinyPng(5)), await upload(files, "m6", tinyPng(5))];
    await files.remove(one);
    await files.remove(one);
    await expect((await machine()).place(one)).rejects.toThrow("does not have the file");
    expect((await buffer(await (await machine()).read(other))).equals(tinyPng(5))).toBe(true);
  });

  test("of 20 MB is sent and received as a stream", async () => {
    const bytes = Buffer.alloc(20_000_000, "plancast");
    const item = await upload(await machine(), "m2", bytes);
    expect((await buffer(await (await machine()).read(item))).equals(bytes)).toBe(true);
  });

  test("that several requests need is fetched once", async () => {
    const item = await upload(await machine(), "m3", tinyPng(3));
    const other = await machine();
    const before = server.requests();
    const places = await Promise.all([other.place(item), other.place(item), other.place(item)]);
    expect(server.requests() - before).toBe(1);
    expect(new Set(places.map((place) => place?.path)).size).toBe(1);
  });

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ["changed", (bytes) => Buffer.from(bytes.map((byte, index) => (index === 40 ? byte ^ 1 : byte)))],
    ["cut", (bytes) => bytes.subarray(0, 10)],
    ["longer", (bytes) => Buffer.concat([bytes, bytes])],
    ["empty", () => Buffer.alloc(0)],
  ])("that somebody %s in the bucket is never used", async (_case, change) => {
    const bytes = tinyPng(4);
    const item = await upload(await machine(), "m4", bytes);
    await server.overwrite(`${FOLDER}/m4-${sha256Of(bytes)}`, change(bytes));
    const other = await machine();
    await expect(other.place(item)).rejects.toThrow("is not the one that was uploaded");
    await server.overwrite(`${FOLDER}/m4-${sha256Of(bytes)}`, bytes);
    expect((await buffer(await other.read(item))).equals(bytes)).toBe(true);
  });
});

describe("trouble", () => {
  test.each<[string, (number | "cut")[]]>([
    ["a service that is busy twice", [503, 500]],
    ["a limit of requests", [429]],
    ["an answer that ends in the middle", ["cut"]],
  ])("of a short time is repeated: %s", async (_case, trouble) => {
    const bytes = tinyPng(5);
    server.trouble.push(...trouble.filter((each) => each !== "cut"));
    const item = await upload(await machine(), "m5", bytes);
    server.trouble.splice(0, Infinity, ...trouble);
    expect((await buffer(await (await machine()).read(item))).equals(bytes)).toBe(true);
    expect(server.trouble).toEqual([]);
  });

  test.each<[string, number[], string]>([
    ["that stays", [503, 503, 503], "answers with an error (HTTP 503)"],
    ["of the key", [403], "refuses the key in AWS_ACCESS_KEY_ID (HTTP 403)"],
    ["of the bucket", [404], "The bucket in PLANCAST_MEDIA_URL does not exist."],
    ["that nobody knows", [302], "answers unexpectedly (HTTP 302)"],
  ])("%s ends an upload, and says why", async (_case, trouble, message) => {
    server.trouble.push(...trouble);
    await expect(upload(await machine(), "m6", tinyPng(6))).rejects.toThrow(message);
    expect(server.trouble).toEqual([]);
  });

  test("a wrong key is refused", async () => {
    const files = await machine({ ...BUCKET_KEY, AWS_SECRET_ACCESS_KEY: "another" });
    await expect(upload(files, "m7", tinyPng(7))).rejects.toThrow("refuses the key");
  });

  test("a file that is gone is named so", async () => {
    const item = await upload(await machine(), "m8", tinyPng(8));
    const other = await machine();
    await expect(other.place({ ...item, sha256: "0".repeat(64) })).rejects.toThrow("does not have the file");
  });
});

async function named(folder: string): Promise<string[]> {
  const objects = await server.objects();
  return objects.flatMap((name) => (name.startsWith(folder) ? [name.slice(folder.length + 1)] : []));
}

describe("objects without a record", () => {
  const DAY_MS = 86_400_000;
  test("are removed after a day, and all others stay", async () => {
    const project = "orphans";
    const [files, others] = [await machine(BUCKET_KEY, project), await machine(BUCKET_KEY, "others")];
    const kept = await upload(files, "o1", tinyPng(1));
    const orphan = await upload(files, "o2", tinyPng(2));
    const young = await upload(files, "o3", tinyPng(3));
    const foreign = await upload(others, "o4", tinyPng(4));
    const folder = folderOf(project);
    await server.overwrite(`${folder}/notes.txt`, Buffer.from("mine"));
    const old = [`${folder}/o1`, `${folder}/o2`, `${folder}/notes.txt`, `${folderOf("others")}/o4`];
    for (const each of old) await server.age(each, 2 * DAY_MS);
    const asked: string[] = [];
    await files.removeOrphans?.((id) => {
      asked.push(id);
      return Promise.resolve(id === kept.id);
    });
    expect(asked).toEqual(["o1", "o2"]);
    expect(await named(folder)).toEqual(["notes.txt", ...[kept, young].map(objectOf)]);
    expect(await named(folderOf("others"))).toEqual([objectOf(foreign)]);
    await expect((await machine(BUCKET_KEY, project)).place(orphan)).rejects.toThrow(
      "does not have the file",
    );
  });

  test("are found on every page of the list", async () => {
    const files = await machine(BUCKET_KEY, "many");
    const names = Array.from({ length: 1_005 }, (_, nr) => `m${nr}-${sha256Of(Buffer.from([nr]))}`);
    await Promise.all(names.map((name) => server.overwrite(`${folderOf("many")}/${name}`, Buffer.from("x"))));
    await server.age(`${folderOf("many")}/m`, 2 * DAY_MS);
    await files.removeOrphans?.((id) => Promise.resolve(!["m0", "m1004", "m999"].includes(id)));
    await server.age(`${folderOf("many")}/m`, 2 * DAY_MS);
    const asked: string[] = [];
    await files.removeOrphans?.((id) => Promise.resolve(asked.push(id) > 0));
    expect(asked).toHaveLength(1_002);
    expect(asked).not.toContain("m1004");
  });

  test("stay if the bucket does not answer", async () => {
    server.trouble.push(403);
    await expect((await machine()).removeOrphans?.(() => Promise.resolve(false))).rejects.toThrow("refuses");
  });
});

describe("the address", () => {
  test.each([
    ["s3://garden", "https://s3.amazonaws.com/garden", ""],
    ["s3://garden/", "https://s3.amazonaws.com/garden", ""],
    ["s3://garden/a/b/?endpoint=https://s3.example.com/", "https://s3.example.com/garden", "a/b/"],
    ["s3://garden?endpoint=http://10.0.0.5:9000", "http://10.0.0.5:9000/garden", ""],
  ])("%s is %s with the folder %s", (text, url, folder) => {
    const address = bucketOf({ PLANCAST_MEDIA_URL: text, ...BUCKET_KEY }, "garden");
    expect(address?.url).toBe(url);
    expect(address?.folder).toMatch(new RegExp(`^${folder}garden-[0-9a-f]{12}/$`));
  });

  test("has a folder for each project, whatever the project is called", () => {
    const folders = ["garden", "Garden", "gärten/../x", "g?rten", "g&rten"].map(
      (name) => bucketOf({ PLANCAST_MEDIA_URL: "s3://garden", ...BUCKET_KEY }, name)?.folder,
    );
    expect(new Set(folders).size).toBe(5);
    for (const folder of folders) expect(folder).toMatch(/^[\w-]+\/$/);
  });

  test.each([
    "garden",
    "https://garden",
    "s3://",
    "s3://Garden_1",
    "s3://key:secret@garden",
    "s3://garden/a%2f..",
    "s3://garden/ä",
    "s3://garden?endpoint=ftp://x",
    "s3://garden?endpoint=https://key:secret@s3.example.com",
    "s3://garden?endpoint=https://s3.example.com/?x=1",
    "s3://garden:9000",
  ])("%s is refused, and not repeated", (text) => {
    expect(() => bucketOf({ PLANCAST_MEDIA_URL: text, ...BUCKET_KEY }, "garden")).toThrow(
      expect.objectContaining({ code: "share/address", message: expect.not.stringContaining("secret") }),
    );
  });

  test("needs a key", () => {
    expect(() => bucketOf({ PLANCAST_MEDIA_URL: "s3://garden" }, "garden")).toThrow(
      expect.objectContaining({ code: "service/no-key" }),
    );
    expect(bucketOf({}, "garden")).toBeUndefined();
  });
});
