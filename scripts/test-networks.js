/**
 * Tests publishing on real servers: a Bluesky server (PDS) from npm, and snac, a small server with Mastodon's API, from
 * Debian. They are installed in a folder of their own, which is removed afterwards. Usage: `npm run test:networks`. With
 * `NETWORKS_FOLDER`, the servers stay in that folder for the next time.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The newest versions for Node 20. */
const PDS_PACKAGES = ["@atproto/pds@0.4.217", "@did-plc/lib@0.0.4", "@atproto/common@0.5.16"];
const BACKPORTS = "deb http://deb.debian.org/debian bookworm-backports main\n";

const kept = process.env["NETWORKS_FOLDER"];
const folder = kept === undefined ? mkdtempSync(join(tmpdir(), "plancast-networks-")) : resolve(kept);
process.exitCode = test();

/** @returns the exit code */
function test() {
  try {
    installPds(join(folder, "pds"));
    installSnac(join(folder, "snac"));
    const args = ["vitest", "run", "--project", "networks"];
    return (
      spawnSync("npx", args, { stdio: "inherit", env: { ...process.env, NETWORKS_FOLDER: folder } }).status ??
      1
    );
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} place */
function installPds(place) {
  if (existsSync(join(place, "installed"))) return;
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), '{ "private": true }\n');
  run("npm", ["install", ...PDS_PACKAGES, "--ignore-scripts", "--no-audit", "--no-fund"], place);
  // The only package with a part in C that the server needs.
  run("npm", ["rebuild", "better-sqlite3"], place);
  writeFileSync(join(place, "installed"), "");
}

/** Downloads the package without installing it on this machine. @param {string} place */
function installSnac(place) {
  if (existsSync(join(place, "usr", "bin", "snac"))) return;
  const apt = join(place, "apt");
  mkdirSync(join(apt, "lists", "partial"), { recursive: true });
  mkdirSync(join(apt, "cache", "archives", "partial"), { recursive: true });
  writeFileSync(join(apt, "sources.list"), BACKPORTS);
  const options = [
    `Dir::Etc::sourcelist=${join(apt, "sources.list")}`,
    "Dir::Etc::sourceparts=-",
    `Dir::State::lists=${join(apt, "lists")}`,
    `Dir::Cache=${join(apt, "cache")}`,
  ].flatMap((option) => ["-o", option]);
  run("apt-get", [...options, "-q", "update"], apt);
  run("apt-get", [...options, "-q", "download", "snac2"], apt);
  const [file] = readdirSync(apt).filter((name) => name.endsWith(".deb"));
  if (file === undefined) throw new Error("apt-get downloaded no snac2.");
  run("dpkg-deb", ["-x", join(apt, file), place], place);
}

/** @param {string} program @param {string[]} args @param {string} cwd */
function run(program, args, cwd) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: "inherit" });
  if (error !== undefined || status !== 0)
    throw new Error(`${program} failed. This test needs npm, a C compiler, and apt-get on Debian bookworm.`);
}
