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

test("a lockfile with git's conflict markers is refused with the line, and the command that merges it", () => {
  const conflict = ["<<<<<<< HEAD", '"a": {}', "=======", '"b": {}', ">>>>>>> feature"];
  expect(() => parseLockfile(linesOf(conflict), "plancast.lock.json", ORIGIN)).toThrow(
    expect.objectContaining({
      code: "lockfile/conflict",
      message: expect.stringContaining("line 3"),
      hint: expect.stringContaining("plancast lockfile merge"),
    }),
  );
});

const POST = {
  post_id: "post_1",
  fingerprint: "sha256:0",
  scheduled_at: "2036-03-01T09:00:00Z",
  file: "a.csv",
};

test.each([
  ["a part that plancast does not know", { ...POST, more: "x" }, "Unrecognized key"],
  ["another part instead of its own", { ...POST, file: undefined, more: "x" }, "at posts.a.file"],
  ["no id", { ...POST, post_id: "" }, "at posts.a.post_id"],
  ["a local time", { ...POST, scheduled_at: "2036-03-01 09:00" }, "at posts.a.scheduled_at"],
  ["a number as its file", { ...POST, file: 1 }, "at posts.a.file"],
])("a lockfile whose post has %s is refused", (_what, post, message) => {
  const text = JSON.stringify({ ...emptyLockfile(ORIGIN), posts: { ok: POST, a: post } });
  expect(() => parseLockfile(text, "plancast.lock.json", ORIGIN)).toThrow(
    expect.objectContaining({ code: "lockfile/invalid", message: expect.stringContaining(message) }),
  );
});
