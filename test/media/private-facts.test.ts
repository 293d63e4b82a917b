/**
 * What a camera notes about place, serial numbers and owner is not sent. The files were made by ffmpeg 5.1, and their notes
 * written by ExifTool 12.57.
 */
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DiskFile } from "../../src/media/media-file.ts";
import { privatePatches } from "../../src/media/private-facts.ts";
import { makeProject } from "../support/project.ts";

const FOLDER = new URL("private-facts/", import.meta.url);

/** The bytes as they are sent. */
async function sent(path: string, mime: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  const file = await DiskFile.open(path, mime);
  for await (const part of file.parts()) parts.push(Buffer.from(part));
  const all = Buffer.concat(parts);
  expect(Buffer.from(await file.arrayBuffer()).equals(all)).toBe(true);
  return all;
}

/** 52.5° north, as Exif writes it: 52, 30 and 0, each as a fraction. */
const LATITUDE = [false, true].map((isLittle) => {
  const bytes = Buffer.alloc(16);
  for (const [index, value] of [52, 1, 30, 1].entries())
    if (isLittle) bytes.writeUInt32LE(value, index * 4);
    else bytes.writeUInt32BE(value, index * 4);
  return bytes;
});

const SECRETS = [...LATITUDE, "JaneDoe", "SN123456", "SN999999", "52,30", "+52.5", "Berlin"];

test.each([
  ["phone.jpg", "image/jpeg"],
  ["phone.png", "image/png"],
  ["phone.webp", "image/webp"],
  ["phone.tiff", "image/tiff"],
  ["../pictures/phone.heic", "image/heic"],
  ["../pictures/phone.avif", "image/avif"],
  ["../pictures/phone.jpg", "image/jpeg"],
  ["phone.mp4", "video/mp4"],
  ["phone.mov", "video/quicktime"],
])(
  "%s is sent without place, serial numbers and owner, and with its title or copyright",
  async (name, mime) => {
    const path = new URL(name, FOLDER).pathname;
    const before = readFileSync(path);
    const after = await sent(path, mime);
    expect(SECRETS.filter((secret) => before.includes(secret)).length).toBeGreaterThan(0);
    expect(SECRETS.filter((secret) => after.includes(secret))).toEqual([]);
    expect(after).toHaveLength(before.length);
    for (const kept of ["Garden", "Photographer", "Anna"])
      expect(after.toString("latin1").split(kept)).toHaveLength(before.toString("latin1").split(kept).length);
    // A program that removes it again finds nothing more.
    const again = { size: after.length, read: (at: number, length: number) => slice(after, at, length) };
    const twice = Buffer.from(after);
    for (const { at, bytes } of await privatePatches(again, mime)) twice.set(bytes, at);
    expect(twice.equals(after)).toBe(true);
  },
);

function slice(bytes: Buffer, at: number, length: number): Promise<Buffer> {
  return Promise.resolve(bytes.subarray(at, at + length));
}

test("a file without these notes is sent as it is", async () => {
  const text = "Exif\0\0 is a word, II*\0 and MM\0* are signs, <rdf:RDF> has no end";
  const project = await makeProject({ files: { "a.jpg": text } });
  expect((await sent(`${project.root}/a.jpg`, "image/jpeg")).toString()).toBe(text);
});

test("damaged files never fail, and patches never leave the file", async () => {
  const files = ["phone.jpg", "phone.png", "phone.mp4", "phone.mov"].map((name) =>
    readFileSync(new URL(name, FOLDER)),
  );
  const mimes = ["image/jpeg", "image/png", "video/mp4", "video/quicktime"];
  const damage = fc.array(fc.tuple(fc.nat(5000), fc.nat(255)), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.nat(3), damage, fc.nat(5000), async (index, changes, cut) => {
      const bytes = Buffer.from(files[index] ?? "").subarray(0, cut);
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      const file = { size: bytes.length, read: (at: number, length: number) => slice(bytes, at, length) };
      for (const { at, bytes: patch } of await privatePatches(file, mimes[index] ?? ""))
        expect(at >= 0 && at + patch.length <= bytes.length).toBe(true);
    }),
  );
});
