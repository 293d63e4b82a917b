import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { shellArgument } from "../../src/model/text.ts";

describe("a file name in a command to copy", () => {
  it("stays without quotes if every shell reads it the same way", () => {
    expect(shellArgument("calendars/März_2027-03.csv")).toBe("calendars/März_2027-03.csv");
  });

  it("has double quotes around spaces and backslashes, which work in every shell", () => {
    expect(shellArgument("calendars/Plan Dezember.xlsx")).toBe('"calendars/Plan Dezember.xlsx"');
    expect(shellArgument(String.raw`calendars\march.csv`)).toBe(String.raw`"calendars\march.csv"`);
  });

  it("is not a flag if it starts with a dash", () => {
    expect(shellArgument("--yes.csv")).toBe("./--yes.csv");
  });

  it.runIf(process.platform !== "win32")("reaches the program unchanged, whatever it contains", async () => {
    const names = [
      "a b",
      "$HOME",
      "`id`",
      "a'b",
      'a"b',
      "a!b",
      "a;b",
      "a&b",
      "~",
      "*",
      "a\\b",
      "a\\\\b",
      "a\\",
      "a b\\c",
      "(a)",
      "#a",
      "a'$b",
    ];
    const line = `printf '%s\\n' ${names.map((name) => shellArgument(name)).join(" ")}`;
    const { stdout } = await promisify(execFile)("sh", ["-c", line]);
    expect(stdout.split("\n").slice(0, -1)).toEqual(names);
  });
});
