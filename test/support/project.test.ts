import { existsSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileTypeFromBuffer } from "file-type";
import { afterAll, expect, test } from "vitest";
import { makeProject } from "./project.ts";
import { tinyGif, tinyJpeg, tinyMp4, tinyPng } from "./tiny-media.ts";

const EMPTY_SHA = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
let leftBehind: string | undefined;

afterAll(() => expect(existsSync(leftBehind ?? ".")).toBe(false));

test("makeProject makes a folder and removes it after the test", async () => {
  const config = { service: { url: "embedded" }, timezone: "Europe/Paris" };
  const project = await makeProject({ files: { "calendars/a.csv": "", "logo.png": tinyPng() }, config });
  leftBehind = project.root;
  expect(await project.read("plancast.yaml")).toBe("service:\n  url: embedded\ntimezone: Europe/Paris\n");
  await project.write("calendars/deep/b.yaml", "[]");
  await symlink("a.csv", join(project.root, "calendars", "link.csv"));
  const tree = await project.tree();
  expect(Object.keys(tree)).toEqual([
    "calendars/a.csv",
    "calendars/deep/b.yaml",
    "calendars/link.csv",
    "logo.png",
    "plancast.yaml",
  ]);
  expect(tree).toMatchObject({ "calendars/a.csv": EMPTY_SHA, "calendars/link.csv": "-> a.csv" });
  await project.write("calendars/a.csv", "x");
  expect((await project.tree())["calendars/a.csv"]).not.toBe(EMPTY_SHA);
  await project.remove("calendars");
  expect(Object.keys(await project.tree())).toEqual(["logo.png", "plancast.yaml"]);
  await expect(project.remove("calendars")).rejects.toThrow("ENOENT");
});

test.each([
  ["image/png", tinyPng],
  ["image/gif", tinyGif],
  ["image/jpeg", tinyJpeg],
  ["video/mp4", tinyMp4],
])("tiny media are detected as %s, and differ by seed", async (mime, make) => {
  const seeds = [0, 1, 255, 256, 2 ** 32 - 1];
  for (const seed of seeds) {
    expect((await fileTypeFromBuffer(make(seed)))?.mime).toBe(mime);
  }
  const distinct = new Set(seeds.map((seed) => Buffer.from(make(seed)).toString("hex")));
  expect(distinct.size).toBe(seeds.length);
  expect(make(7)).toEqual(make(7));
  expect(make()).toEqual(make(0));
});
