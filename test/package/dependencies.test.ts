/** Each library in the package has a reason, a licence and an entry in the bill of materials. */
import { readFileSync, readdirSync } from "node:fs";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const LICENCES = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT-0",
];

interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly source: string;
}

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

const bundled: readonly BundledPackage[] = JSON.parse(read("dist-dev/bundled.json"));

test("each bundled library has a reason (scripts/dependency-reasons.js), and no other library has one", () => {
  const page = read("docs/change/dependencies.md");
  const reasons = [...page.matchAll(/^\| \[`([^`]+)`\]/gm)].map(([, name]) => name);
  const chosen = bundled
    .map(({ name }) => name)
    .filter((name) => Object.hasOwn(manifest.devDependencies, name));
  expect(new Set(reasons)).toEqual(new Set(chosen));
});

test("the package installs nothing else: the build bundles the libraries", () => {
  expect(
    Object.keys(manifest).filter((key) => /^(?:peer|optional|bundled?)?dependencies$/i.test(key)),
  ).toEqual([]);
});

test("no package of the repository, built in or not, runs a script at install", () => {
  const lock: { readonly packages: Record<string, { readonly hasInstallScript?: boolean }> } = JSON.parse(
    read("package-lock.json"),
  );
  const scripted = Object.entries(lock.packages);
  expect(scripted.length).toBeGreaterThan(100);
  // fsevents is only for macOS, and optional.
  const found = scripted.filter(
    ([path, { hasInstallScript }]) => hasInstallScript && !path.endsWith("/fsevents"),
  );
  expect(found.map(([path]) => path)).toEqual([]);
});

test("every licence allows bundling, and is in the package", () => {
  expect(bundled.length).toBeGreaterThan(40);
  const asks = bundled.filter(({ license }) => !LICENCES.includes(license));
  // MPL-2.0 and LGPL-3.0 allow it for files that are not changed, if the package says where their source is. LGPL-3.0 asks
  // that these files can be replaced, so they are not bundled. wasm-vips contains libraries under LGPL-3.0, too.
  expect(asks.map(({ name, license }) => [name, license])).toEqual([
    ["ical.js", "MPL-2.0"],
    ["libheif-js", "LGPL-3.0"],
  ]);
  expect(readdirSync(new URL("../../dist/pictures/", import.meta.url)).toSorted()).toEqual([
    "libheif-bundle.mjs",
    "vips-heif.wasm",
    "vips-node.mjs",
    "vips.wasm",
  ]);
  const notices = read("dist/third-party-licenses.txt");
  expect(bundled.filter(({ name, version }) => !notices.includes(`\n${name} ${version} (`))).toEqual([]);
  for (const { source } of asks) expect(notices).toContain(`\nSource: ${source}\n`);
});

test("the bill of materials is CycloneDX 1.6 and names them all", async () => {
  const text = read("dist/sbom.cdx.json");
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  expect(await validator.validate(text)).toBeNull();
  expect(await validator.validate(text.replace('"library"', '"libary"'))).not.toBeNull();
  const { components, metadata }: { components: BundledPackage[]; metadata: { component: BundledPackage } } =
    JSON.parse(text);
  expect(metadata.component).toMatchObject({ name: "plancast", version: manifest.version });
  const named = (each: BundledPackage): string => `${each.name}@${each.version}`;
  expect(components.map(named)).toEqual(bundled.map(named));
});
