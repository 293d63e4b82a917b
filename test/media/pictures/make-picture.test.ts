/** Pictures become smaller, upright and sRGB, whatever they are; those that attack decoders end with an error. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { imageSize } from "image-size";
import { expect, test } from "vitest";
import type { MediaFile } from "../../../src/model/post.ts";
import { embeddedImageUrls } from "../../../src/preview/page-media.ts";
import { type PictureGoal, decodablePixels, makePicture } from "../../../src/media/pictures/make-picture.ts";
import { PictureFault } from "../../../src/media/pictures/picture-fault.ts";
import { applyPatches, privatePatches } from "../../../src/media/private-facts.ts";
import { difference, phonePicture, picture, pixelIn, profileIn, srgbOfP3 } from "../../support/pictures.ts";
import { makeProject } from "../../support/project.ts";
import { jpeg, png, webp } from "../../support/sized-media.ts";

const MEDIA = new URL("../../../calendars/media/", import.meta.url);
const sample = (name: string): Promise<Buffer> => readFile(fileURLToPath(new URL(name, MEDIA)));

const SMALL: PictureGoal = { type: "image/webp", quality: 82, longestSides: [600], keepsNotes: true };
const AS_JPEG: PictureGoal = { ...SMALL, type: "image/jpeg" };

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

const TYPES = {
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/webp": ".webp",
  "image/gif": ".gif",
  "image/avif": ".avif",
  "image/tiff": ".tif",
};

test.each(Object.entries(TYPES))(
  "%s becomes a small WebP or JPEG of the same shape",
  async (mime, suffix) => {
    const bytes = await picture(suffix, { width: 640, height: 360, color: [200, 100, 50] });
    expect(decodablePixels(file(bytes, mime))).toBe(230_400);
    for (const [goal, type] of [
      [SMALL, "webp"],
      [AS_JPEG, "jpg"],
    ] as const) {
      const made = await makePicture(bytes, mime, goal);
      expect(made).toMatchObject({ width: 600, height: 338 });
      expect(imageSize(made.data)).toMatchObject({ type, width: 600, height: 338 });
      expect(difference(await pixelIn(made.data), [200, 100, 50])).toBeLessThan(6);
    }
  },
);

test("a picture that is small enough keeps its size", async () => {
  const bytes = await picture(".png", { width: 90, height: 60, color: [1, 2, 3] });
  expect(await makePicture(bytes, "image/png", SMALL)).toMatchObject({ width: 90, height: 60 });
});

test.each([
  [255, 0, 0],
  [230, 60, 40],
  [40, 200, 90],
  [128, 128, 128],
  [12, 34, 240],
])("the colour %i, %i, %i of Display P3 looks the same in sRGB", async (...color) => {
  const profile = await profileIn(phonePicture("jpg"));
  const bytes = await picture(".jpg[Q=98]", { width: 64, height: 48, color, profile: profile ?? "none" });
  const { data } = await makePicture(bytes, "image/jpeg", SMALL);
  expect(await profileIn(data)).toBeUndefined();
  expect(difference(await pixelIn(data), srgbOfP3(color))).toBeLessThan(6);
});

test.each(["jpg", "heic"] as const)("a %s of a phone is upright, in the same colours", async (type) => {
  const { data, width, height } = await makePicture(
    phonePicture(type),
    `image/${type.replace("jpg", "jpeg")}`,
    SMALL,
  );
  expect([width, height]).toEqual([64, 96]);
  expect(difference(await pixelIn(data, 0.4, 0.25), srgbOfP3([230, 60, 40]))).toBeLessThan(8);
  expect(difference(await pixelIn(data, 0.4, 0.75), srgbOfP3([40, 200, 90]))).toBeLessThan(8);
  expect(difference(await pixelIn(data, 0.95, 0.5), srgbOfP3([40, 60, 220]))).toBeLessThan(8);
});

test.each(["image/webp", "image/jpeg"] as const)(
  "a smaller %s keeps copyright and credit, and not the place",
  async (type) => {
    const bytes = phonePicture("jpg");
    const before = bytes.toString("latin1");
    const read = (at: number, length: number) => Promise.resolve(bytes.subarray(at, at + length));
    applyPatches(bytes, 0, await privatePatches({ size: bytes.length, read }, "image/jpeg"));
    const after = (await makePicture(bytes, "image/jpeg", { ...SMALL, type })).data.toString("latin1");
    for (const kept of ["Garden", "Anna", "Photographer"]) expect(after).toContain(kept);
    for (const secret of ["JaneDoe", "SN123456", "52,30"]) {
      expect(before).toContain(secret);
      expect(after).not.toContain(secret);
    }
    // The page's thumbnails have no notes.
    const bare = await makePicture(bytes, "image/jpeg", { ...SMALL, type, keepsNotes: false });
    expect(bare.data.toString("latin1")).not.toContain("Garden");
  },
);

test("transparency stays in WebP, and becomes white in JPEG", async () => {
  const clear = await picture(".png", { width: 700, height: 700, color: [200, 0, 0, 0] });
  expect((await pixelIn((await makePicture(clear, "image/png", SMALL)).data))[3]).toBe(0);
  expect(await pixelIn((await makePicture(clear, "image/png", AS_JPEG)).data)).toEqual([255, 255, 255]);
});

test("16 bit, grey and print colours become sRGB", async () => {
  const deep = await picture(".png", {
    width: 700,
    height: 700,
    color: [200, 100, 50],
    interpretation: "rgb16",
  });
  expect(
    difference(await pixelIn((await makePicture(deep, "image/png", SMALL)).data), [200, 100, 50]),
  ).toBeLessThan(5);
  const grey = await picture(".jpg", { width: 700, height: 700, color: [90], interpretation: "b-w" });
  expect((await pixelIn((await makePicture(grey, "image/jpeg", AS_JPEG)).data))[0]).toBeCloseTo(90, -1);
  // Magenta and yellow without cyan: red, with and without a profile.
  for (const profile of ["cmyk", "none"]) {
    const print = await picture(".jpg", {
      width: 700,
      height: 700,
      color: [0, 255, 255, 0],
      interpretation: "cmyk",
      profile,
    });
    const [red = 0, green = 0, blue = 0] = await pixelIn(
      (await makePicture(print, "image/jpeg", SMALL)).data,
    );
    expect([red > 200, green < 60, blue < 70]).toEqual([true, true, true]);
  }
});

test("the first size that fits into the limit is taken", async () => {
  const bytes = await picture(".png", { width: 500, height: 400, color: [120, 120, 120], noise: 60 });
  const goal = { ...SMALL, longestSides: [4000, 2000, 450, 300, 150] };
  const whole = await makePicture(bytes, "image/png", goal);
  expect(whole.width).toBe(500);
  expect((await makePicture(bytes, "image/png", { ...goal, bytes: whole.data.length - 1 })).width).toBe(450);
  const half = await makePicture(bytes, "image/png", { ...goal, bytes: whole.data.length / 2 });
  expect(half).toMatchObject({ width: 300, height: 240 });
  await expect(makePicture(bytes, "image/png", { ...goal, bytes: 50 })).rejects.toThrow(
    "even its smallest version has more than 50 bytes",
  );
});

test("a file of too many pixels or bytes, a damaged one, and another type are not decoded", () => {
  expect(decodablePixels(file(png(8_000, 8_000), "image/png"))).toBe(64_000_000);
  expect(decodablePixels(file(png(8_001, 8_000), "image/png"))).toBeUndefined();
  expect(decodablePixels(file(png(9, 9), "image/png", { bytes: 40_000_001 }))).toBeUndefined();
  expect(decodablePixels(file(png(9, 9), "image/svg+xml"))).toBeUndefined();
  const { facts, ...unknown } = file(png(9, 9), "image/png");
  expect(decodablePixels(unknown)).toBe(0);
  expect(decodablePixels({ ...unknown, facts: { ...facts, damage: "cut-short" } })).toBeUndefined();
});

test("a picture that is broken, cut off or too large ends with an error, and does not affect other pictures", async () => {
  const tulips = await sample("tulips.jpg");
  const scans = Buffer.concat([
    tulips.subarray(0, -2),
    Buffer.from("ffda".repeat(100), "hex"),
    tulips.subarray(-2),
  ]);
  const heic = phonePicture("heic");
  const lying = Buffer.from(heic);
  // The size of the picture in `ispe`.
  lying.writeUInt32BE(60_000, lying.indexOf("ispe") + 8);
  const attacks: (readonly [string, Buffer, string, RegExp])[] = [
    ["no picture", Buffer.from("no picture"), "image/png", /damaged/],
    ["nothing", Buffer.alloc(0), "image/webp", /damaged/],
    ["a cut PNG", (await sample("grafting.png")).subarray(0, 20_000), "image/png", /damaged/],
    ["a cut JPEG", tulips.subarray(0, 40_000), "image/jpeg", /damaged/],
    ["padding", Buffer.alloc(5_000, 0xff), "image/jpeg", /damaged/],
    ["many scans", scans, "image/jpeg", /too many parts/],
    ["a huge PNG", Buffer.from(png(60_000, 60_000 / 25)), "image/png", /144 million pixels/],
    ["a huge JPEG", Buffer.from(jpeg(65_000, 65_000)), "image/jpeg", /pixels|damaged/],
    ["a WebP that lies", Buffer.from(webp(16_000, 16_000)), "image/webp", /pixels|damaged/],
    ["a cut HEIC", heic.subarray(0, heic.length - 300), "image/heic", /damaged/],
    ["a HEIC that lies", lying, "image/heic", /pixels|damaged/],
    ["a cut AVIF", phonePicture("avif").subarray(0, -200), "image/avif", /damaged/],
    [
      "SVG",
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      "image/png",
      /damaged/,
    ],
  ];
  for (const [name, bytes, mime, message] of attacks) {
    const error: unknown = await makePicture(bytes, mime, SMALL).catch((caught: unknown) => caught);
    expect(error, name).toBeInstanceOf(PictureFault);
    expect(String(error), name).toMatch(message);
    expect(await makePicture(tulips, "image/jpeg", SMALL), name).toMatchObject({ width: 600, height: 338 });
  }
});

test("the page holds small pictures as they are, others as thumbnails, and never more than its limit", async () => {
  const { root } = await makeProject({ config: false });
  const tulips = await sample("tulips.jpg");
  const small = await sample("orchid-1.jpg");
  const noise = Buffer.concat([Buffer.from(png(9, 9)).subarray(0, 45), Buffer.alloc(190_000)]);
  const files = await Promise.all(
    [
      ["tulips", tulips, "image/jpeg"] as const,
      ["small", small, "image/jpeg"] as const,
      ["tulips", tulips, "image/jpeg"] as const,
      ["large", Buffer.concat([noise, noise]), "image/png"] as const,
      ...Array.from({ length: 60 }, (_, index) => [`noise${index}`, noise, "image/png"] as const),
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
