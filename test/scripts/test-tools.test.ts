/** What `npm test` does first: looks for the tools that the tests need, and installs them or says how. */
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { BROWSER, planTestTools, TOOLS, type Machine } from "../../scripts/plan-test-tools.js";
import { makeProject, type TestProject } from "../support/project.ts";
import { runProcess } from "../support/run-process.ts";

const ALL = TOOLS.map(({ name }) => name);

describe("the plan", () => {
  const DEBIAN: Machine = {
    platform: "linux",
    isUbuntu: false,
    missing: ["zsh", "redis-server", BROWSER],
    managers: ["apt-get"],
    isRoot: false,
    sudo: "no",
    isTerminal: false,
  };
  const UBUNTU: Machine = { ...DEBIAN, isUbuntu: true, isRoot: true };
  const MAC: Machine = { ...DEBIAN, platform: "darwin", managers: ["brew"], missing: ["fish", BROWSER] };
  const APT = "DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends";
  const AS_ROOT = `apt-get update && ${APT} zsh redis-server chromium`;
  const WITH_SUDO = `sudo apt-get update && sudo env ${APT} zsh redis-server chromium`;
  const BREW = "brew install fish && brew install --cask google-chrome";
  const DOWNLOAD = "npx playwright-core install --with-deps --no-shell chromium";

  test.each<[string, Machine, string, string]>([
    ["does nothing if every tool is there", { ...DEBIAN, missing: [] }, "ready", ""],
    ["installs immediately as root", { ...DEBIAN, isRoot: true }, "install", AS_ROOT],
    [
      "installs immediately as root on a terminal",
      { ...DEBIAN, isRoot: true, isTerminal: true },
      "install",
      AS_ROOT,
    ],
    ["stops without root and sudo", DEBIAN, "stop", WITH_SUDO],
    ["stops without root and sudo on a terminal", { ...DEBIAN, isTerminal: true }, "stop", WITH_SUDO],
    [
      "asks before sudo on a terminal",
      { ...DEBIAN, isTerminal: true, sudo: "with a password" },
      "ask",
      WITH_SUDO,
    ],
    [
      "asks before sudo on a terminal even if sudo needs no password",
      { ...DEBIAN, isTerminal: true, sudo: "without a password" },
      "ask",
      WITH_SUDO,
    ],
    [
      "uses sudo immediately without a terminal",
      { ...DEBIAN, sudo: "without a password" },
      "install",
      WITH_SUDO,
    ],
    ["stops if sudo would ask for a password", { ...DEBIAN, sudo: "with a password" }, "stop", WITH_SUDO],
    [
      "downloads the browser on Ubuntu, whose package is a snap",
      UBUNTU,
      "install",
      `apt-get update && ${APT} zsh redis-server && ${DOWNLOAD}`,
    ],
    [
      "needs no package for the browser alone on Ubuntu",
      { ...UBUNTU, missing: [BROWSER] },
      "install",
      DOWNLOAD,
    ],
    ["uses Homebrew immediately without a terminal", MAC, "install", BREW],
    ["asks before Homebrew on a terminal", { ...MAC, isTerminal: true }, "ask", BREW],
    ["stops as root on macOS: Homebrew refuses root", { ...MAC, isRoot: true }, "stop", BREW],
    [
      "installs only Chrome if only that is missing",
      { ...MAC, missing: [BROWSER] },
      "install",
      BREW.slice(21),
    ],
    [
      "prefers apt-get to Homebrew on Linux",
      { ...DEBIAN, isRoot: true, managers: ["apt-get", "brew"] },
      "install",
      AS_ROOT,
    ],
    [
      "uses Homebrew on Linux without root and sudo",
      { ...DEBIAN, managers: ["apt-get", "brew"] },
      "install",
      "brew install zsh redis && npx playwright-core install --no-shell chromium",
    ],
    ["stops without a package manager", { ...DEBIAN, managers: [], isRoot: true }, "stop", ""],
    ["stops on macOS without Homebrew", { ...MAC, managers: [], isTerminal: true }, "stop", ""],
    ["stops on Windows", { ...DEBIAN, platform: "win32", managers: [] }, "stop", ""],
  ])("%s", (_behaviour, machine, action, command) => {
    const plan = planTestTools(machine);
    expect([plan.action, plan.command]).toEqual([action, command]);
    expect(plan.message).toContain(command);
    for (const name of machine.missing) expect(plan.message).toContain(name);
    expect(plan.message.includes("No tests were run")).toBe(action === "stop");
  });

  test("the message names each missing tool, why it is needed, and the command", () => {
    expect(planTestTools(DEBIAN).message).toBe(
      `The tests need tools that this machine does not have:
  zsh                        for tests of: tab completion
  redis-server               for tests of: several machines that share one key
  Chromium or Google Chrome  for tests of: the preview, in a real browser

No tests were run: installing needs root, or sudo without a password.
As a user who may install, run this command, then the tests again:
  ${WITH_SUDO}
`,
    );
  });
});

