/** The unit and the compose file of docs/run/several-machines.md, as far as this can be checked without running them. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { command } from "../../src/commands/serve.ts";
import { tempFolder } from "../support/temp-folder.ts";

const page = readFileSync(new URL("../../docs/run/several-machines.md", import.meta.url), "utf8");

function block(language: string, word: string): string {
  const blocks = page.split("```").filter((text) => text.startsWith(`${language}\n`) && text.includes(word));
  expect(blocks).toHaveLength(1);
  return (blocks[0] ?? "").slice(language.length + 1);
}

const service = z.object({
  image: z.string(),
  command: z.string().optional(),
  volumes: z.array(z.string()).default([]),
});
const compose = z.object({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.object({})),
});

test("the compose file names the services that it needs, and starts plancast as the unit does", () => {
  const { services, volumes } = compose.parse(parse(block("yaml", "services:"), { merge: true }));
  expect(Object.keys(services).sort()).toEqual(["database", "media", "one", "proxy", "two"]);
  const named = Object.values(services).flatMap((each) => each.volumes.map((volume) => volume.split(":")[0]));
  expect(new Set(named.filter((name) => name !== "."))).toEqual(new Set(Object.keys(volumes)));
  // Two instances with one folder would remove each other's files.
  const folders = ["one", "two"].map((name) =>
    services[name]?.volumes.find((each) => each.endsWith("/.plancast")),
  );
  expect(new Set(folders).size).toBe(2);
  const started = services["one"]?.command ?? "";
  expect(services["two"]?.command).toBe(started);
  expect(block("ini", "ExecStart")).toContain(`ExecStart=/srv/garden/${started}\n`);
  const flags = started.split(" ").flatMap((word) => (word.startsWith("--") ? [word.slice(2)] : []));
  expect(flags.every((flag) => flag in command.flags)).toBe(true);
});

async function verify(unit: string) {
  const path = join(await tempFolder({}), "plancast.service");
  // plancast is not installed at this place, and systemd looks for the program.
  writeFileSync(path, unit.replace("/srv/garden/node_modules/.bin/plancast", process.execPath));
  return spawnSync("systemd-analyze", ["verify", "--man=no", path], { encoding: "utf8" });
}

test("systemd takes the unit", async ({ skip }) => {
  if (spawnSync("systemd-analyze", ["--version"]).error !== undefined) skip("There is no systemd-analyze.");
  const unit = block("ini", "ExecStart");
  const { status, stderr } = await verify(unit);
  expect(stderr.split("\n").filter((line) => line.includes("plancast.service"))).toEqual([]);
  expect(status).toBe(0);
  expect((await verify(unit.replace("Restart=always", "Restarts=always"))).stderr).toContain("Restarts");
});
