/** What Postiz would refuse is an error of its row before apply, and nothing else is. */
import { expect, test } from "vitest";
import { row } from "../../support/contract/contract-world.ts";
import { postizWorld } from "../../support/contract/worlds.ts";
import { tinyMp4, tinyPng } from "../../support/tiny-media.ts";
import type { PostizOptions } from "../../support/contract/postiz-server.ts";

const NETWORKS = {
  x: "x",
  mastodon: "mastodon",
  bluesky: "bluesky",
  linkedin: "linkedin",
  tiktok: "tiktok",
  discord: "discord",
  youtube: "youtube",
  wrapcast: "wrapcast",
} as const;

const OFF = { "content/too-long": "off", "media/required": "off", "content/repeated": "off" };
const RULES = `rules: ${JSON.stringify(OFF)}`;
const OPTIONS = `options: ${JSON.stringify({
  tiktok: {
    visibility: "public",
    comments: true,
    duet: false,
    stitch: false,
    music: false,
    paid_partnership: false,
    own_brand: false,
    method: "direct",
  },
  discord: { channel: "1" },
  youtube: { title: "Our garden", visibility: "public" },
  warpcast: { subreddit: [] },
})}`;

async function start(files: Readonly<Record<string, Uint8Array>> = {}, options: PostizOptions = {}) {
  const integrations = Object.keys(NETWORKS).map((identifier) => ({
    id: `int-${identifier}`,
    identifier,
    name: identifier,
    profile: identifier,
    disabled: false,
  }));
  const { world } = await postizWorld(files, { integrations, ...options });
  await world.configure(RULES.replace(',"content/repeated":"off"', ""));
  await world.configure(OPTIONS);
  return world;
}

type World = Awaited<ReturnType<typeof start>>;

async function errorsOf(world: World) {
  const ran = await world.run("plan", "--format", "json");
  const { problems }: { problems: { code: string; severity: string; line?: number; message: string }[] } =
    JSON.parse(ran.stdout);
  return problems.filter(({ severity }) => severity === "error");
}

const LINK = `https://example.com/${"a".repeat(125)}`;
const FAMILY = "👨‍👩‍👧‍👦";

test.each([
  ["x", `${"x".repeat(150)} ${LINK}`, "280"],
  ["mastodon", `${"x".repeat(380)} ${LINK}`, "500"],
  ["bluesky", FAMILY.repeat(60), "300"],
  ["linkedin", "😀".repeat(1_600), "3,000"],
  ["tiktok", "x".repeat(2_100), "2,000"],
  ["discord", "x".repeat(1_990), "1,980"],
  ["youtube", "x".repeat(5_001), "5,000"],
  ["warpcast", "x".repeat(801), "800"],
])("plan counts as Postiz does on %s", async (network, text, limit) => {
  const world = await start({ "a.mp4": tinyMp4() });
  await world.write(row("a", "01", network, text, "a.mp4,,,"));
  expect(await errorsOf(world)).toMatchObject([
    { code: "service/would-refuse", line: 2, message: expect.stringContaining(`accepts ${limit}.`) },
  ]);
  expect((await world.run("apply", "--yes")).code).toBe(1);
  expect(world.server.requests.every(({ method }) => method === "GET")).toBe(true);
  // At the limit, both accept.
  const most = Number(limit.replace(",", ""));
  await world.write(row("a", "01", network, "x".repeat(most), "a.mp4,,,"));
  expect((await world.apply()).outcomes).toEqual([`create a@${network === "x" ? "twitter" : network} done`]);
});

test("a verified account on X may have long posts, and replies count, too", async () => {
  const world = await start({}, { verified: ["int-x"] });
  await world.write(row("a", "01", "x", "x".repeat(4_000)));
  expect((await world.apply()).outcomes).toEqual(["create a@twitter done"]);
  await world.write(row("a", "01", "x", "one", `,,${"x".repeat(4_001)},`));
  expect(await errorsOf(world)).toMatchObject([
    { code: "service/would-refuse", message: expect.stringContaining("in reply 1 for twitter") },
  ]);
});

test("texts of more than 100 kB are refused", async () => {
  const world = await start();
  await world.write(
    row(
      "a",
      "01",
      "linkedin",
      "one",
      `,,"${Array.from({ length: 40 }, () => "é".repeat(2_900)).join("\n---\n")}",`,
    ),
  );
  expect(await errorsOf(world)).toMatchObject([
    { code: "service/would-refuse", message: expect.stringContaining("accepts about 100 kB") },
  ]);
});

const QUICKTIME = Buffer.from("00000014667479707174202000000000717420200000000877696465", "hex");
const BMP = Buffer.concat([
  Buffer.from("424d460000000000000036000000280000000100000001000000010018", "hex"),
  Buffer.alloc(60),
]);
const LARGE = Buffer.concat([tinyPng(1), Buffer.alloc(10 * 1_048_576)]);

test.each([
  ["clip.mov", QUICKTIME, "does not publish video/quicktime (clip.mov)"],
  ["photo.bmp", BMP, "does not publish image/bmp (photo.bmp)"],
  ["large.png", LARGE, "only up to 10 MiB"],
])("plan refuses the file %s", async (name, bytes, why) => {
  const world = await start({ [name]: bytes });
  await world.configure("");
  await world.write(row("a", "01", "linkedin", "one", `${name},,,`));
  const errors = await errorsOf(world);
  expect(errors.filter(({ code }) => code === "service/would-refuse")).toMatchObject([
    { line: 2, message: expect.stringContaining(why) },
  ]);
});

test("an option is compared with what this Postiz says about the account", async () => {
  const world = await start({ "a.mp4": tinyMp4() }, { lacksSettings: ["community"] });
  await world.project.write(
    "calendar.csv",
    "id,scheduled_at,platforms,content,media,youtube.title,youtube.tags\n" +
      "a,2030-02-01T09:00:00Z,youtube,One,a.mp4,A,\n",
  );
  expect(await errorsOf(world)).toMatchObject([
    {
      code: "platform/settings",
      message: expect.stringContaining("accepts 2 to 100 characters in `youtube.title`"),
    },
  ]);
  await world.project.write(
    "calendar.csv",
    "id,scheduled_at,platforms,content,media,twitter.community\n" +
      "a,2030-02-01T09:00:00Z,x,One,,https://x.com/i/communities/1\n",
  );
  expect(await errorsOf(world)).toMatchObject([
    { code: "platform/settings", message: expect.stringContaining("has no setting for `twitter.community`") },
  ]);
  const asked = world.server.requests.filter(({ path }) => path.includes("integration-settings"));
  expect(asked).toHaveLength(2);
});