describe("the script", () => {
  interface OtherMachine {
    readonly platform?: string;
    readonly uid?: number;
    readonly osRelease?: string;
    /** What a person types at the terminal. Without it, there is no terminal. */
    readonly typed?: string;
    /** Fake commands: what each does in sh, after it has recorded its arguments. */
    readonly commands?: Readonly<Record<string, string>>;
    /** Other programs that are there. Default: a browser. */
    readonly programs?: readonly string[];
  }

  interface Ran {
    readonly code: number | null;
    readonly stdout: string;
    /** How the commands were called, in order. */
    readonly calls: readonly string[];
  }

  /** A fake installer that puts all programs into the PATH. */
  const INSTALLS = `for each in git bash zsh fish script redis-server postgres chromium; do printf '#!/bin/sh\\n' > "$PATH/$each"; /bin/chmod +x "$PATH/$each"; done`;
  const APT = `[ "$1" = update ] || { ${INSTALLS}; }`;
  /** sudo that needs no password. */
  const SUDO = `[ "$1" = -n ] && exit 0; exec "$@"`;
  const ENV = `shift; exec "$@"`;
  const LOCKED_SUDO = `[ "$1" = -n ] && exit 1; exec "$@"`;
  const PACKAGES = "git bash zsh fish bsdutils redis-server postgresql";
  const APT_INSTALL = `apt-get install -y --no-install-recommends ${PACKAGES}`;

  async function run(machine: OtherMachine): Promise<Ran> {
    const folder = await makeProject({ config: false, files: { calls: "", "bin/.keep": "" } });
    const { commands = {}, programs = ["chromium-browser"], typed } = machine;
    const all = [...Object.entries(commands), ...programs.map((name): [string, string] => [name, ""])];
    await Promise.all(all.map(([name, does]) => program(folder, name, does)));
    const given = {
      platform: machine.platform ?? "linux",
      uid: machine.uid ?? 1000,
      osRelease: machine.osRelease ?? "ID=debian\n",
      isTerminal: typed !== undefined,
    };
    const { code, stdout, stderr } = await runProcess([file("scripts/test-tools.js")], {
      cwd: folder.root,
      script: `--import=${file("test/support/other-machine.js")}`,
      env: { PATH: join(folder.root, "bin"), OTHER_MACHINE: JSON.stringify(given) },
      input: typed ?? "",
    });
    expect(stderr).toBe("");
    return { code, stdout, calls: (await folder.read("calls")).split("\n").slice(0, -1) };
  }

  test("prints nothing and installs nothing if every tool exists", async () => {
    const programs = [
      ...ALL.filter((name) => name !== BROWSER),
      "google-chrome-stable",
      "apt-get",
      "sudo",
      "brew",
    ];
    expect(await run({ programs })).toEqual({ code: 0, stdout: "", calls: [] });
  });

  test("as root, installs the missing tools without a question and shows a message", async () => {
    const { code, stdout, calls } = await run({
      uid: 0,
      commands: { "apt-get": APT },
      programs: ["git", "bash"],
    });
    expect(stdout).toContain("Installing them now, as root:");
    expect(calls).toEqual([
      "apt-get update",
      "apt-get install -y --no-install-recommends zsh fish bsdutils redis-server postgresql chromium",
    ]);
    expect(code).toBe(0);
  });

  test("without a terminal, uses sudo that needs no password", async () => {
    const { code, calls } = await run({ commands: { "apt-get": APT, sudo: SUDO, env: ENV } });
    const env = "env DEBIAN_FRONTEND=noninteractive";
    expect(calls).toEqual([
      "sudo -n true",
      "sudo apt-get update",
      "apt-get update",
      `sudo ${env} ${APT_INSTALL}`,
      `${env} ${APT_INSTALL}`,
      APT_INSTALL,
    ]);
    expect(code).toBe(0);
  });

  test.each([
    ["there is no sudo", {}, []],
    ["sudo needs a password", { sudo: LOCKED_SUDO }, ["sudo -n true"]],
  ])("without a terminal, installs nothing and prints the command if %s", async (_case, commands, asked) => {
    const { code, stdout, calls } = await run({ commands: { "apt-get": APT, ...commands } });
    expect(calls).toEqual(asked);
    expect(stdout).toContain("No tests were run: installing needs root, or sudo without a password.");
    expect(stdout).toContain(
      `sudo apt-get update && sudo env DEBIAN_FRONTEND=noninteractive ${APT_INSTALL}\n`,
    );
    expect(code).toBe(1);
  });

  test.each(["n\n", "\n", ""])("on a terminal, installs nothing after the answer %j", async (typed) => {
    const { code, stdout, calls } = await run({ typed, commands: { "apt-get": APT, sudo: LOCKED_SUDO } });
    expect(calls).toEqual(["sudo -n true"]);
    expect(stdout).toContain(
      `  sudo apt-get update && sudo env DEBIAN_FRONTEND=noninteractive ${APT_INSTALL}\n`,
    );
    expect(stdout).toContain("Run this command now? (y/n)");
    expect(stdout).toContain("Nothing was installed, and no tests were run.");
    expect(code).toBe(1);
  });

  test("on a terminal, installs with sudo after the answer y", async () => {
    const { code, calls } = await run({
      typed: "y\n",
      commands: { "apt-get": APT, sudo: LOCKED_SUDO, env: ENV },
    });
    expect(calls.filter((call) => call.startsWith("apt-get"))).toEqual(["apt-get update", APT_INSTALL]);
    expect(code).toBe(0);
  });

  test("on Ubuntu, downloads the browser instead of installing a snap", async () => {
    const programs = ALL.filter((name) => name !== BROWSER);
    const osRelease = 'NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n';
    const commands = { "apt-get": "", npx: INSTALLS };
    const { code, calls } = await run({ uid: 0, osRelease, programs, commands });
    expect(calls).toEqual(["npx playwright-core install --with-deps --no-shell chromium"]);
    expect(code).toBe(0);
  });

  test("on macOS, installs with Homebrew", async () => {
    const programs = ["git", "bash", "zsh", "script"];
    const { code, stdout, calls } = await run({ platform: "darwin", commands: { brew: INSTALLS }, programs });
    expect(calls).toEqual(["brew install fish redis postgresql", "brew install --cask google-chrome"]);
    expect(stdout).toContain("Installing them now:");
    expect(code).toBe(0);
  });

  test("names the missing tools if there is no package manager", async () => {
    const { code, stdout } = await run({ uid: 0 });
    expect(stdout).toContain("No tests were run: apt-get or Homebrew is needed");
    expect(stdout).toContain(`run the tests again: ${ALL.filter((name) => name !== BROWSER).join(", ")}.`);
    expect(code).toBe(1);
  });

  test("stops the tests if the installation fails", async () => {
    const { code, stdout, calls } = await run({ uid: 0, commands: { "apt-get": "exit 100" } });
    expect(calls).toEqual(["apt-get update"]);
    expect(stdout).toContain("No tests were run: the installation failed.");
    expect(code).toBe(1);
  });

  test("stops the tests if a tool is still missing after the installation", async () => {
    const { code, stdout } = await run({
      uid: 0,
      commands: { "apt-get": `${APT}; /bin/rm -f "$PATH/fish"` },
    });
    expect(stdout).toContain("after the installation, these are still missing: fish.");
    expect(code).toBe(1);
  });
});

function file(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** A command that records its arguments. */
async function program(folder: TestProject, name: string, does: string): Promise<void> {
  const path = `bin/${name}`;
  await folder.write(path, `#!/bin/sh\necho "${name} $*" >> "$PATH/../calls"\n${does}\n`);
  await chmod(join(folder.root, path), 0o755);
}
