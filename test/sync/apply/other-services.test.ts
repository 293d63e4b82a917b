/** The same calendars on services of many shapes. */

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { ForeignOptions } from "../../support/foreign-service.ts";
import { SPARSE_SHAPES } from "../../support/far-shapes.ts";
import { SHAPES } from "../../support/foreign/shapes.ts";
import { csv, startScenario } from "../../support/scenario.ts";
import { tinyMp4, tinyPng } from "../../support/tiny-media.ts";

const HEADER = ["id", "scheduled_at", "timezone", "platforms", "content", "media"];
const FILES = {
  "calendars/a.csv": csv(
    HEADER,
    [
      "ny-before",
      "2036-03-08 09:30",
      "America/New_York",
      "twitter, linkedin",
      "Before the change",
      "one.png",
    ],
    ["ny-after", "2036-03-10 09:30", "America/New_York", "x", "After\nthe change  \n", "one.png|two.png"],
    ["paris", "2036-03-31 09:30", "Europe/Paris", "instagram", "Cafe\u0301 🌱\r\nرمضان", "clip.mp4"],
    ["sydney", "2036-04-07 00:05", "Australia/Sydney", "facebook;threads", "Autumn", ""],
    ["kathmandu", "2036-01-01 00:00", "Asia/Kathmandu", "mastodon", "'quoted' \"twice\"", ""],
  ),
  "calendars/b.yaml":
    "- {date: 2036-05-01, time: 10:00, platforms: [bluesky], content: No id, media: [one.png, media/two.png]}\n",
  "calendars/one.png": tinyPng(1),
  "calendars/two.png": tinyPng(2),
  "calendars/clip.mp4": tinyMp4(1),
  "calendars/media/two.png": tinyPng(2),
};
const CONFIG = { platforms: { x: "twitter" } };

const PAGING: readonly ForeignOptions[] = [
  { paging: "link", pageSize: 2 },
  { paging: "next-url", pageSize: 2 },
  { paging: "next-cursor", pageSize: 2 },
  { refuseLimitAbove: 50 },
];

const SERVICES = [
  ...Object.entries(SHAPES).map(([name, shape]) => [name, { shape }, {}] as const),
  ...Object.entries(SPARSE_SHAPES).map(
    ([name, { service: shape, shape: said }]) => [name, { shape }, said] as const,
  ),
  ...PAGING.map((options) => [JSON.stringify(options), options, {}] as const),
];

test.each(SERVICES)(
  "apply schedules every row and the next plan is empty: %s",
  async (_name, options, shape) => {
    const { apply, summary, service } = await startScenario({
      service: options,
      config: { ...CONFIG, service: { shape } },
      files: FILES,
    });
    const applied = await apply();
    expect(applied.summary).toMatchObject({ created: 6, uploaded: 3, failed: 0, unknown: 0 });
    expect(applied.requests).toBe(service.requests.length);
    expect(await summary()).toEqual({ keep: 6 });

    const held = service
      .scheduled()
      .map((post) => [post.scheduled_at, { ...post, platforms: post.platforms.toSorted() }]);
    const expected = {
      "2035-12-31T18:15:00Z": { platforms: ["mastodon"], content: "'quoted' \"twice\"" },
      "2036-03-08T14:30:00Z": { platforms: ["linkedin", "twitter"], content: "Before the change" },
      "2036-03-10T13:30:00Z": { platforms: ["twitter"], content: "After\nthe change" },
      "2036-03-31T07:30:00Z": { platforms: ["instagram"], content: "Café 🌱\nرمضان" },
      "2036-04-06T14:05:00Z": { platforms: ["facebook", "threads"], content: "Autumn" },
      "2036-05-01T08:00:00Z": { platforms: ["bluesky"], content: "No id" },
    };
    expect(Object.fromEntries(held)).toMatchObject(expected);
    expect(held.length).toBe(6);
    const hashes = [tinyPng(1), tinyPng(2), tinyMp4(1)].map((bytes) =>
      createHash("sha256").update(bytes).digest("hex"),
    );
    expect([...service.media.values()].map(({ sha256 }) => sha256).sort()).toEqual(hashes.sort());
  },
);

test.each(Object.entries(SHAPES))(
  "a lost lockfile costs no second post and no upload: %s",
  async (_name, shape) => {
    const { apply, summary, service, project } = await startScenario({
      service: { shape },
      config: CONFIG,
      files: FILES,
    });
    await apply();
    await project.remove("plancast.lock.json");
    expect(await summary()).toEqual({ adopt: 6 });
    const again = await apply();
    expect(again.summary).toMatchObject({ adopted: 6, created: 0, uploaded: 0 });
    expect(await summary()).toEqual({ keep: 6 });
    expect(service.scheduled().length).toBe(6);
    expect(service.media.size).toBe(3);
  },
);

test.each([["no content"], ["no platforms"], ["no time"], ["ids only"]] as const)(
  "apply refuses a lost lockfile where posts cannot be compared: %s",
  async (name) => {
    const { apply, run, project, service } = await startScenario({
      service: { shape: SPARSE_SHAPES[name].service },
      config: { ...CONFIG, service: { shape: SPARSE_SHAPES[name].shape } },
      files: FILES,
    });
    await apply();
    await project.remove("plancast.lock.json");
    const { code, stderr } = await run("apply", "--yes");
    expect(code).toBe(1);
    expect(stderr).toContain("service/not-comparable");
    expect(service.scheduled().length).toBe(6);
  },
);

test.each([
  ["no content", "content"],
  ["no platforms", "platforms"],
  ["no time", "scheduled_at"],
  ["ids only", "content and platforms and scheduled_at"],
] as const)("apply stops at a record with %s, names it, and shows the setting", async (name, missing) => {
  const { run, service } = await startScenario({
    service: { shape: SPARSE_SHAPES[name].service },
    config: CONFIG,
    files: FILES,
  });
  const { id } = service.addForeignPost();
  const { code, stderr } = await run("apply", "--yes");
  expect(code).toBe(1);
  expect(stderr).toContain("service/unreadable");
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(`the post ${id} without ${missing}`);
  expect(stderr).toContain("shape: { post: {");
  expect(service.posts.size).toBe(1);
});

test("a silently truncated list of posts without status creates no post twice", async () => {
  const shape = { ...SHAPES["bare arrays"], omit: ["status"] as const };
  const rows = ["one", "two"].map((id, index) => [
    id,
    `2036-03-0${index + 1} 10:00`,
    "twitter",
    `Text ${id}`,
  ]);
  const { service, run, apply } = await startScenario({
    service: { shape, paging: "cap", cap: 15 },
    files: { "calendars/a.csv": csv(["id", "scheduled_at", "platforms", "content"], ...rows) },
  });
  for (let count = 1; count <= 14; count += 1)
    service.addForeignPost({ content: `Other ${count}`, scheduled_at: "2035-01-01T10:00:00Z" });
  await apply();
  const again = await run("apply", "--yes");
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("service/list-not-whole")]);
  expect(again.stderr).toContain("service.list_limit");
  expect(service.posts.size).toBe(16);
  expect(service.duplicates()).toEqual([]);
});
