import { expect, test } from "vitest";
import { emptyLockfile } from "../../../src/model/lockfile.ts";
import { lockfileText } from "../../../src/sync/state/lockfile.ts";

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
