/**
 * The JSON Schemas, and the pages and sections of docs/ that are generated from plancast's own definitions. A test
 * fails if they differ.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { configSchema } from "../calendars/check-project.ts";
import { yamlCalendarSchema } from "../calendars/formats/yaml/yaml-schema.ts";
import { listRules } from "../checks/rules/check-posts.ts";
import { COMMANDS, COMMAND_GROUPS } from "../commands/all-commands.ts";
import { EXIT_CODES } from "../commands/shell/shell.ts";
import { documented, globalFlags } from "../commands/usage.ts";
import { type Fold, type NetworkLook, NETWORK_LOOKS } from "../preview/network-looks.ts";
import { documentSchemas } from "../report/documents/all-documents.ts";
import { type DocumentedCommand, commandsMarkdown } from "../report/reference/help.ts";
import {
  type ProblemExamples,
  presetsMarkdown,
  problemsReference,
  projectFileMarkdown,
} from "../report/reference/pages.ts";
import { withOptionsTable } from "../report/reference/options.ts";
import { rulesMarkdown } from "../report/reference/rules.ts";
import { PRESETS } from "../settings/presets/presets.ts";
import { moduleGraph, readSources, withPartsSection } from "./module-graph.ts";

/**
 * Keyed by path below docs/.
 * @param examples output of the program for each problem, which only running it can show
 * @param checkout folder of this repository; some of its pages have one generated section
 */
export async function referencePages(
  examples: ProblemExamples,
  checkout: string,
): Promise<Readonly<Record<string, string>>> {
  const architecture = readFileSync(join(checkout, "docs", "change", "architecture.md"), "utf8");
  const preview = readFileSync(join(checkout, "docs", "write", "preview.md"), "utf8");
  const options = readFileSync(join(checkout, "docs", "write", "options.md"), "utf8");
  return {
    "change/architecture.md": withPartsSection(architecture, moduleGraph(readSources(checkout))),
    "write/preview.md": withLooksTable(preview),
    "write/options.md": withOptionsTable(options),
    "write/rules.md": rulesMarkdown(listRules(configSchema.parse({}))),
    "write/presets.md": presetsMarkdown(PRESETS),
    "reference/commands.md": commandsMarkdown({
      groups: COMMAND_GROUPS,
      commands: await listedCommands(),
      globalFlags: globalFlags(),
      exitCodes: EXIT_CODES,
    }),
    "reference/project-file.md": projectFileMarkdown(projectSchema()),
    "reference/problems.md": problemsReference(examples),
  };
}

export function listedCommands(): Promise<readonly DocumentedCommand[]> {
  return Promise.all(COMMANDS.map(documented));
}

/** The schema of plancast.yaml. It describes the input, so keys with a default are optional. */
export function projectSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(configSchema, { io: "input" });
}

/** Keyed by file name below `schemas/`. */
export function jsonSchemas(): Readonly<Record<string, unknown>> {
  return {
    "config.schema.json": projectSchema(),
    "calendar.schema.json": z.toJSONSchema(yamlCalendarSchema, { io: "input" }),
    ...documentSchemas(),
  };
}

const SECTION = /(?<=<!-- looks: [^>]* -->\n)[\s\S]*(?=<!-- \/looks -->)/;

/** @param page Markdown with markers for the table */
function withLooksTable(page: string): string {
  if (!SECTION.test(page)) throw new Error("The page has no markers for the networks' looks.");
  return page.replace(SECTION, () => `\n${looksTable(NETWORK_LOOKS)}\n\n`);
}

function looksTable(looks: readonly NetworkLook[]): string {
  const rows = looks.map(
    (look) =>
      `| ${look.network} | ${foldCell(look.fold)} | ${shapesCell(look)} | ` +
      `${severalCell(look)} | ${look.linkCard === undefined ? "–" : `${look.linkCard} link`} | ` +
      `${look.checked}: ${look.sources.map((source, index) => `[${index + 1}](${source})`).join(", ")} |`,
  );
  const head =
    "| network | text before the fold | one picture, width to height | several pictures | link card | checked |";
  return [head, "| --- | --- | --- | --- | --- | --- |", ...rows].join("\n");
}

function foldCell(fold: Fold | undefined): string {
  if (fold === undefined) return "all";
  const { characters, onComputers, lines } = fold;
  return [
    characters === undefined ? undefined : `${characters} characters`,
    onComputers === undefined ? undefined : `${onComputers} on a computer`,
    lines === undefined ? undefined : `${lines} lines`,
  ]
    .filter((each) => each !== undefined)
    .join(", ");
}

function shapesCell({ shapes: [narrowest, widest], bars }: NetworkLook): string {
  const range = narrowest === widest ? ratio(widest) : `${ratio(narrowest)} to ${ratio(widest)}`;
  return bars === true ? `${range}, with bars` : range;
}

function severalCell({ several, mosaics = {} }: NetworkLook): string {
  if (several !== "mosaic") return several === "carousel" ? "one at a time" : "in a row";
  const most = Object.keys(mosaics).at(-1);
  return most === undefined ? "–" : `together, up to ${most}`;
}

/** `4:5`, `1.91:1` */
function ratio(shape: number): string {
  for (let height = 1; height <= 16; height += 1) {
    const width = shape * height;
    if (Math.abs(width - Math.round(width)) < 1e-6) return `${Math.round(width)}:${height}`;
  }
  return shape >= 1 ? `${Number(shape.toFixed(2))}:1` : `1:${Number((1 / shape).toFixed(2))}`;
}
