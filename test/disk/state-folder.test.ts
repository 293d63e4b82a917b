/** plancast uses only state folders that did not come with a checkout. */

import { execFileSync } from "node:child_process";
import { mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStateFolder } from "../../src/disk/state-folder.ts";
import { tempFolder } from "../support/temp-folder.ts";

const isPosix = process.platform !== "win32";

function git(folder: string, ...args: string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always"];
  execFileSync("git", ["-C", folder, ...who, ...args], { env, stdio: ["ignore", "ignore", "pipe"] });
}

/** A repository that tracks these files. */
async function repository(...tracked: string[]): Promise<string> {
  const root = await tempFolder(Object.fromEntries(["a.csv", ...tracked].map((path) => [path, "x\n"])));
  git(root, "init", "--quiet");
  git(root, "add", "--force", ".");
  git(root, "commit", "--quiet", "-m", "All");
  return root;
}

/** The code of the error; `usable` where there is none. */
async function outcome(root: string): Promise<unknown> {
  return openStateFolder(root).then(
    () => "usable",
    (error: unknown) => error instanceof Error && "code" in error && error.code,
  );
}

test("a folder that is not there, is empty, or was made by plancast is usable", async () => {
  const root = await repository();
  expect(await outcome(root)).toBe("usable");
  await mkdir(join(root, ".plancast", "media"), { recursive: true });
  await writeFile(join(root, ".plancast", "media", "hashes.json"), "{}");
  expect(await outcome(root)).toBe("usable");
});

test.each([
  [".plancast/embedded/store.jsonl"],
  [".plancast/media/.gitignore"],
  // On a disk that ignores case or invisible characters.
  [".PlanCast/x"],
  [".plan\u200ccast/x"],
  [".planca\u017ft/x"],
  [".planca\ufb05/x"],
  [".plan\u00adcast/x"],
  [".p\u{e0001}lancast/x"],
  // On Windows.
  ["PLANCA~1/x"],
  ["PL3F5A~1/x"],
  [".plancast. ./x"],
  [".plancast:stream"],
  [String.raw`.plancast\x`],
])("a folder in which git tracks %j is refused", async (path) => {
  const root = await repository(path);
  await mkdir(join(root, ".plancast"), { recursive: true });
  expect(await outcome(root)).toBe("disk/state-tracked");
});

test("folders with other names have no effect", async () => {
  const root = await repository(
    "plans~1/a",
    ".pl\u00adan/a",
    ".plancast-notes/a",
    "docs/.plancast/a",
    ".plancastrc",
    "x.plancast/a",
  );
  await mkdir(join(root, ".plancast"));
  expect(await outcome(root)).toBe("usable");
  expect(await outcome(join(root, "docs"))).toBe("disk/state-tracked");
});

test("a folder that is committed as a file, or as a separate repository, is refused", async () => {
  expect(await outcome(await repository(".plancast"))).toBe("disk/state-tracked");
  const root = await repository();
  const inner = join(root, ".plancast");
  await mkdir(inner);
  await writeFile(join(inner, "x"), "x");
  git(inner, "init", "--quiet");
  git(inner, "add", ".");
  git(inner, "commit", "--quiet", "-m", "Inner");
  git(root, "add", "--force", ".plancast");
  expect(await outcome(root)).toBe("disk/state-tracked");
});

test.each([
  ["of version 4", ["update-index", "--index-version", "4"]],
  ["that is split", ["update-index", "--split-index"]],
  ["of a sparse checkout", ["sparse-checkout", "set", "--cone", "--sparse-index", "deep"]],
])(
  "an index %s does not hide tracked files, and a folder that is not in the index is usable",
  async (_kind, args) => {
    const hostile = await repository("deep/.plancast/x");
    git(hostile, ...args);
    expect(await outcome(join(hostile, "deep"))).toBe("disk/state-tracked");
    const root = await repository("deep/a");
    await mkdir(join(root, "deep", ".plancast"));
    git(root, ...args);
    expect(await outcome(join(root, "deep"))).toBe("usable");
  },
);

test("an index with missing parts is refused", async () => {
  const split = await repository(".plancast/x");
  git(split, "update-index", "--split-index");
  for (const name of await readdir(join(split, ".git")))
    if (name.startsWith("sharedindex.")) await rm(join(split, ".git", name));
  const sparse = await repository("deep/.plancast/x");
  git(sparse, "sparse-checkout", "set", "--cone", "--sparse-index", "other");
  await rm(join(sparse, ".git", "objects"), { recursive: true });
  await mkdir(join(sparse, ".git", "objects"));
  await mkdir(join(sparse, "deep", ".plancast"), { recursive: true });
  expect(await outcome(split)).toBe("disk/git-unreadable");
  expect(await outcome(join(sparse, "deep"))).toBe("disk/git-unreadable");
});

