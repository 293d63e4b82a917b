import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashFile, readFacts } from "../../src/media/media-file.ts";
import type { MediaFacts } from "../../src/model/post.ts";
import { makeProject } from "../support/project.ts";
import { manyRuns } from "../support/property-tests.ts";
import { box, gif, jpeg, mp4, png, webm, webp } from "../support/sized-media.ts";

const PHOTO = jpeg(4000, 3000, { scan: 200_000 });

async function facts(bytes: Uint8Array, mime: string): Promise<MediaFacts> {
  const { root } = await makeProject();
  await writeFile(join(root, "file"), bytes);
  return readFacts(join(root, "file"), mime);
}

/** The first part of a file, as after an interrupted copy. */
function start(bytes: Uint8Array, share = 0.5): Uint8Array {
  return bytes.slice(0, Math.floor(bytes.length * share));
}

test.each<[string, Uint8Array, string, MediaFacts]>([
  ["PNG", png(640, 480), "image/png", { width: 640, height: 480 }],
  ["JPEG", jpeg(1920, 1080), "image/jpeg", { width: 1920, height: 1080 }],
  [
    "JPEG of a camera held upright",
    jpeg(4000, 3000, { orientation: 6 }),
    "image/jpeg",
    { width: 3000, height: 4000 },
  ],
  [
    "JPEG with orientation 3",
    jpeg(4000, 3000, { orientation: 3 }),
    "image/jpeg",
    { width: 4000, height: 3000 },
  ],
  ["GIF", gif(320, 200), "image/gif", { width: 320, height: 200 }],
  ["WebP", webp(800, 600), "image/webp", { width: 800, height: 600 }],
  [
    "JPEG with something behind its end",
    new Uint8Array([...PHOTO, ...new Uint8Array(300_000)]),
    "image/jpeg",
    { width: 4000, height: 3000 },
  ],
  ["a picture of a format that is not known", new TextEncoder().encode("?"), "image/x-unknown", {}],
])("reads width and height of %s", async (_name, bytes, mime, expected) => {
  expect(await facts(bytes, mime)).toEqual(expected);
});

test.each<[string, Uint8Array, string, MediaFacts]>([
  ["MP4", mp4(95), "video/mp4", { lengthMs: 95_000 }],
  ["MP4 with times of 64 bits", mp4(7200, { version: 1 }), "video/mp4", { lengthMs: 7_200_000 }],
  [
    "MOV with its header at the end",
    mp4(12, { headerLast: true, brand: "qt  ", data: 300_000 }),
    "video/quicktime",
    { lengthMs: 12_000 },
  ],
  ["MP4 that does not tell, being sent while it is made", mp4(0), "video/mp4", {}],
  ["WebM", webm(61.5), "video/webm", { lengthMs: 61_500 }],
  ["WebM without information", webm(1).slice(0, 40), "video/webm", {}],
  ["a film of a format that is not read", mp4(5), "video/x-msvideo", {}],
  [
    "MP4 with a track of sound and one of pictures",
    mp4(1, { size: { width: 1920, height: 1080 } }),
    "video/mp4",
    { width: 1920, height: 1080, lengthMs: 1000 },
  ],
  [
    "MOV of a phone, filmed upright",
    mp4(1, { version: 1, size: { width: 1920, height: 1080, isTurned: true } }),
    "video/quicktime",
    { width: 1080, height: 1920, lengthMs: 1000 },
  ],
  [
    "WebM with its size in pixels",
    webm(1, [
      [[0xb0], 640],
      [[0xba], 480],
    ]),
    "video/webm",
    { width: 640, height: 480, lengthMs: 1000 },
  ],
  [
    "WebM that is shown wider than it is stored",
    webm(1, [
      [[0xb0], 720],
      [[0xba], 576],
      [[0x54, 0xb0], 1024],
      [[0x54, 0xba], 576],
    ]),
    "video/webm",
    { width: 1024, height: 576, lengthMs: 1000 },
  ],
  [
    "WebM that gives only its shape",
    webm(1, [
      [[0xb0], 720],
      [[0xba], 576],
      [[0x54, 0xb0], 16],
      [[0x54, 0xba], 9],
      [[0x54, 0xb2], 3],
    ]),
    "video/webm",
    { width: 720, height: 576, lengthMs: 1000 },
  ],
])("reads the length and size of %s", async (_name, bytes, mime, expected) => {
  expect(await facts(bytes, mime)).toEqual(expected);
});

