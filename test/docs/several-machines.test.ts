/** The unit and the compose file of docs/run/several-machines.md, as far as this can be checked without running them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { command } from "../../src/commands/serve.ts";

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
