/**
 * Films of all shapes, with their shape as it is shown, and without their location when they are sent. The files were made by
 * ffmpeg 5.1: H.264 and VP9 of 0.4 seconds, and `rotate=90` and locations as metadata.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readFacts } from "../../src/media/media-file.ts";
import { FILMS, filmMedia, showsPlace } from "../support/films.ts";

test.each(FILMS)(
  "$name is $width × $height px as people see it, and is sent without its place",
  async (film) => {
    const { path, mime, name, width, height, hasPlace } = film;
    expect(await readFacts(path, mime)).toMatchObject({ width, height, lengthMs: expect.closeTo(400, -2) });
    const { open } = await filmMedia(name);
    const sent = Buffer.from(await (await open()).arrayBuffer());
    const before = readFileSync(path);
    expect([before, sent].map(showsPlace)).toEqual([hasPlace, false]);
    expect(sent).toHaveLength(before.length);
  },
);
