/**
 * Attacks by the contents of a checkout. Each attack is planted in a project beside a folder that does not belong to it.
 * After all commands, that folder, the user's home and git's hooks are unchanged. `npm test` runs the commands in this
 * process and the last test with the built command; the long suite runs all with the built command.
 */

import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import {
  link,
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { perEffort } from "../chaos/effort.ts";
import { afterThisTest } from "../support/after-test.ts";
import { runCommand } from "../support/run-command.ts";
import { runProcess } from "../support/run-process.ts";
import { csv } from "../support/scenario.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { tinyPng } from "../support/tiny-media.ts";

const CALENDAR = csv(
  ["id", "scheduled_at", "platforms", "content", "media"],
  ["a", "2036-03-01 10:00", "twitter", "Hello", "media/a.png"],
);
const LONG_AGO = new Date("2020-01-01T00:00:00Z");

interface World {
  /** The project, a git repository. */
  readonly root: string;
  /** What no command may touch. */
  readonly outside: string;
  readonly plant: (path: string, contents: string) => Promise<void>;
  readonly link: (path: string, target: string) => Promise<void>;
  readonly git: (...args: string[]) => void;
}

async function makeWorld(config: Readonly<Record<string, unknown>> = {}): Promise<World> {
  const top = await tempFolder({
    "outside/file": "precious",
    "outside/.bash_aliases": "alias ll='ls -l'\n",
    "outside/folder/old": "old",
    "outside/store/store.jsonl": "",
    "project/plancast.yaml": stringify({ service: { url: "embedded" }, timezone: "UTC", ...config }),
    "project/.gitignore": ".plancast/\n",
    "project/calendars/a.csv": CALENDAR,
    "project/media/a.png": tinyPng(1),
  });
  const root = join(top, "project");
  const outside = join(top, "outside");
  await utimes(join(outside, "folder", "old"), LONG_AGO, LONG_AGO);
  const plant = async (path: string, contents: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), contents);
  };
  const git = (...args: string[]): void => {
    execFileSync("git", ["-C", root, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  };
  // One shell for all, because each process that a test's large process starts is slow.
  const script = `git init --quiet
    git add .
    git -c user.name=a -c user.email=a@example.com commit --quiet -m All`;
  execFileSync("sh", ["-ec", script], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  return {
    root,
    outside,
    plant,
    git,
    link: async (path, target) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await symlink(target, join(root, path));
    },
  };
}

/** Everything below a folder, with contents and times. */
async function picture(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const path = join(folder, name);
    const stats = await lstat(path);
    const contents = stats.isSymbolicLink()
      ? await readlink(path)
      : stats.isFile()
        ? await readFile(path, "utf8")
        : "";
    found[name] = `${stats.mode} ${stats.mtimeMs} ${contents}`;
  }
  return found;
}

const READING = [["validate"], ["plan"], ["status"], ["doctor"]];
const WRITING = [
  ["apply", "--yes"],
  ["draft", "--yes"],
  ["preview", "--out", "page.html"],
  ["listen", "--port", "0"],
];
const ALL = [...READING, ...WRITING, ["serve", "--port", "0"], ["ci", "run"], ["ci", "lockfile"]];

const CI = {
  GITHUB_REPOSITORY: "acme/social",
  GITHUB_EVENT_NAME: "push",
  GITHUB_SHA: "0123456789abcdef0123456789abcdef01234567",
  GITHUB_REF: "refs/heads/main",
};

type Run = typeof runCommand | typeof runProcess;

const run: Run = perEffort<Run>({ quick: runCommand, long: runProcess, full: runProcess });

/** Runs commands one after the other. Returns the exit code and the output of each. */
async function runAll(
  { root, outside }: World,
  commands: readonly (readonly string[])[],
  env: Readonly<Record<string, string>> = {},
  runOne: Run = run,
): Promise<readonly (readonly [string, number | null, string])[]> {
  const job: Record<string, string> = { ...CI, GITHUB_WORKSPACE: root, INPUT_COMMAND: "plan" };
  const results: [string, number | null, string][] = [];
  for (const args of commands) {
    const own = args[0] === "ci" ? job : {};
    // The cache of pictures is meant to be there, outside of the checkout.
    const options = { cwd: root, env: { HOME: outside, XDG_CACHE_HOME: `${outside}-cache`, ...own, ...env } };
    const { code, stdout, stderr } = await runOne(args, options);
    results.push([args.join(" "), code, stdout + stderr]);
  }
  return results;
}

