import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { Failure } from "../../../src/model/failure.ts";
import { failureProblem, failureText } from "../../../src/report/problems/failure-text.ts";
import { createStyle } from "../../../src/report/text/style.ts";

const STYLE = createStyle({ color: false, width: 80, unicode: true });
const REFUSED = new Failure(
  "service/unauthorized",
  "The service did not accept the key.",
  "Make a new key.",
  {
    cause: new Error("401"),
  },
);

test("a failure: what happened, what to do, its code", () => {
  expect(failureText(REFUSED, STYLE, { verbose: false })).toBe(
    "error service/unauthorized\n  The service did not accept the key.\n  → Make a new key.\n",
  );
});

test("a failure without advice, and with its cause when verbose; never its stack", () => {
  expect(failureText(new Failure("run/locked", "Busy."), STYLE, { verbose: true })).toBe(
    "error run/locked\n  Busy.\n",
  );
  expect(failureText(REFUSED, STYLE, { verbose: true })).toMatch(
    /Make a new key\.\n {2}caused by Error: 401\n$/,
  );
});

test("an internal fault is shown as one, and its stack only with --verbose", () => {
  const fault = new TypeError("x is not a function");
  expect(failureText(fault, STYLE, { verbose: false })).toBe(
    [
      "error internal/fault",
      "  This is a bug in plancast, not an error in your files: x is not a function",
      "  → Run again with --verbose, and report the bug with that output.",
      "",
    ].join("\n"),
  );
  expect(failureText(fault, STYLE, { verbose: true })).toMatch(
    /TypeError: x is not a function\n {2}at .*failure-text\.test/,
  );
});

test("an error of the disk is not a bug; one of a process or of the network that nobody expected is", async () => {
  const ofDisk = await readFile("/").catch((error: unknown) => error);
  const told = (code: string, more: object): string =>
    failureText(Object.assign(new Error(`${code}: no`), { code, ...more }), STYLE, { verbose: false });
  expect(told("ENOSPC", { syscall: "write" })).toMatch(
    /^error disk\/not-writable\n {2}plancast cannot use a file or folder that it needs: ENOSPC: no\n {2}→ Check/,
  );
  expect(failureText(ofDisk, STYLE, { verbose: false })).toContain("internal/fault");
  expect(told("EACCES", { syscall: "listen", address: "0.0.0.0", port: 1 })).toContain("internal/fault");
  expect(told("EACCES", { syscall: "spawn git", path: "git" })).toContain("internal/fault");
});

test("a failure marked as internal counts as a bug, and so does any other thrown value", () => {
  expect(failureText(new Failure("internal/fault", "Lost."), STYLE, { verbose: false })).toContain(
    "bug in plancast",
  );
  expect(failureText("boom", STYLE, { verbose: true })).toContain("not an error in your files: boom");
});

test("circular causes come to an end", () => {
  const one = new Error("one");
  one.cause = one;
  expect(failureText(one, STYLE, { verbose: true })).toContain("Error: one");
});

test("as data, for JSON", () => {
  expect(failureProblem(REFUSED)).toEqual({
    code: "service/unauthorized",
    severity: "error",
    message: "The service did not accept the key.",
  });
});
