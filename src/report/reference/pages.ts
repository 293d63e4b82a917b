/** Pages of docs/ that the build writes: every preset, every code of a problem, and every key of plancast.yaml. */

import type { z } from "zod";
import { ALL_CODES, ALL_RULES } from "../../checks/rules/all-rules.ts";
import { ACCOUNTS, IGNORE, NOT_CARRIED, REFUSE, WILDCARD, splitTarget } from "../../model/columns.ts";
import type { ProblemEntry } from "../../problems/catalogue.ts";
import type { Preset } from "../../settings/presets/preset.ts";
import { codeCell, headingAnchor, markdownTable } from "../text/markdown.ts";

const ABOUT_PRESETS = `<!-- Written by \`npm run docs\` from src/settings/presets. Do not edit. -->

# Presets

At the end of this page, plancast reads the bulk files of another scheduler as they are. A preset says what the columns of these files mean. Set it for some files, or for the whole project:

\`\`\`yaml
calendars:
  - files: calendars/publer/*.csv
    preset: publer
    columns: { CTA: ignore } # your settings have priority over the preset
\`\`\`

To try a preset, run \`plancast validate --preset publer FILE\`. plancast never chooses a preset automatically. If it cannot read
a header but knows the scheduler, the message suggests the preset.

- plancast reads alt texts and first comments, which [not every service stores](media.md#describe-pictures-with-alt-texts). It does not publish boards, labels and separate links.
  **One warning per file names each of these columns, with the number of rows that use it.** To stop the warning, set the
  column to \`ignore\` under \`columns:\`.
- To publish a link, put it into the text. No preset does this for you.
- Upper and lower case and spaces in column names do not matter. In \`columns:\`, \`*\` matches anything: \`Slide *: media\`.
- You can also write everything in a preset yourself in \`plancast.yaml\`. A column can be a field, or one of these:
  - \`not_carried\`: a warning if the column contains something.
  - \`accounts\`: ids of accounts, which \`platforms:\` translates to platforms.
  - \`refuse\`: an error if a cell of the column says yes.
- Separate several pictures in one cell with commas, with or without spaces. \`;\`, \`|\` and line ends also work.
- A \`preset\` under an entry of \`calendars:\` replaces the project's preset. It has priority over the project's settings. The
  entry's own settings have priority over both.
`;

export function presetsMarkdown(presets: Readonly<Record<string, Preset>>): string {
  const all = Object.entries(presets);
  const contents = all
    .map(([name, { title }]) => `[${title}](#${headingAnchor(title)}) (\`${name}\`)`)
    .join(", ");
  return [ABOUT_PRESETS, `${contents}\n`, ...all.map(([name, preset]) => presetSection(name, preset))].join(
    "\n",
  );
}

function presetSection(name: string, preset: Preset): string {
  const { title, header, settings, notes, sources, checked } = preset;
  const isNamed = settings.header_row !== "none";
  const known = Object.entries(settings.columns);
  const used = known.filter(([, target]) => target !== NOT_CARRIED && target !== IGNORE);
  const lost = known.filter(([, target]) => target === NOT_CARRIED).map(([column]) => nameOf(column, preset));
  const first = isNamed
    ? `The header: ${header.map(codeCell).join(", ")}.`
    : `The files have no header. The columns are, in this order: ${header.join(", ")}.`;
  return [
    `## ${title}\n`,
    `${first}\n`,
    markdownTable(
      [isNamed ? "column" : "position", "becomes"],
      used.map(([column, target]) => [nameOf(column, preset), meaningOf(target)]),
    ),
    lost.length === 0 ? "plancast publishes all columns.\n" : `Not published: ${lost.join(", ")}.\n`,
    [...needs(preset), ...notes].map((text) => `- ${text}\n`).join(""),
    `\`\`\`yaml\n${exampleProject(name, preset)}\`\`\`\n`,
    `Sources (${checked}): ${sources.map((source) => (source.startsWith("https:") ? `<${source}>` : source)).join("; ")}.\n`,
  ].join("\n");
}

function nameOf(column: string, { header, settings }: Preset): string {
  const label = header[Number(column) - 1];
  return settings.header_row === "none" && label !== undefined ? `${column} (${label})` : codeCell(column);
}

function meaningOf(target: string): string {
  if (target === ACCOUNTS)
    return "`platforms`. Set the network of each account under `platforms:` in `plancast.yaml`";
  if (target === REFUSE) return "an error if it says yes";
  const { name, of } = splitTarget(target.replace(WILDCARD, "x")) ?? {};
  if (name === "platforms") return `if it says yes, ${codeCell(of ?? "")} is one of the platforms`;
  if (name === "status") return `if it says yes, the row is a ${of}`;
  return name === undefined ? codeCell(target) : `${codeCell(name)} for that platform only`;
}

