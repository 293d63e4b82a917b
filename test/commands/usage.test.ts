/** Wrong arguments are reported on stderr, and also as JSON for a caller that expects JSON. */
import { expect, test } from "vitest";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";

test.each<[string[], boolean]>([
  [["plan", "--format", "json", "--bogus"], true],
  [["apply", "--format=json", "--allow-cancels"], true],
  [["validate", "--format", "json", "--format"], true],
  [["resolve", "--format", "json", "--exists", "post_1"], true],
  [["plan", "--format", "xml"], false],
  [["plan", "--bogus"], false],
])("arguments %j are refused, with a JSON document: %s", async (args, isDocument) => {
  const { root } = await makeProject();
  const { code, stdout, stderr } = await runCommand(args, { cwd: root });
  expect([code, stderr.split("\n")[0]]).toEqual([1, "error usage/arguments"]);
  if (isDocument) expect(JSON.parse(stdout)).toMatchObject({ version: 1 });
  else expect(stdout).toBe("");
});

test.each([
  ["plam", "There is no command `plam`. Did you mean `plan`?"],
  ["plna", "There is no command `plna`. Did you mean `plan`?"],
  ["help plna", "There is no command `plna`. Did you mean `plan`?"],
  ["plna --help", "There is no command `plna`. Did you mean `plan`?"],
  ["hepl", "There is no command `hepl`. Did you mean `help`?"],
  [
    "apply --allow-cancel 3",
    "`plancast apply` has no flag `--allow-cancel`. Did you mean `--allow-cancels`?",
  ],
  ["", "Name a command."],
  [
    "schedule",
    "There is no command `schedule`. To schedule the posts of your calendars, run `plancast apply`.",
  ],
  ["list", "There is no command `list`. To list the posts on the service, run `plancast posts list`."],
  [
    "Import --quiet",
    "There is no command `Import`. To write a calendar from the posts on the service, run `plancast pull`.",
  ],
  ["delete", "There is no command `delete`. To cancel a post, delete its row and run `plancast apply`."],
  ["xyzzy", "There is no command `xyzzy`."],
  ["--config x.yaml aply", "There is no command `aply`. Did you mean `apply`?"],
  ["--quiet", "Name a command."],
  ["--halp", "`plancast` has no flag `--halp`. Did you mean `--help`?"],
  ["plan --fromat json", "`plancast plan` has no flag `--fromat`. Did you mean `--format`?"],
  ["plan --wach=1", "`plancast plan` has no flag `--wach`. Did you mean `--watch`?"],
  ["plan --no-colour", "`plancast plan` has no flag `--no-colour`. Did you mean `--no-color`?"],
  ["plan --no-out", "`plancast plan` has no flag `--no-out`. Did you mean `--out`?"],
  ["plan -z", "`plancast plan` has no flag `-z`."],
  ["foo plan", "There is no command `foo`."],
  ["--out plan validate", "Write `--out` after the command: `plancast plan --out`."],
  ["--yes apply", "Write `--yes` after the command: `plancast apply --yes`."],
  ["--yes plan", "`plancast plan` has no flag `--yes`."],
  ["resolve --absent", "--absent needs the key of a post."],
  ["serve --port 99999", "99999 is not a port."],
  ["pull x", "`plancast pull` does not need `x`."],
  [
    "plan --format jsn",
    "`--format` cannot be `jsn`. Did you mean `json`? Choose one of text, json, markdown.",
  ],
  ["posts lst", "<action> cannot be `lst`. Did you mean `list`? Choose one of list, show, cancel."],
  ["posts", "`plancast posts` needs <action>. Choose one of list, show, cancel."],
  ["apply --plan", "`--plan` needs a value."],
  ["webhooks list", "<action> cannot be `list`. The only choice is add."],
  ["webhooks remove wh_1 --bogus", "<action> cannot be `remove`. The only choice is add."],
  [
    "webhooks add --urll https://a.example",
    "`plancast webhooks` has no flag `--urll`. Did you mean `--url`?",
  ],
  ["posts cancel", "plancast posts cancel takes one post."],
  ["posts cancel a b", "`plancast posts` does not need `b`."],
  ["platforms disconnect a b", "`plancast platforms` does not need `b`."],
  ["platforms list a", "plancast platforms list takes no names."],
  ["webhooks add", "plancast webhooks add needs --url."],
  ["webhooks add --url=", "plancast webhooks add needs --url."],
  ["webhooks add --url https://a.example --url https://b.example", "`--url` is given more than once."],
  ["webhooks add --url https://a.example --event ,", "--event needs a kind of event."],
  ["plan --out a --format json --out b", "`--out` is given more than once."],
  ["plan --format json --format text", "`--format` is given more than once."],
  ["ai image --size 4x4", "plancast ai image needs --prompt."],
  ["ai text --prompt x", "plancast ai text needs --platform."],
])("plancast %s: %s", async (line, message) => {
  const { root } = await makeProject();
  const { code, stderr } = await runCommand(line.split(" "), { cwd: root });
  expect([code, stderr.split("\n  →")[0]?.replaceAll(/\s+/g, " ")]).toEqual([
    1,
    `error usage/arguments ${message}`,
  ]);
});

test("init suggests the zone of a city", async () => {
  const { root } = await makeProject({ config: false });
  const { code, stderr } = await runCommand(["init", "--timezone", "Berlin"], { cwd: root });
  expect([code, stderr]).toEqual([1, expect.stringContaining("Did you mean `Europe/Berlin`?")]);
});

test("a flag of every command may be before the command", async () => {
  const { root } = await makeProject({ files: {} });
  const checked = await runCommand(["--config", "plancast.yaml", "--no-color", "--verbose", "validate"], {
    cwd: root,
  });
  expect([checked.code, checked.stderr]).toEqual([0, expect.not.stringContaining("usage")]);
});
