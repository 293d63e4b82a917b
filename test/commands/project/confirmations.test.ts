/** What a person has confirmed is kept outside of the checkout, without the key. */

import { mkdir, readFile, readdir, rename, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { configFolder, rememberedKeys } from "../../../src/commands/project/confirmations.ts";
import { makeProject } from "../../support/project.ts";

const ORIGIN = "https://api.example.com";

async function folders(): Promise<{ root: string; checkout: string; config: string }> {
  const { root } = await makeProject({ config: false });
  const [checkout, config] = [join(root, "checkout"), join(root, "config")];
  await mkdir(checkout);
  return { root, checkout, config };
}

test("remembers a key for an origin, and neither another key nor another origin", async () => {
  const { checkout, config } = await folders();
  const keys = rememberedKeys({ XDG_CONFIG_HOME: config }, checkout);
  expect(await keys.has(ORIGIN, "sk_1")).toBe(false);
  const path = await keys.add(ORIGIN, "sk_1");
  await keys.add("https://b.example", "sk_2");
  expect(await keys.has(ORIGIN, "sk_1")).toBe(true);
  expect(await keys.has(ORIGIN, "sk_2")).toBe(false);
  expect(await keys.has("https://api.example.com:8443", "sk_1")).toBe(false);
  const text = await readFile(path ?? "", "utf8");
  expect(text).not.toMatch(/sk_/);
  expect((await stat(path ?? "")).mode & 0o777).toBe(0o600);
  expect(await readdir(dirname(path ?? ""))).toEqual(["confirmed-keys.json"]);
});

test.each(["config", "deep/er"])("keeps nothing inside of the checkout: %s", async (name) => {
  const { checkout } = await folders();
  const keys = rememberedKeys({ XDG_CONFIG_HOME: join(checkout, name) }, checkout);
  expect(await keys.add(ORIGIN, "sk_1")).toBeUndefined();
  expect(await readdir(checkout)).toEqual([]);
});

test("writes nothing behind a link into the checkout, and trusts nothing there", async () => {
  const { checkout, config } = await folders();
  const elsewhere = rememberedKeys({ XDG_CONFIG_HOME: config }, checkout);
  await elsewhere.add(ORIGIN, "sk_1");
  await rename(config, join(checkout, "kept"));
  await symlink(join(checkout, "kept"), config);
  expect(await elsewhere.has(ORIGIN, "sk_1")).toBe(false);
  expect(await elsewhere.add(ORIGIN, "sk_2")).toBeUndefined();
});

test("neither reads nor writes through a link in the place of its file", async () => {
  const { root, checkout, config } = await folders();
  const keys = rememberedKeys({ XDG_CONFIG_HOME: config }, checkout);
  const path = (await keys.add(ORIGIN, "sk_1")) ?? "";
  const target = join(root, "target");
  await rename(path, target);
  await symlink(target, path);
  expect(await keys.has(ORIGIN, "sk_1")).toBe(false);
  const before = await readFile(target, "utf8");
  await keys.add(ORIGIN, "sk_2");
  expect(await readFile(target, "utf8")).toBe(before);
});

test("a damaged file counts as empty, and is replaced", async () => {
  const { checkout, config } = await folders();
  const keys = rememberedKeys({ XDG_CONFIG_HOME: config }, checkout);
  const path = (await keys.add(ORIGIN, "sk_1")) ?? "";
  await writeFile(path, "{");
  expect(await keys.has(ORIGIN, "sk_1")).toBe(false);
  await keys.add(ORIGIN, "sk_1");
  expect(await keys.has(ORIGIN, "sk_1")).toBe(true);
});

test("remembers nothing if the folder cannot be created", async () => {
  const { checkout, config } = await folders();
  await writeFile(config, "not a folder");
  const keys = rememberedKeys({ XDG_CONFIG_HOME: config }, checkout);
  expect(await keys.add(ORIGIN, "sk_1")).toBeUndefined();
});

test("answers are saved even if the home folder is a repository", async () => {
  const { root, checkout } = await folders();
  const keys = rememberedKeys({ HOME: root }, root, checkout);
  expect(await keys.add(ORIGIN, "sk_1")).toContain(root);
  expect(await keys.has(ORIGIN, "sk_1")).toBe(true);
});

test("saves the file in the system's folder for settings", () => {
  expect(configFolder({ XDG_CONFIG_HOME: "/x", HOME: "/h" }, "linux")).toBe("/x/plancast");
  expect(configFolder({ XDG_CONFIG_HOME: "relative", HOME: "/h" }, "linux")).toBe("/h/.config/plancast");
  expect(configFolder({ HOME: "/h" }, "darwin")).toBe("/h/Library/Application Support/plancast");
  expect(configFolder({ APPDATA: "/roaming", USERPROFILE: "/h" }, "win32")).toBe("/roaming/plancast");
});