/** Facts that no file of that kind contains. */
function needs({ settings, times }: Preset): string[] {
  const zone = {
    account: "Set `timezone:`, because the files do not contain the account's time zone.",
    column: "The file contains the time zone. `timezone:` is for rows without one.",
    date: "The times contain their time zone.",
  }[times.zone];
  const order = times.isOrderOpen === true ? " Set `date_order:` (dmy or mdy) if the year is not first." : "";
  const targets = Object.values(settings.columns);
  const platforms = targets.some((target) => target.startsWith("platforms"))
    ? []
    : [
        targets.includes(ACCOUNTS)
          ? "Under `platforms:`, set the platform of each account id. An unknown id is an error."
          : "Set the platforms, because the files do not contain them: `defaults: { platforms: [linkedin] }`.",
      ];
  return [`Times look like ${times.form}. ${zone}${order}`, ...platforms];
}

/** plancast.yaml for files of one preset, with the settings that the files lack. */
export function exampleProject(name: string, { settings, times }: Preset): string {
  const targets = Object.values(settings.columns);
  const hasAccounts = targets.includes(ACCOUNTS);
  const needsPlatforms = !hasAccounts && !targets.some((target) => target.startsWith("platforms"));
  const lines = [
    "calendars:",
    `  - files: calendars/${name}/*.csv`,
    `    preset: ${name}`,
    times.zone === "date" ? undefined : "    timezone: Europe/Paris",
    times.isOrderOpen === true ? "    date_order: mdy # or dmy" : undefined,
    needsPlatforms ? "    defaults: { platforms: [linkedin] }" : undefined,
    hasAccounts ? 'platforms: { "123456": linkedin, "123457": instagram }' : undefined,
  ];
  return lines.flatMap((line) => (line === undefined ? [] : `${line}\n`)).join("");
}

/** The program's output for a small input, by code. Not every code has one. */
export type ProblemExamples = Readonly<Record<string, ProblemExample>>;

interface ProblemExample {
  /** plancast.yaml, if the problem needs special settings. */
  readonly project?: string;
  /** The command. */
  readonly command: string;
  /** Its output. */
  readonly output: string;
}

const ABOUT_CODES = `<!-- Written by \`npm run docs\` from src/problems and scripts/problem-cases. Do not edit. -->

# Problems

Each problem has a code. An **error** stops the run before it changes anything. With a **warning**, the run continues.
Codes never change, so scripts can rely on them. The examples are real output. If an example needs a setting, it shows
\`plancast.yaml\` first.

`;

/** Families of codes, in the order of the catalogue. */
export function problemsReference(examples: ProblemExamples): string {
  const entries = Object.entries(ALL_CODES);
  const families = [...new Set(entries.map(([code]) => familyOf(code)))].map(
    (family) => [family, entries.filter(([code]) => familyOf(code) === family)] as const,
  );
  const contents = families.map(([family, codes]) => [
    `[${family}](#${family})`,
    codes.map(([code]) => `[\`${code}\`](#${headingAnchor(code)})`).join(" "),
  ]);
  const sections = families.map(
    ([family, codes]) =>
      `\n## ${family}\n${codes.map(([code, entry]) => codeSection(code, entry, examples[code])).join("")}`,
  );
  return ABOUT_CODES + markdownTable(["family", "codes"], contents) + sections.join("");
}

function familyOf(code: string): string {
  return code.split("/")[0] ?? code;
}

function codeSection(code: string, entry: ProblemEntry, example: ProblemExample | undefined): string {
  const setting = ALL_RULES.some((rule) => rule.code === code)
    ? ". You can change it under [`rules:`](project-file.md#rules)"
    : "";
  const parts = [
    `\n### ${code}\n`,
    `Severity: ${entry.severity}${setting}.\n`,
    `- **Rule:** ${entry.rule}`,
    `- **Why you see this:** ${entry.cause}`,
    `- **What to do:** ${entry.fix}\n`,
  ];
  if (example !== undefined) {
    // A fence that is longer than any inside.
    const fence = "`".repeat(Math.max(3, ...backtickRuns(example.output).map((length) => length + 1)));
    const project = example.project === undefined ? "" : `$ cat plancast.yaml\n${example.project}\n`;
    parts.push(`${fence}text\n${project}$ ${example.command}\n${example.output.trimEnd()}\n${fence}\n`);
  }
  return parts.join("\n");
}