/** Whatever else is wrong: nothing outside and no hook of git may change. */
async function unharmed(world: World, work: () => Promise<void>): Promise<void> {
  const hooks = join(world.root, ".git", "hooks");
  const before = [await picture(world.outside), await picture(hooks)];
  await work();
  expect([await picture(world.outside), await picture(hooks)]).toEqual(before);
}

/** Attacks that are tried with every command. */
const EVERYWHERE = ["is a link to a folder", "is committed"];

describe("a state folder with files that plancast did not write", () => {
  const attacks: readonly (readonly [string, string, (world: World) => Promise<unknown>])[] = [
    ["is a link to a folder", "disk/state-unsafe", (w) => w.link(".plancast", "../outside")],
    ["is a file", "disk/state-unsafe", (w) => w.plant(".plancast", "")],
    ["is a link that leads nowhere", "disk/state-unsafe", (w) => w.link(".plancast", "../outside/new")],
    [
      "has a linked media folder",
      "disk/state-unsafe",
      (w) => w.link(".plancast/media", "../../outside/folder"),
    ],
    [
      "has a linked .gitignore",
      "disk/state-unsafe",
      (w) => w.link(".plancast/media/.gitignore", "../../../outside/file"),
    ],
    [
      "has a linked folder of parts",
      "disk/state-unsafe",
      (w) => w.link(".plancast/media/parts", "../../../outside/folder"),
    ],
    [
      "has a linked journal",
      "disk/state-unsafe",
      (w) => w.link(".plancast/plancast.lock.json.journal", "../../outside/.bash_aliases"),
    ],
    [
      "has a linked journal that leads nowhere",
      "disk/state-unsafe",
      (w) => w.link(".plancast/plancast.lock.json.journal", "../../outside/.profile"),
    ],
    [
      "has a linked part of the lockfile",
      "disk/state-unsafe",
      (w) => w.link(".plancast/plancast.lock.json.part", "../.git/hooks/pre-push"),
    ],
    ["has a linked run lock", "disk/state-unsafe", (w) => w.link(".plancast/run.lock", "../../outside/lock")],
    [
      "has a linked store",
      "disk/state-unsafe",
      (w) => w.link(".plancast/embedded/store.jsonl", "../../../outside/store/store.jsonl"),
    ],
    [
      "has a linked outbox",
      "disk/state-unsafe",
      (w) => w.link(".plancast/embedded/outbox", "../../../outside/folder"),
    ],
    [
      "has a pipe",
      "disk/state-unsafe",
      async (w) => {
        await w.plant(".plancast/x", "");
        execFileSync("mkfifo", [join(w.root, ".plancast", "plancast.lock.json.journal")]);
      },
    ],
    [
      "is committed",
      "disk/state-tracked",
      async (w) => {
        await w.plant(".plancast/embedded/x", "");
        w.git("add", "--force", ".plancast");
      },
    ],
    [
      "is committed in other letters",
      "disk/state-tracked",
      async (w) => {
        await w.plant(".PLANCAST/x", "");
        await w.plant(".plancast/x", "");
        w.git("add", "--force", ".PLANCAST");
      },
    ],
  ];

  test.each(attacks)("that %s, is refused with %s", async (_what, code, plant) => {
    await refused(code, plant, [["validate"], ["apply", "--yes"]]);
  });

  test.each(attacks.filter(([what]) => EVERYWHERE.includes(what)))(
    "that %s, is refused with %s by every command",
    (_what, code, plant) => refused(code, plant, ALL),
  );
});

async function refused(
  code: string,
  plant: (world: World) => Promise<unknown>,
  commands: readonly (readonly string[])[],
): Promise<void> {
  const world = await makeWorld();
  await plant(world);
  await unharmed(world, async () => {
    // plancast refuses each of them, so they do not affect each other.
    const all = await Promise.all(commands.map((args) => runAll(world, [args])));
    for (const [command, exit, output] of all.flat()) {
      // `doctor` prints no codes.
      const expected = command === "doctor" ? "to do    project  " : code;
      expect([command, exit, output]).toEqual([command, 1, expect.stringContaining(expected)]);
    }
  });
}

const STORED_POST = {
  content: "Hello",
  platforms: ["twitter"],
  scheduled_at: "2021-01-01T00:00:00.000Z",
  media_ids: [],
  created_at: "2020-01-01T00:00:00.000Z",
};

test("a store with ids that point outside its folder removes no folder", async () => {
  const world = await makeWorld();
  const record = { id: "x/../../../../../../outside/folder", ...STORED_POST };
  const log = JSON.stringify([{ kind: "post", record }]);
  await world.plant(".plancast/embedded/store.jsonl", `${log}\n`);
  await unharmed(world, async () => {
    for (const [command, exit, output] of await runAll(world, [["plan"], ["apply", "--yes"]]))
      expect([command, exit, output]).toEqual([command, 1, expect.stringContaining("disk/state-invalid")]);
  });
});

