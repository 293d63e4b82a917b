import { expect, test } from "vitest";
import { join } from "node:path";
import { complete } from "../../src/commands/complete.ts";
import { makeProject } from "../support/project.ts";

const CONFIG = { service: { url: "embedded" } };
const NOWHERE = "/nowhere";

async function offered(words: readonly string[], cwd = NOWHERE, shell = "bash"): Promise<string[]> {
  return (await complete([shell, ...words], cwd)).split("\n").slice(0, -1);
}

test.each<[string[], string[]]>([
  [["pla"], ["plan", "platforms"]],
  [["plan", "--f"], ["--format"]],
  [["plan", "--format", "js"], ["json"]],
  [["plan", "--format=js"], ["--format=json"]],
  [["plan", "--format", "=", "js"], ["json"]],
  [["plan", "--no-"], ["--no-color"]],
  [
    ["plan", "--only", "a=b", "--quiet", "--o"],
    ["--only", "--only-valid", "--out"],
  ],
  [["plan", "--watch", "--wa"], []],
  [["plan", "--out", ""], []],
  [["validate", "--preset", "b"], ["buffer"]],
  [["posts", "c"], ["cancel"]],
  [["he"], ["help"]],
  [
    ["help", "pla"],
    ["plan", "platforms"],
  ],
  [["posts", "cancel", "c"], []],
  [["--config", "x.yaml", "vali"], ["validate"]],
  [["init", "--timezone", "Europe/Par"], ["Europe/Paris"]],
])("after %j it offers %j", async (words, expected) => {
  expect(await offered(words)).toEqual(expected);
});

test("offers every command after an unknown word", async () => {
  expect(await offered(["nonsense", ""])).toEqual(expect.arrayContaining(["init", "plan", "apply"]));
});

test("describes each candidate to zsh and fish", async () => {
  expect(await offered(["webh"], NOWHERE, "zsh")).toEqual([expect.stringMatching(/^webhooks:\S/)]);
  expect(await offered(["webh"], NOWHERE, "fish")).toEqual([expect.stringMatching(/^webhooks\t\S/)]);
});

test("offers the project's calendars by their path from the current folder, except names of two lines", async () => {
  const files = { "calendars/a b.csv": "", "calendars/x\ny.csv": "", "sub/readme.txt": "" };
  const { root } = await makeProject({ config: CONFIG, files });
  expect(await offered(["plan", ""], root)).toEqual(["calendars/a b.csv"]);
  expect(await offered(["plan", ""], join(root, "sub"), "zsh")).toEqual(["../calendars/a b.csv"]);
});

test.each([
  ["a broken project", "bogus: ["],
  ["no project", false],
] as const)("offers no calendars in a folder with %s", async (_name, config) => {
  const { root } = await makeProject({ config });
  expect(await offered(["plan", ""], root)).toEqual([]);
});
