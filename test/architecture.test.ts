/** The shape of the house as a check: who may import whom, and what pure folders may touch. */

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { CODES } from "../src/problems/catalogue.ts";

const SRC = join(dirname(fileURLToPath(import.meta.url)), "..", "src");

/** Each folder of src (or file directly in it) with the folders that it may import. Everything may import calendar. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  calendar: [],
  read: [],
  validate: [],
  rules: [],
  media: [],
  plan: [],
  service: [],
  state: [],
  share: ["service"],
  report: [],
  preview: ["report", "rules"],
  page: ["preview"],
  live: [],
  init: ["picture", "write"],
  write: ["validate"],
  picture: [],
  embedded: ["picture", "state"],
  apply: ["media", "plan", "service", "share", "state"],
  follow: ["plan", "service", "state"],
  github: ["service", "state"],
  client: ["media", "service", "version.ts"],
  "index.ts": ["client", "service"],
  "version.ts": [],
  doctor: [
    "apply",
    "read",
    "report",
    "rules",
    "service",
    "share",
    "state",
    "write",
    "check-calendars.ts",
    "open-hash-cache.ts",
    "open-service.ts",
    "select-calendars.ts",
  ],
  "json-schemas.ts": [],
  "reference-pages.ts": ["commands", "json-schemas.ts", "report", "rules"],
  "select-calendars.ts": ["read"],
  "remote.ts": ["plan", "service"],
  "open-service.ts": ["service", "embedded", "share"],
  "understand-columns.ts": ["read", "validate"],
  "write-columns.ts": ["read", "write", "understand-columns.ts"],
  edit: ["read", "write"],
  draft: ["edit", "media", "service", "state", "validate", "write"],
  "convert-calendar.ts": ["media", "read", "validate", "write"],
  "pull-posts.ts": ["plan", "validate", "write", "convert-calendar.ts", "check-calendars.ts", "pipeline.ts"],
  "check-calendars.ts": ["validate", "rules", "media", "select-calendars.ts"],
  "list-posts.ts": ["media", "check-calendars.ts"],
  "open-addresses.ts": ["media", "state"],
  "open-hash-cache.ts": ["media", "state"],
  "ask-service.ts": ["validate", "plan", "service"],
  "pipeline.ts": ["plan", "service", "remote.ts", "check-calendars.ts", "ask-service.ts"],
  commands: [
    "ask-service.ts",
    "check-calendars.ts",
    "convert-calendar.ts",
    "list-posts.ts",
    "pull-posts.ts",
    "pipeline.ts",
    "remote.ts",
    "open-addresses.ts",
    "open-hash-cache.ts",
    "open-service.ts",
    "select-calendars.ts",
    "understand-columns.ts",
    "write-columns.ts",
    "version.ts",
    "apply",
    "doctor",
    "draft",
    "edit",
    "embedded",
    "follow",
    "github",
    "init",
    "media",
    "live",
    "plan",
    "preview",
    "read",
    "report",
    "rules",
    "service",
    "state",
    "validate",
    "write",
  ],
  "cli.ts": ["commands", "version.ts"],
};

/** Folders without I/O, clock, randomness or log. */
const PURE = [
  "calendar",
  "validate",
  "rules",
  "plan",
  "preview",
  "report",
  "init",
  "write",
  "edit",
  "picture",
];
const IMPURE_MODULES =
  /^(node:(fs|net|http|https|dns|os|child_process|readline|timers).*|undici|bottleneck.*|yargs)$/;
const IMPURE_WORDS = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bconsole\.|\bprocess\.|\brandomBytes\(/;

interface SourceFile {
  /** Relative to src, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function readSources(): SourceFile[] {
  return readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => {
      const text = readFileSync(join(SRC, path), "utf8");
      const imports = [...text.matchAll(/(?:\bfrom|\bimport\()\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
      return { path: path.split(sep).join("/"), text, imports };
    });
}

const SOURCES = readSources();

/** The part of the house that a path belongs to: a folder of src, or a file directly in it. */
function partOf(path: string): string {
  return path.split("/")[0] ?? path;
}

test("folders import only the folders that the table allows", () => {
  const wrong = SOURCES.flatMap(({ path, imports }) =>
    imports
      .filter((name) => /^\..*\.ts$/.test(name))
      .map((name) => posix.join(posix.dirname(path), name))
      .filter((target) => {
        const [from, to] = [partOf(path), partOf(target)];
        return from !== to && to !== "calendar" && !(MAY_IMPORT[from] ?? []).includes(to);
      })
      .map((target) => `${path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("the table of imports names every folder of src", () => {
  expect([...new Set(SOURCES.map(({ path }) => partOf(path)))].sort()).toEqual(
    Object.keys(MAY_IMPORT).sort(),
  );
});

test("pure folders do no I/O, read no clock and log nothing", () => {
  const wrong = SOURCES.filter(({ path }) => PURE.includes(partOf(path))).flatMap(
    ({ path, text, imports }) => {
      const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
      const modules = imports.filter((name) => IMPURE_MODULES.test(name));
      return [...modules, ...(IMPURE_WORDS.exec(code) ?? [])].map((what) => `${path}: ${what}`);
    },
  );
  expect(wrong).toEqual([]);
});

test("src uses every problem code of the catalogue", () => {
  const others = SOURCES.filter(
    ({ path }) => !path.startsWith("calendar/codes/") && path !== "calendar/checks.ts",
  ).map(({ text }) => text);
  const codes = Object.keys(CODES);
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter((code) => !others.some((text) => text.includes(`"${code}"`)))).toEqual([]);
});

test("the file of a family holds every code of that family", () => {
  const wrong = SOURCES.filter(({ path }) => path.startsWith("calendar/codes/")).flatMap(({ path, text }) =>
    [...text.matchAll(/^ {2}"([a-z]+)\/[a-z-]+": \{/gm)]
      .filter(([, family]) => path !== `calendar/codes/${family}.ts`)
      .map(([line]) => `${path}: ${line.trim()}`),
  );
  expect(wrong).toEqual([]);
});

test("the architecture test finds the source files", () => {
  expect(relative(SRC, join(SRC, "cli.ts"))).toBe("cli.ts");
  expect(SOURCES.length).toBeGreaterThan(50);
});