test("a committed store sends nothing to its webhooks", async () => {
  const world = await makeWorld();
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const created_at = "2020-01-01T00:00:00.000Z";
  const webhook = { id: "hook_1", url: `http://127.0.0.1:${port}/`, events: ["post.published"], created_at };
  const records = [
    [{ kind: "webhook", record: webhook }],
    [{ kind: "post", record: { id: "post_1", ...STORED_POST } }],
  ];
  await world.plant(
    ".plancast/embedded/store.jsonl",
    records.map((each) => `${JSON.stringify(each)}\n`).join(""),
  );
  world.git("add", "--force", ".plancast");
  for (const [, exit, output] of await runAll(world, [
    ["plan"],
    ["apply", "--yes"],
    ["serve", "--port", "0"],
  ]))
    expect([exit, output]).toEqual([1, expect.stringContaining("disk/state-tracked")]);
  expect(requests).toBe(0);
});

test("a journal with a second name (a hard link) is replaced, so the other file keeps its contents", async () => {
  const world = await makeWorld();
  await world.plant(".plancast/x", "");
  await writeFile(join(world.outside, "empty"), "");
  await link(join(world.outside, "empty"), join(world.root, ".plancast", "plancast.lock.json.journal"));
  await link(join(world.outside, "file"), join(world.root, ".plancast", "plancast.lock.json.part"));
  await unharmed(world, async () => {
    expect(await runAll(world, [["apply", "--yes"]])).toMatchObject([["apply --yes", 0, expect.anything()]]);
  });
});

test("a journal of any size ends a command with an error", async () => {
  const world = await makeWorld();
  await world.plant(".plancast/plancast.lock.json.journal", "");
  await truncate(join(world.root, ".plancast", "plancast.lock.json.journal"), 6 * 1024 ** 3);
  await unharmed(world, async () => {
    for (const [command, exit, output] of await runAll(world, [["plan"], ["apply", "--yes"]]))
      expect([command, exit, output]).toEqual([command, 1, expect.stringContaining("journal/invalid")]);
  });
});

describe("a lockfile", () => {
  test.each([
    ["is a link", "../outside/file"],
    ["is a link that leads nowhere", "../outside/new"],
    ["is a link to a folder", "../outside/folder"],
    ["is a link to git's hooks", ".git/hooks/pre-push"],
  ])("that %s is not used", async (_what, target) => {
    const world = await makeWorld();
    await world.link("plancast.lock.json", target);
    await unharmed(world, async () => {
      for (const [command, exit, output] of await runAll(world, [["plan"], ["apply", "--yes"]]))
        expect([command, exit, output]).toEqual([command, 1, expect.stringContaining("disk/linked")]);
      expect(await runAll(world, [["validate"]])).toMatchObject([["validate", 0, expect.anything()]]);
    });
  });

  test.each([
    ["locks/a.lock.json", "disk/linked"],
    ["locks/a.json", "project/invalid"],
    ["../outside/a.json", "project/invalid"],
    [".git/hooks/pre-push", "project/invalid"],
    [".plancast/run.lock", "project/invalid"],
    [".plancast/run.json", "project/invalid"],
    [".github/workflows/evil.yml", "project/invalid"],
    ["README.md", "project/invalid"],
  ])("that is %s is not used: %s", async (lockfile, code) => {
    const world = await makeWorld({ lockfile });
    await world.link("locks", "../outside");
    await unharmed(world, async () => {
      for (const [command, exit, output] of await runAll(world, [["plan"], ["apply", "--yes"]]))
        expect([command, exit, output]).toEqual([command, 1, expect.stringContaining(code)]);
    });
  });
});

test.each([
  ["calendars/b.csv", "../../outside/file", "disk/outside"],
  ["calendars/b.csv", "nowhere", "disk/linked"],
  ["calendars/b.csv", "a.csv", "disk/linked"],
  ["calendars/more", "../../outside", "disk/outside"],
  ["calendars/more", "..", "disk/linked"],
])(
  "a calendar %s that is a link to %s is an error, so that no post of it is cancelled",
  async (path, target, code) => {
    const world = await makeWorld({ calendars: ["calendars/**/*.csv"] });
    await world.link(path, target);
    await unharmed(world, async () => {
      for (const [command, exit, output] of await runAll(world, [
        ["validate"],
        ["plan"],
        ["apply", "--yes"],
        ["draft"],
      ]))
        expect([command, exit, output]).toEqual([command, 1, expect.stringContaining(code)]);
    });
  },
);

