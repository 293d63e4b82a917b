/** Thumbnails for the page, of real pictures and of pictures that attack decoders. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { imageSize } from "image-size";
import { expect, test } from "vitest";
import type { MediaFile } from "../../../src/model/post.ts";
import { embeddedImageUrls } from "../../../src/preview/page-media.ts";
import { decode, encodeWebp, shrink } from "../../../src/media/thumbnail/codecs.ts";
import { makeThumbnail, thumbnailSource } from "../../../src/media/thumbnail/thumbnail.ts";
import { makeProject } from "../../support/project.ts";
import { gif, jpeg, png } from "../../support/sized-media.ts";

const MEDIA = new URL("../../../calendars/media/", import.meta.url);
const sample = (name: string): Promise<Buffer> => readFile(fileURLToPath(new URL(name, MEDIA)));

function file(bytes: Uint8Array, mime: string, given: Partial<MediaFile> = {}): MediaFile {
  const { width, height } = imageSize(bytes);
  return {
    kind: "file",
    path: "a",
    sha256: "a".repeat(64),
    bytes: bytes.length,
    mime,
    facts: { width, height },
    ...given,
  };
}

async function thumbnailOf(bytes: Buffer, mime: string): Promise<Buffer | undefined> {
  const source = thumbnailSource(file(bytes, mime));
  return source === undefined ? undefined : makeThumbnail(bytes, source);
}

function shapeOf(bytes: Buffer | undefined) {
  if (bytes === undefined) return undefined;
  const { type, width, height } = imageSize(bytes);
  return [type, width, height];
}

test("a JPEG, PNG or WebP becomes a small WebP of the same shape", async () => {
  const tulips = await sample("tulips.jpg");
  expect(shapeOf(await thumbnailOf(tulips, "image/jpeg"))).toEqual(["webp", 600, 338]);
  expect(shapeOf(await thumbnailOf(await sample("grafting.png"), "image/png"))).toEqual(["webp", 600, 600]);
  const webp = Buffer.from(await encodeWebp(await decode(tulips, "image/jpeg")));
  expect(shapeOf(await thumbnailOf(webp, "image/webp"))).toEqual(["webp", 600, 338]);
});

function pixelsOf(...pixels: readonly (readonly number[])[]): Uint8ClampedArray {
  return new Uint8ClampedArray(pixels.flat());
}

test("a pixel of a smaller picture is the average of the pixels that it covers, without transparent ones", () => {
  const [red, green, clear] = [
    [255, 0, 0, 255],
    [0, 255, 0, 255],
    [9, 9, 9, 0],
  ];
  const shrunk = (width: number, ...pixels: number[][]) => [
    ...shrink({ data: pixelsOf(...pixels), width: pixels.length, height: 1 }, { width, height: 1 }).data,
  ];
  expect(shrunk(1, red, green)).toEqual([128, 128, 0, 255]);
  expect(shrunk(1, red, clear)).toEqual([255, 0, 0, 128]);
  // A third of the second pixel belongs to each side.
  expect(shrunk(2, red, green, red)).toEqual([170, 85, 0, 255, 170, 85, 0, 255]);
  const tall = { data: pixelsOf(red, red, green, clear), width: 1, height: 4 };
  expect([...shrink(tall, { width: 1, height: 2 }).data]).toEqual([255, 0, 0, 255, 0, 255, 0, 128]);
});

test("a photo that the camera turned is shown upright", async () => {
  const tulips = await sample("tulips.jpg");
  // Orientation 6 of EXIF: the camera was held upright.
  const exif = Buffer.from(
    "ffe1002245786966000049492a00080000000100120103000100000006000000000000000000",
    "hex",
  ).subarray(0, 36);
  const turned = Buffer.concat([tulips.subarray(0, 2), exif, tulips.subarray(2)]);
  expect(shapeOf(await thumbnailOf(turned, "image/jpeg"))).toEqual(["webp", 338, 600]);
});

test("a picture of too many pixels, of too many parts, or of another type is not decoded", async () => {
  const sourceOf = (bytes: Uint8Array, mime: string) => thumbnailSource(file(bytes, mime));
  expect(sourceOf(png(5_000, 5_000), "image/png")).toEqual({ type: "image/png", pixels: 25_000_000 });
  expect(sourceOf(png(5_001, 5_000), "image/png")).toBeUndefined();
  expect(sourceOf(jpeg(65_000, 65_000), "image/jpeg")).toBeUndefined();
  expect(sourceOf(gif(10, 10), "image/gif")).toBeUndefined();
  expect(thumbnailSource(file(png(9, 9), "image/png", { bytes: 40_000_001 }))).toBeUndefined();
  const { facts, ...unknown } = file(png(9, 9), "image/png");
  expect(thumbnailSource(unknown)).toBeUndefined();
  expect(thumbnailSource({ ...unknown, facts: { ...facts, damage: "cut-short" } })).toBeUndefined();

  const tulips = await sample("tulips.jpg");
  const end = tulips.subarray(0, -2);
  const scans = Buffer.concat([end, Buffer.from("ffda".repeat(100), "hex"), tulips.subarray(-2)]);
  expect(await thumbnailOf(scans, "image/jpeg")).toBeUndefined();
});

test("a picture that is broken, or larger than its header says, gets no thumbnail and does not affect other pictures", async () => {
  const tulips = await sample("tulips.jpg");
  expect(await makeThumbnail(tulips, { type: "image/jpeg", pixels: 1_000 })).toBeUndefined();
  for (const [bytes, type] of [
    [Buffer.from("no picture"), "image/png"],
    [(await sample("grafting.png")).subarray(0, 20_000), "image/png"],
    [Buffer.alloc(5_000, 0xff), "image/jpeg"],
    [Buffer.from("RIFF\u{24}\0\0\0WEBPVP8L\u{18}\0\0\0/aaaaaaaaaaaaaaaaaaaaaaa", "latin1"), "image/webp"],
    [tulips, "image/png"],
  ] as const)
    expect(shapeOf(await makeThumbnail(bytes, { type, pixels: 9_000_000 })), type).toBeUndefined();
  expect(shapeOf(await thumbnailOf(tulips, "image/jpeg"))).toEqual(["webp", 600, 338]);
});

test("the page holds small pictures as they are, others as thumbnails, and never more than its limit", async () => {
  const { root } = await makeProject({ config: false });
  const tulips = await sample("tulips.jpg");
  const small = await sample("orchid-1.jpg");
  const noise = Buffer.concat([Buffer.from(gif(9, 9)), Buffer.alloc(190_000)]);
  const files = await Promise.all(
    [
      ["tulips", tulips, "image/jpeg"] as const,
      ["small", small, "image/jpeg"] as const,
      ["tulips", tulips, "image/jpeg"] as const,
      ["large", Buffer.concat([noise, noise]), "image/gif"] as const,
      ...Array.from({ length: 60 }, (_, index) => [`noise${index}`, noise, "image/gif"] as const),
    ].map(async ([name, bytes, mime]) => {
      await writeFile(join(root, name), bytes);
      return file(bytes, mime, { path: name, sha256: name });
    }),
  );
  const urls = await embeddedImageUrls(root, files);
  expect(urls.get("tulips")).toMatch(/^data:image\/webp;base64,/);
  expect(urls.get("small")).toBe(`data:image/jpeg;base64,${small.toString("base64")}`);
  expect(urls.get("large")).toBeUndefined();
  const bytes = [...urls.values()].reduce((sum, url) => sum + (url.length * 3) / 4, 0);
  expect(bytes).toBeGreaterThan(7_500_000);
  expect(bytes).toBeLessThan(8_010_000);

  // A file that changed after it was hashed is not the checked picture.
  await writeFile(join(root, "small"), "changed");
  expect((await embeddedImageUrls(root, files)).get("small")).toBeUndefined();
});
