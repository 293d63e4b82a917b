/** The file of a confirmation: one use, for exactly one plan, and no secret in it. */

import { createHmac } from "node:crypto";
import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ConfirmedPlan, ConfirmedPlans } from "../../../src/commands/confirm/command.ts";
import { OwnFiles } from "../../../src/commands/project/confirmations.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { TestClock } from "../../support/test-clock.ts";

const PLAN: ConfirmedPlan = {
  root: "/home/ana/spring",
  hash: `sha256:${"4f2a".repeat(16)}`,
  around: "{}",
  proofOf: (text) => createHmac("sha256", "sk_secret").update(text).digest("hex"),
};

async function store() {
  const [folder, checkout] = [await tempFolder(), await tempFolder()];
  const clock = new TestClock();
  const open = () => new ConfirmedPlans(new OwnFiles({ XDG_CONFIG_HOME: folder }, checkout), clock);
  return { folder: join(folder, "plancast"), clock, open };
}

test("if many processes take a confirmation at the same time, exactly one gets it", async () => {
  const { open, folder } = await store();
  for (let round = 0; round < 5; round += 1) {
    await open().add(PLAN);
    const taken = await Promise.all(Array.from({ length: 20 }, () => open().take(PLAN)));
    expect(taken.filter(Boolean)).toHaveLength(1);
  }
  expect(await readdir(folder)).toEqual([]);
});

test.each<[string, Partial<ConfirmedPlan>]>([
  ["another hash", { hash: `sha256:${"0".repeat(64)}` }],
  ["another folder", { root: "/home/ana/autumn" }],
  ["other settings or accounts", { around: "{ }" }],
  ["another key", { proofOf: (text) => createHmac("sha256", "sk_other").update(text).digest("hex") }],
])("a confirmation does not work for %s, and a wrong try does not use it up", async (_name, other) => {
  const { open } = await store();
  await open().add(PLAN);
  expect(await open().take({ ...PLAN, ...other })).toBe(false);
  expect(await open().take(PLAN)).toBe(true);
});

test("a review counts once, even if many processes try at the same time", async () => {
  const { open } = await store();
  const review = ["clients/spring", "https://service.example", PLAN.hash];
  const taken = await Promise.all(Array.from({ length: 20 }, () => open().takeReview(review)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect(await open().takeReview(["clients/autumn", ...review.slice(1)])).toBe(true);
});

test("the file has no secret, only this user can read it, and it is removed when it is old", async () => {
  const { open, folder, clock } = await store();
  const path = (await open().add(PLAN)) ?? "";
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, "utf8")).not.toMatch(/sk_|spring/);
  clock.advance(15 * 60_000);
  await open().add({ ...PLAN, hash: `sha256:${"0".repeat(64)}` });
  expect(await readdir(folder)).toHaveLength(1);
});
