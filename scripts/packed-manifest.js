/**
 * Writes the package.json that is packed, in the current folder: without scripts and development packages, which only a
 * checkout needs. So npm finds no script to run at an installation. `npm pack` and `npm publish` call it before and after.
 *
 *   node scripts/packed-manifest.js            # keeps the file of the checkout beside it
 *   node scripts/packed-manifest.js --restore
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const MANIFEST = "package.json";
const KEPT = "package.json.checkout";

/**
 * The commit of the release, by which `init` names the Action in its workflows. Undefined unless the tag of this version is
 * at the commit of this checkout.
 * @param {string} version
 */
function releaseCommit(version) {
  const head = commitOf("HEAD");
  return head && head === commitOf(`refs/tags/v${version}`) ? head : undefined;
}

/** @param {string} name of a branch, a tag or HEAD */
function commitOf(name) {
  const asked = ["rev-parse", "--verify", "--quiet", `${name}^{commit}`];
  return spawnSync("git", asked, { encoding: "utf8" }).stdout?.trim();
}

// After an interrupted pack, the file of the checkout is still beside it.
if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
if (!process.argv.includes("--restore")) {
  const { scripts, devDependencies, ...packed } = JSON.parse(readFileSync(MANIFEST, "utf8"));
  if (scripts?.prepare === undefined || devDependencies === undefined)
    throw new Error(`${MANIFEST} is not the one of a checkout.`);
  const gitHead = releaseCommit(packed.version);
  renameSync(MANIFEST, KEPT);
  writeFileSync(MANIFEST, `${JSON.stringify({ ...packed, gitHead }, null, 2)}\n`);
}
