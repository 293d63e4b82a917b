/**
 * `npm run advisories`: asks npm's registry for security advisories about every library that plancast is built with, and
 * says which of them are in the package (dist/sbom.cdx.json, written by the build). Needs the network.
 *
 * Exit codes: 0: no advisory about a library in the package. 1: at least one. 2: the registry gave no readable
 * answer, so the result is unknown. An advisory about a tool that is only used to build or test is shown and changes
 * no exit code.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BILL = `${ROOT}/dist/sbom.cdx.json`;

/** @typedef {{ id: string, title: string, severity: string, url: string, inPackage: boolean }} Finding */

/** @returns {Set<string>} `name@version` of each library in the package */
function bundledLibraries() {
  if (!existsSync(BILL)) stop("There is no dist/sbom.cdx.json. Run `npm run build` first.");
  const { components } = JSON.parse(readFileSync(BILL, "utf8"));
  return new Set(components.map(({ name, version }) => `${name}@${version}`));
}

/** What `npm audit` finds: npm asks the registry, and compares versions with each advisory's range. */
function audit() {
  const { stdout, stderr } = spawnSync("npm", ["audit", "--json"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  });
  try {
    const report = JSON.parse(stdout);
    if (report.auditReportVersion === 2) return report.vulnerabilities;
    return stop(`npm audit failed: ${report.message ?? stderr}`);
  } catch (error) {
    return stop(`npm audit gave no JSON (${error.message}): ${stderr}`);
  }
}

/** @returns {Finding[]} one for each advisory and each version it is about */
function findings(vulnerabilities, bundled) {
  const { packages } = JSON.parse(readFileSync(`${ROOT}/package-lock.json`, "utf8"));
  return Object.values(vulnerabilities).flatMap(({ name, nodes, via }) => {
    const ids = new Set(nodes.map((node) => `${name}@${packages[node]?.version}`));
    // Text names another library through which this one is affected; that library has its own entry.
    const advisories = via.filter((each) => typeof each === "object");
    return advisories.flatMap(({ title, severity, url }) =>
      [...ids].map((id) => ({ id, title, severity, url, inPackage: bundled.has(id) })),
    );
  });
}

/** Escapes what could start a command of GitHub's log or move a terminal's cursor: titles come from the network. */
function plain(text) {
  return String(text)
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, " ")
    .replaceAll("::", ": :");
}

function show(heading, found) {
  if (found.length === 0) return;
  console.log(`\n${heading}`);
  for (const { id, title, severity, url } of found) {
    console.log(`- ${id}: ${plain(severity)}, ${plain(title)} (${plain(url)})`);
  }
}

function stop(message) {
  console.error(plain(message));
  console.error(
    "Nothing is known about advisories. Check the network and the registry of `npm config get registry`.",
  );
  process.exit(2);
}

const bundled = bundledLibraries();
const found = findings(audit(), bundled);
const inPackage = found.filter((each) => each.inPackage);
const tools = found.filter((each) => !each.inPackage);
console.log(`Libraries in the package: ${bundled.size}. Advisories about them: ${inPackage.length}.`);
show("In the package. Update these libraries before a release:", inPackage);
show("Only used to build and test:", tools);
process.exit(inPackage.length === 0 ? 0 : 1);
