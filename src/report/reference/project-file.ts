/** docs/reference/project-file.md: every key of plancast.yaml, from its JSON Schema. */

import type { z } from "zod";
import { codeCell, markdownTable } from "../text/markdown.ts";

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

const INTRODUCTION = `<!-- Written by \`npm run docs\` from src/settings/config.ts. Do not edit. -->

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
  return [INTRODUCTION, ...Object.entries(schema.properties ?? {}).map(section)].join("\n");
}

function section([name, value]: [string, Schema | boolean]): string {
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
        ? `names, each with: ${kindOf(schemaOf(schema.additionalProperties))}`
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
