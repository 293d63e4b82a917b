import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { formatNumber, shellArgument, tidyName, tidyPath } from "../../src/model/text.ts";
import { manyRuns } from "../support/property-tests.ts";

test("formats whole numbers as Intl does", () => {
  const english = new Intl.NumberFormat("en");
  for (const number of [0, 7, 999, 1_000, 12_345, 100_000, 1_234_567, -1, -200, -1_200])
    expect(formatNumber(number)).toBe(english.format(number));
});

test.each([
  ["launch", "launch"],
  ["  a  b ", "a b"],
  ["\u00a0launch\u202f1\u200b", "launch 1"],
  ["\ufefflink\u00aded\u2060in\u200e", "linkedin"],
  ["“launch”", "launch"],
  ["« launch »", "launch"],
  ["‘launch’", "launch"],
  ['"launch"', "launch"],
  ["l’été", "l’été"],
  ["“launch", "“launch"],
  ['""', '""'],
  ["a\nb", "a\nb"],
  ["", ""],
  ["\u200b", ""],
])("tidies the name %j to %j", (text, expected) => {
  expect(tidyName(text)).toBe(expected);
});

test.each([
  [" \u200bmedia/a.png\u00a0", "media/a.png"],
  ["“a.png”", "a.png"],
  ["Screenshot 2030-01-05 at 3.30.12\u202fPM.png", "Screenshot 2030-01-05 at 3.30.12\u202fPM.png"],
  ["👩\u200d💻.png", "👩\u200d💻.png"],
  ["l’été  2.png", "l’été  2.png"],
])("tidies the path %j to %j", (text, expected) => {
  expect(tidyPath(text)).toBe(expected);
});

test("tidying a tidy text changes nothing", () => {
  const sign = fc.constantFrom("'", '"', "“", "”", "«", "»", " ", "\u00a0", "\u200b", "a", "é");
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 12 }), (text) => {
      expect(tidyName(tidyName(text))).toBe(tidyName(text));
      expect(tidyPath(tidyPath(text))).toBe(tidyPath(text));
    }),
    { numRuns: manyRuns(2_000) },
  );
});

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