test.runIf(isPosix)("missing objects are not fetched with a program that the repository names", async () => {
  const root = await repository("deep/.plancast/x");
  const marks = await tempFolder();
  const program = join(marks, "program.sh");
  await writeFile(program, `#!/bin/sh\ntouch ${marks}/executed\n`, { mode: 0o755 });
  git(root, "sparse-checkout", "set", "--cone", "--sparse-index", "other");
  for (const [name, value] of [
    ["core.repositoryFormatVersion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.url", `ext::${program}`],
    ["remote.origin.promisor", "true"],
    ["protocol.ext.allow", "always"],
  ] as const)
    git(root, "config", name, value);
  await rm(join(root, ".git", "objects"), { recursive: true });
  await mkdir(join(root, ".git", "objects"));
  await mkdir(join(root, "deep", ".plancast"), { recursive: true });
  expect(await outcome(join(root, "deep"))).toBe("disk/git-unreadable");
  expect(await readdir(marks)).toEqual(["program.sh"]);
});

test("a worktree and a submodule are checked like a repository", async () => {
  const origin = await repository(".plancast/x");
  const outer = await repository();
  git(origin, "worktree", "add", "--quiet", join(outer, "worktree"), "-b", "other");
  git(outer, "submodule", "--quiet", "add", origin, "module");
  expect(await outcome(join(outer, "worktree"))).toBe("disk/state-tracked");
  expect(await outcome(join(outer, "module"))).toBe("disk/state-tracked");
  const clean = await repository();
  git(clean, "worktree", "add", "--quiet", join(outer, "clean"), "-b", "other");
  await mkdir(join(outer, "clean", ".plancast"));
  expect(await outcome(join(outer, "clean"))).toBe("usable");
});

test("a folder in a repository that git cannot read is refused", async () => {
  const root = await repository();
  await mkdir(join(root, ".plancast"));
  await rename(join(root, ".git"), join(root, "elsewhere"));
  await writeFile(join(root, ".git"), "gitdir: nowhere\n");
  expect(await outcome(root)).toBe("disk/git-unreadable");
  await rm(join(root, ".git"));
  expect(await outcome(root)).toBe("usable");
});

test.runIf(isPosix)(
  "no code in the checkout or the repository is executed, and no variable misleads git",
  async () => {
    const root = await repository(".plancast/x");
    const marks = await tempFolder();
    const program = join(marks, "program.sh");
    await writeFile(program, `#!/bin/sh\ntouch ${marks}/executed\n`, { mode: 0o755 });
    for (const name of ["core.fsmonitor", "core.sshCommand", "core.pager", "core.editor"])
      git(root, "config", name, program);
    // A repository inside the checkout, which git would use instead of the outer one.
    const bare = `[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tworktree = .\n\tfsmonitor = ${program}\n`;
    await mkdir(join(root, "objects"));
    await mkdir(join(root, "refs"));
    await writeFile(join(root, "HEAD"), "ref: refs/heads/main\n");
    await writeFile(join(root, "config"), bare);
    process.env["GIT_DIR"] = root;
    try {
      expect(await outcome(root)).toBe("disk/state-tracked");
    } finally {
      delete process.env["GIT_DIR"];
    }
    expect(await readdir(marks)).toEqual(["program.sh"]);
  },
);

test("a link is refused, wherever it is in the folder and wherever it leads", async () => {
  const outside = await tempFolder({ file: "x" });
  for (const [link, target] of [
    [".plancast", outside],
    [".plancast", "nowhere"],
    [".plancast/media", outside],
    [".plancast/a/b/c", join(outside, "file")],
    [".plancast/a/b/c", "nowhere"],
    [".plancast/a", "../b"],
  ] as const) {
    const root = await tempFolder({ "b/x": "" });
    await mkdir(join(root, link, ".."), { recursive: true });
    await symlink(target, join(root, link));
    expect([link, target, await outcome(root)]).toEqual([link, target, "disk/state-unsafe"]);
  }
});

test.runIf(isPosix)("a pipe is refused without waiting for it", async () => {
  const root = await tempFolder({ ".plancast/a": "" });
  execFileSync("mkfifo", [join(root, ".plancast", "pipe")]);
  expect(await outcome(root)).toBe("disk/state-unsafe");
});

test("a project behind a link of this machine is usable", async () => {
  const parent = await tempFolder({ "real/.plancast/a": "" });
  await symlink("real", join(parent, "link"));
  expect((await openStateFolder(join(parent, "link"))).path).toBe(join(parent, "real", ".plancast"));
});
