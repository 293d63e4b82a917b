/**
 * The structure of src as data: its parts from the lowest floor to the highest, their imports, and cycles. The table
 * and diagram in docs/change/architecture.md and the test of the structure use it.
 */

import { readFileSync, readdirSync } from "node:fs";
import { join, posix, sep } from "node:path";

export interface SourceFile {
  /** Relative to src, with `/`. */
  readonly path: string;
  readonly text: string;
}

interface Part {
  readonly name: string;
  readonly holds: string;
  /** No disk, network, clock or randomness: these are parameters. */
  readonly isPure?: boolean;
}

/** The folders of src. A part imports only parts that come before it. */
export const PARTS: readonly Part[] = [
  { name: "problems", holds: "Every code with its cause and fix", isPure: true },
  {
    name: "model",
    holds: "Post, row, options, change, plan, outcome, lockfile; canonical form; the clock",
    isPure: true,
  },
  {
    name: "disk",
    holds: "Everything that writes, moves and removes files; the state folder; git as a process",
  },
  {
    name: "settings",
    holds: "The schema of `plancast.yaml`, presets, limits, response mappings",
    isPure: true,
  },
  { name: "media", holds: "Pictures and videos: find, hash, inspect, download" },
  { name: "checks", holds: "Rows become posts: dates and times, rules, networks' limits", isPure: true },
  { name: "calendars", holds: "CSV, workbooks and YAML: read, understand columns, write, edit" },
  {
    name: "sources",
    holds: "Where calendars come from that people keep elsewhere: Google Sheets, files on the web",
  },
  {
    name: "service",
    holds: "Services over HTTP, and language models: requests, answers, rate limit",
  },
  { name: "networks", holds: "Social networks on which plancast publishes without a service" },
  { name: "sync", holds: "The core: remote, diff, plan, apply, and the state on disk" },
  { name: "report", holds: "Data becomes text, Markdown and JSON, escaped for where it goes", isPure: true },
  { name: "tracking", holds: "What happened to posts after they were scheduled" },
  { name: "draft", holds: "Texts and pictures that rows with a prompt ask for" },
  { name: "doctor", holds: "Checks of project, key, service and saved state" },
  {
    name: "github",
    holds: "What a job does on GitHub: calls of its API, the comment, the push of the lockfile",
  },
  { name: "alerts", holds: "What somebody should know about posts, sent once to each channel" },
  { name: "preview", holds: "The page that shows posts as they will look" },
  { name: "embedded", holds: "A whole service on this machine, over HTTP" },
  {
    name: "repository",
    holds: "A schedule in the repository instead of a service, and publishing from it",
  },
  { name: "commands", holds: "One file or folder for each command: flags in, report out" },
  { name: "build", holds: "Used by the build only: JSON schemas, reference pages, this diagram" },
];

/** Imports between files, by path. */
export type ModuleGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** All imports count: also types and modules that are loaded on demand. */
export function moduleGraph(files: readonly SourceFile[]): ModuleGraph {
  const known = new Set(files.map(({ path }) => path));
  return new Map(
    files.map(({ path, text }) => {
      const names = [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*"(\.[^"]+)"/gm)].map(
        ([, name]) => name ?? "",
      );
      const targets = names.map((name) => posix.join(posix.dirname(path), name));
      return [path, new Set(targets.filter((target) => known.has(target)))];
    }),
  );
}

/** The same graph between groups of files. */
export function grouped(graph: ModuleGraph, groupOf: (path: string) => string): ModuleGraph {
  const groups = new Map<string, Set<string>>();
  for (const [path, targets] of graph) {
    const from = groupOf(path);
    const known = groups.get(from) ?? new Set();
    groups.set(from, known);
    for (const target of targets) if (groupOf(target) !== from) known.add(groupOf(target));
  }
  return groups;
}

/** A folder of src, or a file directly in it. */
export function partOf(path: string): string {
  return path.split("/")[0] ?? path;
}

/** The folder of a file. A file directly in src is a separate group. */
export function sourceFolder(path: string): string {
  return path.includes("/") ? posix.dirname(path) : path;
}

/**
 * The groups whose members import each other in a circle, directly or through others. They are the strongly connected
 * components with more than one member, or with a member that imports itself (Tarjan's algorithm).
 */
export function cyclesIn(graph: ModuleGraph): readonly (readonly string[])[] {
  const cycles: string[][] = [];
  const order = new Map<string, number>();
  const open: string[] = [];
  /** Returns the earliest member of `open` that can be reached. */
  const visit = (node: string): number => {
    const own = order.size;
    order.set(node, own);
    open.push(node);
    let earliest = own;
    for (const target of graph.get(node) ?? []) {
      const known = order.get(target);
      if (known === undefined) earliest = Math.min(earliest, visit(target));
      else if (open.includes(target)) earliest = Math.min(earliest, known);
    }
    if (earliest === own) {
      const members = open.splice(open.indexOf(node));
      if (members.length > 1 || graph.get(node)?.has(node) === true) cycles.push(members);
    }
    return earliest;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return cycles;
}

/** Imports of a part by an earlier part, as sentences. */
export function upwardImports(graph: ModuleGraph): readonly string[] {
  const names = PARTS.map(({ name }) => name);
  // The files directly in src are entry points.
  const floorOf = (path: string): number => (path.includes("/") ? names.indexOf(partOf(path)) : names.length);
  return [...graph].flatMap(([path, targets]) =>
    [...targets].flatMap((target) => (floorOf(target) > floorOf(path) ? [`${path} imports ${target}`] : [])),
  );
}

/** Parts and their imports as Mermaid. Leaves out an arrow that follows from others. */
function partsDiagram(graph: ModuleGraph): string {
  const parts = grouped(graph, partOf);
  const reachable = (from: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const visit = (node: string): void => {
      for (const target of parts.get(node) ?? []) {
        if (found.has(target)) continue;
        found.add(target);
        visit(target);
      }
    };
    visit(from);
    return found;
  };
  const arrows = PARTS.toReversed().flatMap(({ name }) => {
    const targets = [...(parts.get(name) ?? [])].filter((target) => !target.endsWith(".ts"));
    const direct = targets.filter((target) => !targets.some((other) => reachable(other).has(target)));
    return direct.length === 0 ? [] : [`  ${name} --> ${direct.sort().join(" & ")}`];
  });
  return ["```mermaid", "flowchart TD", ...arrows, "```"].join("\n");
}

const PARTS_SECTION = /(?<=^<!-- parts: .* -->\n)[^]*?(?=^<!-- \/parts -->$)/m;

/** A page with a new section between `<!-- parts: … -->` and `<!-- /parts -->`. */
export function withPartsSection(page: string, graph: ModuleGraph): string {
  if (!PARTS_SECTION.test(page)) throw new Error("The page has no markers for the parts.");
  return page.replace(PARTS_SECTION, () => `\n${partsTable()}\n\n${partsDiagram(graph)}\n\n`);
}

/** The parts as a table of Markdown, highest first. */
function partsTable(): string {
  const rows = PARTS.toReversed().map(
    ({ name, holds, isPure }) => `| [\`${name}/\`](../../src/${name}) | ${holds} | ${isPure ? "pure" : ""} |`,
  );
  return ["| part | holds | |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The TypeScript files below a checkout's src, by path. */
export function readSources(checkout: string): readonly SourceFile[] {
  const src = join(checkout, "src");
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .sort()
    .map((path) => ({ path: path.split(sep).join("/"), text: readFileSync(join(src, path), "utf8") }));
}
