/** Pictures and GIFs as servers get them: downloaded again, with their colours, their shape, and without a place. */
import { imageSize } from "image-size";
import { expect, test } from "vitest";
import type { NetworkMedia } from "../../src/networks/network.ts";
import { DiskFile, factsOf } from "../../src/media/media-file.ts";
import { BLUESKY_PASSWORD, startBluesky, startVideoService } from "../support/networks/bluesky.ts";
import { MASTODON_TOKEN, startMastodon } from "../support/networks/mastodon.ts";
import { attempt, networkPost, open } from "../support/networks/open.ts";
import {
  difference,
  phonePicture,
  picture,
  pixelIn,
  profileIn,
  srgbOfP3,
  vipsOfTests,
} from "../support/pictures.ts";
import { makeProject } from "../support/project.ts";

/** A file of a project, as it is sent. */
async function media(bytes: Uint8Array, mime: string): Promise<NetworkMedia> {
  const project = await makeProject({ config: false });
  await project.write("a", bytes);
  const file = await DiskFile.open(`${project.root}/a`, mime);
  return { mime, bytes: bytes.length, facts: await factsOf(file), open: () => Promise.resolve(file) };
}

async function startAccount() {
  const [server, video] = await Promise.all([startBluesky(), startVideoService()]);
  const settings = { network: "bluesky", handle: "garden.test", password_env: "A", server: server.origin };
  const network = open(settings, BLUESKY_PASSWORD, { videoService: video.origin });
  return { server, video, network };
}

/** Publishes one file on Bluesky. @returns its record's embed, and the bytes that the server has */
async function onBluesky(file: NetworkMedia) {
  const { server, network } = await startAccount();
  const result = await network.publish(networkPost({ media: [file] }), attempt());
  expect(result).toMatchObject({ state: "published" });
  const [record = {}] = server.records.values();
  const [bytes = Buffer.alloc(0)] = server.blobs.values();
  return { embed: record["embed"], bytes };
}

const SECRETS = ["JaneDoe", "SN123456", "SN999999", "52,30", 'GPSLatitude="52'];

/** A phone's picture of many bytes: the small one, enlarged with noise, with all its notes and its profile. */
async function largePhonePicture(): Promise<Buffer> {
  const vips = await vipsOfTests();
  const small = vips.Image.newFromBuffer(phonePicture("jpg"));
  const noise = vips.Image.gaussnoise(96 * 24, 64 * 24, { sigma: 20, mean: 0 });
  const large = small.resize(24, { kernel: "nearest" }).add(noise).cast("uchar");
  return Buffer.from(large.copy({ interpretation: "srgb" }).writeToBuffer(".jpg", { Q: 100 }));
}

test("a phone's picture that fits is sent with its profile, orientation and copyright, and without its place", async () => {
  const { embed, bytes } = await onBluesky(await media(phonePicture("jpg"), "image/jpeg"));
  expect(embed).toMatchObject({ images: [{ aspectRatio: { width: 64, height: 96 } }] });
  expect(imageSize(bytes)).toMatchObject({ width: 96, height: 64, orientation: 6 });
  expect(await profileIn(bytes)).toEqual(await profileIn(phonePicture("jpg")));
  expect(SECRETS.filter((secret) => bytes.includes(secret))).toEqual([]);
  for (const kept of ["Garden", "Anna", "Photographer"]) expect(bytes.includes(kept)).toBe(true);
});

test("a phone's picture that is too large becomes smaller, upright and sRGB, in the same colours", async () => {
  const large = await largePhonePicture();
  expect(large.length).toBeGreaterThan(2_000_000);
  expect(large.includes("JaneDoe")).toBe(true);
  const { embed, bytes } = await onBluesky(await media(large, "image/jpeg"));
  expect(bytes.length).toBeLessThan(2_000_000);
  const { width, height } = imageSize(bytes);
  expect(width / height).toBeCloseTo(64 / 96, 2);
  expect(embed).toMatchObject({
    images: [{ aspectRatio: { width, height }, image: { mimeType: "image/webp" } }],
  });
  expect(await profileIn(bytes)).toBeUndefined();
  const vips = await vipsOfTests();
  const average = vips.Image.newFromBuffer(bytes).shrink(width / 16, height / 24);
  expect(difference(average.getpoint(6, 6), srgbOfP3([230, 60, 40]))).toBeLessThan(10);
  expect(difference(average.getpoint(6, 18), srgbOfP3([40, 200, 90]))).toBeLessThan(10);
  expect(SECRETS.filter((secret) => bytes.includes(secret))).toEqual([]);
  for (const kept of ["Garden", "Anna", "Photographer"]) expect(bytes.includes(kept)).toBe(true);
});