function backtickRuns(text: string): number[] {
  return [...text.matchAll(/`+/g)].map(([run]) => run.length);
}

type Schema = z.core.JSONSchema.BaseSchema;

/** A typical plancast.yaml. A test reads it. */
export const EXAMPLE_PROJECT = `service:
  url: https://api.example.com/v1
timezone: Europe/Paris
calendars:
  - calendars/*.xlsx
  - files: calendars/buffer/*.csv
    preset: buffer
    defaults: { platforms: [linkedin] }
platforms: { x: twitter, insta: instagram }
defaults: { time: "09:30" }
columns: { Slogan: content, Notes: ignore }
status_values: { Approved: ready, Idea: draft }
rules: { content/too-long: error, row/same-minute: off }
limits:
  twitter: { text: 25000 }
safety: { max_cancels: 5 }
`;

const ABOUT_KEYS = `<!-- Written by \`npm run docs\` from src/settings/config.ts. Do not edit. -->

# plancast.yaml

\`plancast.yaml\` contains the settings of a project. Its folder is the project, and paths in it are relative to that folder. All
keys are optional. An editor that knows JSON Schema checks the file as you type. The schema is
[\`schemas/config.schema.json\`](../../schemas/config.schema.json), which is also in the npm package.

A duration is a number with \`ms\`, \`s\`, \`m\`, \`h\` or \`d\`. A size is a number with \`B\`, \`kB\`, \`MB\`, \`GB\`, \`KiB\`, \`MiB\` or
\`GiB\`. In the tables, \`*\` means a name that you choose, and \`[]\` means each entry of a list.

\`\`\`yaml
${EXAMPLE_PROJECT}\`\`\`
`;

export function projectFileMarkdown(schema: Schema): string {
  return [ABOUT_KEYS, ...Object.entries(schema.properties ?? {}).map(keySection)].join("\n");
}

function keySection([name, value]: [string, Schema | boolean]): string {
  const key = schemaOf(value);
  const facts = [`Value: ${kindOf(key)}.`, ...defaultText(key)].join(" ");
  const parts = [`## ${name}\n`, `${key.description ?? ""}\n`, `${facts}\n`];
  const below = keysBelow(key, name);
  if (below.length > 0) {
    const rows = below.map(([path, each]) => [
      codeCell(path),
      kindOf(each),
      each.default === undefined ? "" : codeCell(JSON.stringify(each.default)),
      each.description ?? "",
    ]);
    parts.push(markdownTable(["key", "value", "default", "meaning"], rows));
  }
  return parts.join("\n");
}

function defaultText({ default: usual }: Schema): string[] {
  if (usual === undefined || JSON.stringify(usual) === "{}") return [];
  return [`Default: \`${JSON.stringify(usual)}\`.`];
}

/** All keys inside, each with its path: through lists, free names, and alternatives. */
export function keysBelow(schema: Schema, path: string): (readonly [string, Schema])[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const below = schemaOf(value);
    return [[`${path}.${name}`, below] as const, ...keysBelow(below, `${path}.${name}`)];
  });
  const { items, additionalProperties } = schema;
  const listed = typeof items === "object" && !Array.isArray(items) ? keysBelow(items, `${path}[]`) : [];
  const named = typeof additionalProperties === "object" ? keysBelow(additionalProperties, `${path}.*`) : [];
  const either = alternatives(schema).flatMap((each) => keysBelow(each, path));
  return [...own, ...listed, ...named, ...either];
}

function alternatives({ anyOf, oneOf }: Schema): Schema[] {
  return (anyOf ?? oneOf ?? []).map(schemaOf);
}

function schemaOf(value: Schema | boolean | undefined): Schema {
  return typeof value === "object" ? value : {};
}

function kindOf(schema: Schema): string {
  const either = alternatives(schema);
  if (either.length > 0) return [...new Set(either.map(kindOf))].join(", or ");
  if (schema.enum !== undefined)
    return `one of ${schema.enum.map((each) => codeCell(String(each))).join(", ")}`;
  if (schema.const !== undefined) return codeCell(String(schema.const));
  switch (schema.type) {
    case "integer":
    case "number":
      return `${schema.type === "integer" ? "whole number" : "number"}${rangeOf(schema)}`;
    case "boolean":
      return "`true` or `false`";
    case "array":
      return `list${elementsOf(schema)}`;
    case "object":
      return schema.properties === undefined
        ? `names, each with ${kindOf(schemaOf(schema.additionalProperties))}`
        : "the keys below";
    case undefined:
      return "any value";
    default:
      return "text";
  }
}

function elementsOf({ prefixItems, items }: Schema): string {
  if (prefixItems !== undefined) return ` of ${prefixItems.length}: ${kindOf(schemaOf(prefixItems[0]))}`;
  if (Array.isArray(items) || items === undefined) return "";
  const kind = kindOf(schemaOf(items));
  return kind === "text" ? " of texts" : `, each item: ${kind}`;
}

/** Useful limits, without the technical limits of numbers. */
function rangeOf({ minimum = 0, maximum }: Schema): string {
  if (maximum !== undefined && maximum < 1_000_000_000) return `, ${minimum} to ${maximum}`;
  return minimum > 0 ? `, ${minimum} or more` : "";
}
