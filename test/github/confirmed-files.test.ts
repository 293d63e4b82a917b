/** What counts of a branch's files, in real repositories: a table of the rule, and what jobs store. */
import { expect, test } from "vitest";
import { confirmedFiles, pushConfirmed } from "../../src/github/confirmed-files.ts";
import { Git } from "../../src/github/git-branch.ts";
import { GIT_ENV, type TestRepository, makeRepository } from "../support/github/repository.ts";

const LOCKFILE = "plancast.lock.json";
const HEAD = { commit: "HEAD", folder: "" };
const WORKFLOW = ".github/workflows/social.yml";

function gitIn({ project }: TestRepository): Git {
  return new Git(project.root, { PATH: process.env["PATH"], ...GIT_ENV });
}

/** A workflow with one step that uses the Action with these inputs. */
function workflow(inputs: Readonly<Record<string, string>>): string {
  return JSON.stringify({ on: "push", jobs: { job: { steps: [{ uses: "a/plancast@v1", with: inputs }] } } });
}

/** What counts of the lockfile: its text, `nothing`, or `branch` for that of the commit. */
async function counted(git: Git, folder = "", files = [LOCKFILE]): Promise<string> {
  const found = await confirmedFiles(git, { commit: "HEAD", folder }, files);
  if (found === undefined) return "branch";
  return (await found.read(LOCKFILE)) ?? "nothing";
}

test.each<[string, Readonly<Record<string, string>>, string, string]>([
  ["no workflow", {}, "", "branch"],
  ["a workflow that only plans", { [WORKFLOW]: workflow({ command: "plan" }) }, "", "branch"],
  ["a workflow that applies", { [WORKFLOW]: workflow({ command: "apply" }) }, "", "nothing"],
  [
    "a workflow that applies and leaves the lockfile",
    { [WORKFLOW]: workflow({ command: "apply", lockfile: "none" }) },
    "",
    "branch",
  ],
  [
    "a workflow that applies another folder",
    { [WORKFLOW]: workflow({ command: "apply", "working-directory": "clients/a" }), "clients/b/x": "" },
    "clients/b/",
    "branch",
  ],
  [
    "a workflow that applies this folder",
    { [WORKFLOW]: workflow({ command: "apply", "working-directory": "./clients/a/" }), "clients/a/x": "" },
    "clients/a/",
    "nothing",
  ],
  [
    "a workflow that applies several projects",
    { [WORKFLOW]: workflow({ command: "apply", projects: "clients/*" }), "clients/b/x": "" },
    "clients/b/",
    "nothing",
  ],
  [
    "a workflow that chooses the folder when it runs",
    { [WORKFLOW]: workflow({ command: "apply", "working-directory": "${{ matrix.client }}" }), "b/x": "" },
    "b/",
    "nothing",
  ],
  [
    "a workflow that chooses the command when it runs",
    { [WORKFLOW]: workflow({ command: "${{ github.event_name == 'push' && 'apply' || 'plan' }}" }) },
    "",
    "nothing",
  ],
  [
    "an own action that applies",
    {
      ".github/actions/social/action.yml": JSON.stringify({
        runs: { using: "composite", steps: [{ uses: "a/plancast@v1", with: { command: "apply" } }] },
      }),
    },
    "",
    "nothing",
  ],
  ["a file that is no workflow", { [WORKFLOW]: "command: apply\njobs: [" }, "", "branch"],
])("before the first apply of a job, with %s", async (_what, files, folder, expected) => {
  const repository = await makeRepository({ [LOCKFILE]: "{}", ...files }, {});
  expect(await counted(gitIn(repository), folder)).toBe(expected);
});

test("a remote that cannot be read confirms nothing, so the branch counts", async () => {
  const repository = await makeRepository({ [WORKFLOW]: workflow({ command: "apply" }) }, {});
  repository.git("remote", "set-url", "origin", "/nowhere");
  expect(await counted(gitIn(repository))).toBe("branch");
});

test("what a job has confirmed counts, whatever the name of its job or of the lockfile, but only for its folder", async () => {
  const repository = await makeRepository(
    { [WORKFLOW]: workflow({ command: "apply", projects: "**" }), "b/x": "" },
    {},
  );
  const git = gitIn(repository);
  await pushConfirmed(git, "first", new Map([[LOCKFILE, "one"]]));
  expect([await counted(git), await counted(git, "", ["other.lock.json"])]).toEqual(["one", "one"]);
  expect(await (await confirmedFiles(git, HEAD, ["other.lock.json"]))?.read("other.lock.json")).toBe(
    undefined,
  );
  expect(await counted(git, "b/")).toBe("nothing");
  repository.git("commit", "-q", "--allow-empty", "-m", "later");
  await pushConfirmed(
    new Git(repository.project.root, {
      PATH: process.env["PATH"],
      ...GIT_ENV,
      GIT_COMMITTER_DATE: "2090-01-01T00:00:00Z",
    }),
    "renamed",
    new Map([[LOCKFILE, "two"]]),
  );
  expect(await counted(git)).toBe("two");
});

test("a branch, a tag and a local ref of the same name confirm nothing", async () => {
  const repository = await makeRepository(
    { [WORKFLOW]: workflow({ command: "apply" }), [LOCKFILE]: "forged" },
    {},
  );
  const { git } = repository;
  git("commit", "-q", "--allow-empty", "-m", `Tidy up\n\nApplied: ${await repository.head()}`);
  for (const kind of ["heads", "tags"])
    git("push", "-q", "origin", `HEAD:refs/${kind}/refs/plancast/confirmed-plancast`);
  git("update-ref", "refs/plancast/confirmed-plancast", "HEAD");
  expect(await counted(gitIn(repository))).toBe("nothing");
  expect(git("for-each-ref", "--format=%(refname)", "refs/plancast/").split("\n")).toHaveLength(1);
});
