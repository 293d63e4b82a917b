/** The table of doctor's checks: its names, and the page that lists them. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { diskCheck, nodeCheck } from "../../../src/doctor/checks/machine.ts";
import { CHECKS } from "../../../src/doctor/checks/run-checks.ts";
import { Failure } from "../../../src/model/failure.ts";

test("has one name for each check", () => {
  const names = CHECKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test("lists every check, in its order and words, in docs/run/doctor.md", () => {
  const page = readFileSync(new URL("../../../docs/run/doctor.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (.*?) +\|$/gm)].map(([, name, looksAt]) => [name, looksAt]);
  expect(rows).toEqual(CHECKS.map(({ name, looksAt }) => [name, looksAt]));
});

test.each([
  ["18.20.0", "problem"],
  ["20.18.9", "problem"],
  ["20.19.0", "ok"],
  ["20.20.0", "ok"],
  ["22.0.0", "ok"],
])("Node %s: %s, if plancast needs 20.19 or later", (version, state) => {
  const project = new Failure("service/no-key", "No project.");
  const none = { service: undefined, calendars: undefined, state: undefined, disk: undefined };
  const facts = { now: 0, node: { version, zones: "2026c", wanted: ">=20.19" }, project, ...none };
  const shown =
    state === "ok" ? `Node ${version}, with time zone data 2026c.` : `Node ${version} is too old.`;
  expect(nodeCheck.run(facts)).toMatchObject({ state, message: shown });
});

test.each([
  ["problem", { refused: "EROFS: read-only file system", freeBytes: 10 ** 9 }, "read-only"],
  ["problem", { refused: undefined, freeBytes: 0 }, "0 B are free."],
  ["warning", { refused: undefined, freeBytes: 10 ** 7 }, "10 MB are free."],
  ["ok", { refused: undefined, freeBytes: 10 ** 9 }, "1 GB are free."],
  ["ok", { refused: undefined, freeBytes: undefined }, "The folder can be written."],
] as const)("disk: %s, for %j", (state, disk, message) => {
  const project = new Failure("service/no-key", "No project.");
  const none = { service: undefined, calendars: undefined, state: undefined };
  const facts = { now: 0, node: { version: "20.19.0", wanted: ">=20.19" }, project, ...none, disk };
  expect(diskCheck.run(facts)).toMatchObject({ state, message: expect.stringContaining(message) });
});
