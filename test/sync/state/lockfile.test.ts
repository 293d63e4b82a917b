import { expect, test } from "vitest";
import { emptyLockfile } from "../../../src/model/lockfile.ts";
import { lockfileText, parseLockfile } from "../../../src/sync/state/lockfile.ts";

test("the lockfile lists keys in the same order on every machine, whatever its language", () => {
  const keys = ["b", "ä", "B", "a", "_"];
  const post = {
    key: "launch",
    fingerprint: "sha256:0",
    scheduled_at: "2036-03-01T09:00:00Z",
    file: "a.csv",
    at: "2036-02-01T09:00:00Z",
  };
  const cancelled = Object.fromEntries(keys.map((key) => [key, post]));
  const text = lockfileText({ ...emptyLockfile("https://api.example.com"), cancelled });
  expect(Object.keys(JSON.parse(text).cancelled)).toEqual(["B", "_", "a", "b", "ä"]);
});

const ORIGIN = "https://api.example.com";

const linesOf = (middle: readonly string[]): string =>
  ['{ "media": {}, "origin": "https://api.example.com",', '"posts": {', ...middle, "}, }, }"].join("\n");

test("a lockfile that is not JSON is refused with the line to correct", () => {
  expect(() => parseLockfile(linesOf(['"a": { "file": 1 } oops']), "plancast.lock.json", ORIGIN)).toThrow(
    expect.objectContaining({
      code: "lockfile/invalid",
      hint: expect.stringContaining("or correct line 3."),
    }),
  );
});

const post = (id: string): string =>
  JSON.stringify({
    file: "a.csv",
    fingerprint: "sha256:0",
    post_id: id,
    scheduled_at: "2036-03-01T09:00:00Z",
  });

test("git's conflict of two added posts is valid JSON again once the hint is followed", () => {
  const text = lockfileText({
    ...emptyLockfile(ORIGIN),
    posts: { a: JSON.parse(post("post_1")), b: JSON.parse(post("post_2")) },
  });
  const between = /\n {4}\},\n(?= {4}"b")/;
  expect(text).toMatch(between);
  const conflict = text
    .replace(between, "\n=======\n")
    .replace('    "a"', '<<<<<<< HEAD\n    "a"')
    .replace(/\n {4}\}\n/, "\n>>>>>>> feature\n    }\n");
  expect(() => parseLockfile(conflict, "plancast.lock.json", ORIGIN)).toThrow(
    expect.objectContaining({
      code: "lockfile/conflict",
      hint: expect.stringContaining("replace ======= with `},` and delete the lines <<<<<<< and >>>>>>>"),
    }),
  );
  const resolved = conflict.replace("=======", "},").replaceAll(/^(?:<<<<<<<|>>>>>>>).*\n/gm, "");
  expect(Object.keys(parseLockfile(resolved, "plancast.lock.json", ORIGIN).posts)).toEqual(["a", "b"]);
});
