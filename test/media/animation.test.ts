/** How long animated pictures play. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { animationMs } from "../../src/media/animation.ts";
import { picture, vipsOfTests } from "../support/pictures.ts";
import { gif } from "../support/sized-media.ts";
import { tinyGif } from "../support/tiny-media.ts";

/** Three different frames of 8 × 8 px, made by libvips. @param delays ms */
async function animation(suffix: ".gif" | ".webp", delays: number[]): Promise<Buffer> {
  const vips = await vipsOfTests();
  const frames = vips.Image.xyz(8, 8 * delays.length)
    .extractBand(1)
    .multiply(9)
    .cast("uchar");
  const film = frames.bandjoin([frames, frames]).copy({ interpretation: "srgb" });
  film.setInt("page-height", 8);
  film.setArrayInt("delay", delays);
  return Buffer.from(film.writeToBuffer(suffix));
}

test.each([".gif", ".webp"] as const)("the frames of a %s add up", async (suffix) => {
  const bytes = await animation(suffix, [40, 250, 1000]);
  expect(animationMs(bytes, `image/${suffix.slice(1)}`)).toBe(1290);
  expect(animationMs(bytes, "image/png")).toBeUndefined();
});

test("a picture that does not move has no length", async () => {
  for (const bytes of [
    gif(9, 9),
    tinyGif(3),
    await picture(".gif", { width: 9, height: 9, color: [1, 2, 3] }),
  ])
    expect(animationMs(Buffer.from(bytes), "image/gif")).toBeUndefined();
  const webp = await picture(".webp", { width: 9, height: 9, color: [1, 2, 3] });
  expect(animationMs(webp, "image/webp")).toBeUndefined();
});

test("any bytes end", async () => {
  const real = {
    "image/gif": await animation(".gif", [40, 40]),
    "image/webp": await animation(".webp", [40, 40]),
  };
  fc.assert(
    fc.property(
      fc.constantFrom("image/gif" as const, "image/webp" as const),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 9 }),
      fc.nat(),
      (mime, changes, cut) => {
        const bytes = Buffer.from(real[mime]);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const length = animationMs(bytes.subarray(0, cut % bytes.length), mime);
        expect(length === undefined || length > 0).toBe(true);
      },
    ),
  );
});
