/** Which packages the built files contain, according to the bundler. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const IN_PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/**
 * @typedef {object} BundledPackage
 * @property {string} name
 * @property {string} version
 * @property {string} license an SPDX expression
 * @property {string} source where the package says that its source code is; blank where it says nothing
 * @property {string} licenseText blank where the package has no such file
 */

/**
 * @param {readonly { modules?: Readonly<Record<string, unknown>> }[]} output what the bundler gave
 * @param {readonly string[]} copied folders of packages whose files are copied
 * @returns {BundledPackage[]} by name and version
 */
export function bundledPackages(output, copied) {
  const ids = output.flatMap(({ modules }) => Object.keys(modules ?? {}));
  const folders = new Set(ids.map((id) => IN_PACKAGE.exec(id)?.[1]).filter((folder) => folder !== undefined));
  for (const folder of copied) folders.add(folder);
  const all = [...folders].map((folder) => {
    const { name, version, license, repository } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    const source = repository?.url ?? repository ?? "";
    return { name, version, license, source, licenseText: licenseTextIn(folder) };
  });
  // One version may be in several places.
  return [...new Map(all.map((each) => [purlOf(each), each])).values()].sort((one, other) =>
    purlOf(one) < purlOf(other) ? -1 : 1,
  );
}

/** Its own licence, and those of code that was compiled into it. */
function licenseTextIn(folder) {
  const own = readdirSync(folder).find((name) => /^(?:un)?licen[cs]e|^copying/i.test(name));
  const compiled = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("THIRD-PARTY-NOTICES.md"))
    .sort();
  const files = own === undefined ? compiled : [own, ...compiled];
  return files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
}

/**
 * The licences of everything in the built files, and the address of each source, which MPL-2.0 (section 3.2)
 * requires.
 */
export function licenseNotices(packages) {
  const parts = packages.map(({ name, version, license, source, licenseText }) =>
    [`${name} ${version} (${license})`, ...(source === "" ? [] : [`Source: ${source}`]), "", licenseText]
      .join("\n")
      .trimEnd(),
  );
  const introduction = "plancast's files hold code of these packages, under their licences.";
  return `${[introduction, ...parts].join(`\n\n${"-".repeat(72)}\n\n`)}\n`;
}

/**
 * A CycloneDX 1.6 document. It contains no time and no random number, so that the same source gives the same
 * document.
 */
export function softwareBill(manifest, packages) {
  const own = component("application", manifest);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: own },
    components: packages.map((each) => component("library", each)),
    dependencies: [
      { ref: own["bom-ref"], dependsOn: packages.map(purlOf) },
      ...packages.map((each) => ({ ref: purlOf(each) })),
    ],
  };
}

function component(type, { name, version, license }) {
  const purl = purlOf({ name, version });
  const licenses = /^[\w.+-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }];
  return { type, "bom-ref": purl, name, version, licenses, purl };
}

/** A package's address by the package URL specification. */
function purlOf({ name, version }) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
