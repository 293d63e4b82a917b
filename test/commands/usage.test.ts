/** Arguments that cannot be understood: said on stderr, and who waits for JSON gets a document. */
import { expect, test } from "vitest";
import { makeProject } from "../support/project.ts";
import { runCli } from "../support/run-cli.ts";

test.each<[string[], boolean]>([
  [["plan", "--format", "json", "--bogus"], true],
  [["apply", "--format=json", "--allow-cancels"], true],
  [["validate", "--format", "json", "--format"], true],
  [["resolve", "--format", "json", "--exists", "post_1"], true],
  [["plan", "--format", "xml"], false],
  [["plan", "--bogus"], false],
])("%j", async (args, isDocument) => {
  const { root } = await makeProject();
  const { code, stdout, stderr } = await runCli(args, { cwd: root });
  expect([code, stderr.split("\n")[0]]).toEqual([1, "error usage/arguments"]);
  if (isDocument) expect(JSON.parse(stdout)).toMatchObject({ version: 1 });
  else expect(stdout).toBe("");
});