test("a plancast.yaml that is a link out of the project is not read", async () => {
  const world = await makeWorld();
  await mkdir(join(world.root, "sub"));
  await writeFile(join(world.outside, "secret"), "key: precious-secret\n");
  await world.link("sub/plancast.yaml", "../../outside/secret");
  await unharmed(world, async () => {
    const commands = ALL.map((args) => [...args, "--config", "sub/plancast.yaml"]);
    for (const [command, exit, output] of await runAll(world, commands)) {
      const expected = command.startsWith("doctor") ? "to do    project  " : "disk/outside";
      expect([command, exit, output]).toEqual([command, 1, expect.stringContaining(expected)]);
      expect(output).not.toContain("precious");
    }
  });
});

test.each([
  [["preview", "--out", "out/page.html"], "out", "../outside"],
  [["preview", "--out", "page.html"], "page.html", "../outside/new.html"],
  [["plan", "--out", "plan.json"], "plan.json", ".git/hooks/pre-push"],
  [["calendar", "--format", "ics", "--out", "out/feed.ics"], "out", "../outside"],
  [["convert", "calendars/a.csv", "--out", "out/a.yaml"], "out", "../outside"],
  [["convert", "calendars/a.csv", "--out", "b.yaml", "--force"], "b.yaml", "../outside/file"],
  [["pull", "--out", "out/a.yaml"], "out", "../outside"],
  [["columns", "--answers", "answers.yaml"], "plancast.yaml", "agency.yaml"],
])("%j writes through no link", async (args, path, target) => {
  const world = await makeWorld();
  if (path === "plancast.yaml") {
    await world.plant("agency.yaml", await readFile(join(world.root, path), "utf8"));
    execFileSync("rm", [join(world.root, path)]);
  }
  await world.plant("answers.yaml", "columns: { Owner: ignore }\n");
  await world.link(path, target);
  await unharmed(world, async () => {
    const [[, exit, output] = []] = await runAll(world, [args]);
    expect([exit, output]).toEqual([1, expect.stringContaining("disk/linked")]);
  });
});

test.each([".github", ".gitignore", "calendars", "plancast.yaml"])(
  "init writes nothing where %s is a link",
  async (name) => {
    const world = await makeWorld();
    // Not in the repository, where init would find that its project has a workflow already.
    const folder = join(world.root, "..", "new");
    await mkdir(folder);
    await symlink("../outside", join(folder, name));
    const before = await picture(folder);
    await unharmed(world, async () => {
      const { code, stderr } = await run(["init"], { cwd: folder });
      expect([code, stderr]).toEqual([1, expect.stringContaining("disk/linked")]);
    });
    expect(await picture(folder)).toEqual(before);
  },
);

describe("what goes into the log of a CI job", () => {
  const COMMANDS = [
    ["convert", "calendars/a.csv", "--to", "yaml"],
    ["calendar", "--format", "ics"],
  ];

  test("contains neither a calendar nor a feed", async () => {
    const world = await makeWorld();
    for (const CI of ["true", "1"]) {
      for (const [command, exit, output] of await runAll(world, COMMANDS, { CI }))
        expect([command, exit, output]).toEqual([command, 1, expect.stringContaining("ci/stdout")]);
    }
    for (const CI of ["false", ""]) {
      for (const [command, exit] of await runAll(world, COMMANDS, { CI }))
        expect([command, exit]).toEqual([command, 0]);
    }
    const toFile = COMMANDS.map((args) => [...args, "--out", args[0] === "convert" ? "b.yaml" : "a.ics"]);
    for (const [command, exit] of await runAll(world, toFile, { CI: "true" }))
      expect([command, exit]).toEqual([command, 0]);
  });
});

test("the built command works in a normal checkout, and refuses it once its state folder is a link", async () => {
  const world = await makeWorld();
  await unharmed(world, async () => {
    const commands = [
      ["validate"],
      ["apply", "--yes"],
      ["plan"],
      ["status"],
      ["preview", "--out", "page.html"],
    ];
    for (const [command, exit, output] of await runAll(world, commands, {}, runProcess))
      expect([command, exit, output]).toEqual([command, 0, output]);
    await rm(join(world.root, ".plancast"), { recursive: true });
    await world.link(".plancast", "../outside");
    const [[, exit, output] = []] = await runAll(world, [["apply", "--yes"]], {}, runProcess);
    expect([exit, output]).toEqual([1, expect.stringContaining("disk/state-unsafe")]);
  });
});
