/**
 * `npm run release`: checks that everything is in order, runs what CI runs, packs, and makes the tag. The tag's
 * commit also holds dist/, so that the Action installs nothing. With `--dry-run`, it lists every obstacle and makes
 * no tag. With `--check-tag`, it only checks that the tag in TAG is the package's version.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { relativeLinks } from "./readme-links.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * @typedef {object} Facts
 * @property {{ version: string, repository?: unknown, private?: boolean }} manifest
 * @property {string} changelog
 * @property {string} readme
 * @property {string} changes what `git status --porcelain` says
 * @property {string} branch
 * @property {readonly string[]} tags
 * @property {readonly string[]} notes places such as `README.md:12` that say what is true only until the first release
 */

/** @param {Facts} facts @returns {string[]} what is in the way of a release */
function obstacles({ manifest, changelog, readme, changes, branch, tags, notes }) {
  const { version } = manifest;
  const dated = changelog.split("\n").some((line) => {
    const [, of, date] = /^## (\S+), (\d{4}-\d\d-\d\d)$/.exec(line) ?? [];
    return of === version && !Number.isNaN(Date.parse(date));
  });
  return [
    changes === "" ? "" : `The tree is not clean:\n${changes}`,
    branch === "main" ? "" : `The branch is ${branch || "none"}, not main.`,
    /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version) ? "" : `${version} is no version.`,
    tags.includes(`v${version}`) ? `v${version} is a tag already: raise the version in package.json.` : "",
    dated ? "" : `CHANGELOG.md has no line "## ${version}, YYYY-MM-DD".`,
    manifest.repository === undefined ? "package.json does not say `repository`; provenance needs it." : "",
    manifest.repository !== undefined && relativeLinks(readme).length > 0
      ? "README.md has relative links, which npm does not show: run `npm run readme-links`, and commit it."
      : "",
    notes.length > 0
      ? `Remove what is true only until the first release, and what follows from it: ${notes.join(", ")}.`
      : "",
    manifest.private === true ? "package.json says `private`." : "",
  ].filter((each) => each !== "");
}

function git(...args) {
  return gitWith({}, ...args);
}

/** @param {Record<string, string>} env besides the process's own */
function gitWith(env, ...args) {
  const options = { cwd: ROOT, encoding: "utf8", env: { ...process.env, ...env } };
  const { status, stdout, stderr } = spawnSync("git", args, options);
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trimEnd();
}

/** Marks notes that are no longer true after a release: in pages, in the Action, and in files that `init` writes. */
const NOTE = "(until|before|after) the first release";

/** @returns {string[]} `README.md:12` */
function notesToRemove() {
  // Status 1: no match.
  const { stdout, status } = spawnSync(
    "git",
    [
      "grep",
      "-niE",
      NOTE,
      "--",
      "README.md",
      "action.yml",
      "docs",
      ":!docs/change/releasing.md",
      "src",
      "schemas",
    ],
    { cwd: ROOT, encoding: "utf8" },
  );
  if (status !== 0 && status !== 1) throw new Error("git grep failed.");
  return stdout.split("\n").flatMap((line) => /^[^:]+:\d+/.exec(line)?.[0] ?? []);
}

function readFacts() {
  return {
    manifest: JSON.parse(readFileSync(`${ROOT}/package.json`, "utf8")),
    changelog: readFileSync(`${ROOT}/CHANGELOG.md`, "utf8"),
    readme: readFileSync(`${ROOT}/README.md`, "utf8"),
    changes: git("status", "--porcelain"),
    branch: git("branch", "--show-current"),
    tags: git("tag", "--list").split("\n"),
    notes: notesToRemove(),
  };
}

/** @returns {string} a commit with dist/ on top of HEAD, which no branch has  @param {string} message */
function commitWithBundle(message) {
  const folder = mkdtempSync(join(tmpdir(), "plancast-release-"));
  try {
    const env = { GIT_INDEX_FILE: join(folder, "index") };
    gitWith(env, "read-tree", "HEAD");
    // Git ignores it on every branch.
    gitWith(env, "add", "--force", "dist");
    return git("commit-tree", gitWith(env, "write-tree"), "-p", "HEAD", "-m", message);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Stops the release where a step fails. */
function step(command, ...args) {
  console.log(`\n> ${[command, ...args].join(" ")}`);
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) process.exit(1);
}

// A flag that is not known throws: `--dryrun` must not make a tag.
const { values: flags } = parseArgs({
  options: { "dry-run": { type: "boolean" }, "check-tag": { type: "boolean" } },
});
const facts = readFacts();
const tag = `v${facts.manifest.version}`;

if (flags["check-tag"]) {
  if (process.env.TAG !== tag) throw new Error(`The tag is ${process.env.TAG}, and the version says ${tag}.`);
} else {
  const found = obstacles(facts);
  for (const each of found) console.error(`- ${each}`);
  if (found.length > 0) {
    console.error(`\n${tag} cannot be released yet.`);
    process.exit(1);
  }
  step("npm", "run", "advisories");
  step(".ci/run");
  step("npm", "pack", "--dry-run", "--ignore-scripts");
  if (flags["dry-run"]) console.log(`\n${tag} could be released. Nothing was changed.`);
  else {
    step("npm", "run", "build");
    git("tag", "--annotate", tag, "--message", tag, commitWithBundle(`${tag} with dist/, for the Action`));
    console.log(`\n${tag} is made. Publish it: git push origin main ${tag}`);
  }
}
