/**
 * Makes sure that this machine has the tools that the tests need. If not, says what is missing and installs it, or
 * prints the command that does. If a tool is missing, it exits with 1, so that the tests do not start.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { findBrowser, findProgram } from "./browser-path.js";
import { BROWSER, planTestTools, TOOLS } from "./plan-test-tools.js";

const before = missingTools();
if (before.length > 0) process.exitCode = (await install(before)) ? 0 : 1;

async function install(missing) {
  const plan = planTestTools(thisMachine(missing));
  console.log(plan.message);
  if (plan.action === "stop") return false;
  if (plan.action === "ask" && !(await isConfirmed())) {
    console.log("Nothing was installed, and no tests were run.");
    return false;
  }
  const { status } = spawnSync(plan.command, { shell: true, stdio: "inherit" });
  const left = missingTools();
  if (status === 0 && left.length === 0) return true;
  console.log(
    status === 0
      ? `\nNo tests were run: after the installation, these are still missing: ${left.join(", ")}.`
      : "\nNo tests were run: the installation failed. Its last lines say why.",
  );
  return false;
}

function missingTools() {
  return TOOLS.map(({ name }) => name).filter((name) => pathOf(name) === undefined);
}

function pathOf(name) {
  if (name === BROWSER) return findBrowser();
  // Debian keeps the server outside of the PATH. This is its script that finds it.
  return findProgram(name) ?? (name === "postgres" ? findProgram("pg_ctlcluster") : undefined);
}

function thisMachine(missing) {
  return {
    platform: process.platform,
    isUbuntu: /^ID="?ubuntu"?$/m.test(osRelease()),
    missing,
    managers: ["apt-get", "brew"].filter((name) => findProgram(name) !== undefined),
    isRoot: isRoot(),
    sudo: sudo(),
    isTerminal: process.stdin.isTTY && process.stdout.isTTY,
  };
}

function isRoot() {
  return process.getuid?.() === 0;
}

function osRelease() {
  try {
    return readFileSync("/etc/os-release", "utf8");
  } catch {
    return "";
  }
}

function sudo() {
  if (isRoot() || findProgram("sudo") === undefined) return "no";
  const { status } = spawnSync("sudo", ["-n", "true"], { stdio: "ignore" });
  return status === 0 ? "without a password" : "with a password";
}

async function isConfirmed() {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // If the input ends, there is no answer.
  const ended = new Promise((resolve) => terminal.once("close", () => resolve("")));
  const answer = await Promise.race([terminal.question("Run this command now? (y/n) "), ended]);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