test("a HEIC becomes a WebP that is upright, in the same colours", async () => {
  const { embed, bytes } = await onBluesky(await media(phonePicture("heic"), "image/heic"));
  expect(embed).toMatchObject({
    images: [{ aspectRatio: { width: 64, height: 96 }, image: { mimeType: "image/webp" } }],
  });
  expect(imageSize(bytes)).toMatchObject({ type: "webp", width: 64, height: 96 });
  expect(difference(await pixelIn(bytes, 0.4, 0.25), srgbOfP3([230, 60, 40]))).toBeLessThan(8);
  expect(SECRETS.filter((secret) => bytes.includes(secret))).toEqual([]);
});

test("a server of Mastodon that names its types gets one of these", async () => {
  const server = await startMastodon({ types: ["image/jpeg", "image/png"] });
  const settings = { network: "mastodon", server: server.origin, token_env: "A" };
  const files = [
    await media(phonePicture("heic"), "image/heic"),
    await media(phonePicture("avif"), "image/avif"),
    await media(phonePicture("jpg"), "image/jpeg"),
  ];
  const post = networkPost({ media: files });
  expect(await open(settings, MASTODON_TOKEN).publish(post, attempt())).toMatchObject({ state: "published" });
  const sent = server.statuses[0]?.media.map(({ bytes }) => bytes) ?? [];
  expect(sent.map((bytes) => imageSize(bytes))).toMatchObject([
    { type: "jpg", width: 64, height: 96 },
    { type: "jpg", width: 96, height: 64 },
    { type: "jpg", width: 96, height: 64, orientation: 6 },
  ]);
  for (const bytes of sent) expect(SECRETS.filter((secret) => bytes.includes(secret))).toEqual([]);
});

test("a JPEG for print becomes sRGB, even if it fits", async () => {
  const print = await picture(".jpg", {
    width: 90,
    height: 60,
    color: [0, 255, 255, 0],
    interpretation: "cmyk",
  });
  const { bytes } = await onBluesky(await media(print, "image/jpeg"));
  const [red = 0, green = 0, blue = 0, ...more] = await pixelIn(bytes);
  expect([red > 200, green < 60, blue < 70, more]).toEqual([true, true, true, []]);
});

test("a damaged picture fails with a reason, and nothing is sent", async () => {
  const { server, network } = await startAccount();
  const heic = phonePicture("heic").subarray(0, 4_000);
  expect(await network.publish(networkPost({ media: [await media(heic, "image/heic")] }), attempt())).toEqual(
    {
      state: "failed",
      reason:
        "picture 1 cannot be converted for the server: it is damaged, or a kind of HEIC that is not known",
      retry: false,
    },
  );
  expect([server.blobs.size, server.records.size]).toEqual([0, 0]);
});

/** Two frames, each shown for 300 ms. */
async function movingGif(): Promise<Buffer> {
  const vips = await vipsOfTests();
  const frames = vips.Image.xyz(8, 16).extractBand(1).multiply(9).cast("uchar");
  const film = frames.bandjoin([frames, frames]).copy({ interpretation: "srgb" });
  film.setInt("page-height", 8);
  film.setArrayInt("delay", [300, 300]);
  return Buffer.from(film.writeToBuffer(".gif"));
}

test("a GIF that moves becomes a video of Bluesky's service, which gets a token only for this", async () => {
  const { server, video, network } = await startAccount();
  const gif = await media(await movingGif(), "image/gif");
  const post = networkPost({ media: [{ ...gif, alt: "Waves" }] });
  expect(await network.publish(post, attempt())).toMatchObject({ state: "published" });
  expect([...server.records.values()][0]).toMatchObject({
    embed: {
      $type: "app.bsky.embed.video",
      presentation: "gif",
      alt: "Waves",
      aspectRatio: { width: 8, height: 8 },
      video: { mimeType: "video/mp4", ref: { $link: "bafyvideo" } },
    },
  });
  expect(video.uploads).toHaveLength(1);
  expect(server.blobs.size).toBe(0);
  // Another post with the same file: the service names its job.
  expect(await network.publish({ ...post, key: "b" }, attempt())).toMatchObject({ state: "published" });
  expect(video.uploads).toHaveLength(1);
});

test("a GIF that the service refuses fails with its reason", async () => {
  const { server, network } = await startAccount();
  const gif = await media(Buffer.concat([await movingGif(), Buffer.from("broken")]), "image/gif");
  expect(await network.publish(networkPost({ media: [gif] }), attempt())).toMatchObject({
    state: "failed",
    reason: "Bluesky cannot make a video of the GIF: No frames",
  });
  const both = { media: [gif, await media(phonePicture("jpg"), "image/jpeg")] };
  expect(await network.publish(networkPost({ ...both, key: "b" }), attempt())).toMatchObject({
    reason: expect.stringContaining("one video or GIF, or several pictures"),
  });
  expect(server.records.size).toBe(0);
});

test("a GIF that does not move is a picture", async () => {
  const { embed } = await onBluesky(
    await media(await picture(".gif", { width: 8, height: 8, color: [1, 2, 3] }), "image/gif"),
  );
  expect(embed).toMatchObject({ images: [{ image: { mimeType: "image/gif" } }] });
});