describe("files that are cut off", () => {
  test.each<[string, Uint8Array, string, MediaFacts]>([
    ["JPEG", start(PHOTO), "image/jpeg", { width: 4000, height: 3000, damage: "cut-short" }],
    [
      "JPEG with a whole small picture in its header",
      start(jpeg(4000, 3000, { thumbnail: jpeg(160, 120), scan: 9_000 })),
      "image/jpeg",
      { width: 4000, height: 3000, damage: "cut-short" },
    ],
    ["PNG", start(png(640, 480)), "image/png", { width: 640, height: 480, damage: "cut-short" }],
    ["WebP", start(webp(800, 600), 0.9), "image/webp", { width: 800, height: 600, damage: "cut-short" }],
    [
      "MP4 without its header",
      start(mp4(95, { headerLast: true, data: 9_000 })),
      "video/mp4",
      { damage: "cut-short" },
    ],
    [
      "MP4 without its pictures",
      start(mp4(95, { data: 9_000 })),
      "video/mp4",
      { lengthMs: 95_000, damage: "cut-short" },
    ],
    [
      "JPEG within its header",
      start(jpeg(4000, 3000, { scan: 0 }), 0.4),
      "image/jpeg",
      { damage: "unreadable" },
    ],
    ["GIF within its header", gif(1, 1).slice(0, 7), "image/gif", { damage: "unreadable" }],
  ])("%s", async (_name, bytes, mime, expected) => {
    expect(await facts(bytes, mime)).toEqual(expected);
  });
});

test("reads films with wrong box sizes quickly", async () => {
  const many = new Uint8Array(8 * 50_000);
  const view = new DataView(many.buffer);
  for (let at = 0; at < many.length; at += 8) view.setUint32(at, 8);
  expect(await facts(many, "video/mp4")).toEqual({ damage: "cut-short" });
  const none = box("moov", new Uint8Array([0, 0, 0, 0, 0x6d, 0x76, 0x68, 0x64]));
  expect(await facts(none, "video/mp4")).toEqual({});
});

test("gives plausible numbers for any bytes", async () => {
  const { root } = await makeProject();
  const wholes = [
    png(20, 10),
    jpeg(20, 10),
    gif(20, 10),
    webp(20, 10),
    mp4(3),
    mp4(3, { version: 1 }),
    webm(3),
  ];
  const mimes = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "video/mp4",
    "video/quicktime",
    "video/webm",
  ];
  const spoilt = fc
    .tuple(
      fc.constantFrom(...wholes),
      fc.array(fc.tuple(fc.nat(200), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }),
    )
    .map(([bytes, edits]) => {
      const copy = new Uint8Array(bytes);
      for (const [at, value] of edits) copy[at % copy.length] = value;
      return copy;
    });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(spoilt, fc.uint8Array({ maxLength: 300 })),
      fc.constantFrom(...mimes),
      async (bytes, mime) => {
        await writeFile(join(root, "file"), bytes);
        const { width = 1, height = 1, lengthMs = 1 } = await readFacts(join(root, "file"), mime);
        return width > 0 && height > 0 && lengthMs >= 0 && Number.isFinite(width + height + lengthMs);
      },
    ),
    { numRuns: manyRuns(1_500) },
  );
});

test("knows the type of a TIFF that describes itself at its end, as most programs write it", async () => {
  const { root } = await makeProject();
  const file = join(root, "a.jpg");
  const end = Buffer.from("010000010300010000000a00000000000000", "hex");
  const header = Buffer.from("49492a0000000000", "hex");
  header.writeUInt32LE(100_000, 4);
  await writeFile(file, Buffer.concat([header, Buffer.alloc(100_000 - header.length), end]));
  expect(await hashFile(file)).toMatchObject({ mime: "image/tiff" });
});
