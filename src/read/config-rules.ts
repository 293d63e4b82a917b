/** What a project file must say beyond its shape. */
import { posix } from "node:path";
import type { Config } from "../calendar/config.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import { FIELDS } from "../calendar/row.ts";
import { fieldMeant } from "./columns.ts";
import { fieldNamed, foldName } from "../calendar/fold-name.ts";
import { didYouMean, nearest } from "../calendar/nearest.ts";
import { findZone, suggestZone } from "../calendar/zone.ts";
import type { YamlDocument } from "./yaml-document.ts";

type Rule = (config: Config, document: YamlDocument) => Problem[];

const RULES: readonly Rule[] = [
  zonesExist,
  lockfileStays,
  patternsStay,
  columnsAreFields,
  columnsAreNamedOnce,
];

export function checkConfig(document: YamlDocument, config: Config): Problem[] {
  return RULES.flatMap((rule) => rule(config, document));
}

function zonesExist(config: Config, document: YamlDocument): Problem[] {
  const zones = [
    { zone: config.timezone, path: ["timezone"] },
    { zone: config.defaults.timezone, path: ["defaults", "timezone"] },
  ];
  return zones.flatMap(({ zone, path }) => {
    if (zone === undefined || findZone(zone) !== undefined) return [];
    const way = didYouMean(suggestZone(zone)) || " Name one such as `Europe/Paris` or `UTC`.";
    const message = `\`${zone}\` is no IANA time zone.${way}`;
    return [problem("schedule/unknown-timezone", message, document.at(path))];
  });
}

function lockfileStays(config: Config, document: YamlDocument): Problem[] {
  const path = posix.normalize(config.lockfile.replaceAll("\\", "/"));
  if (!isAbsolutePath(path) && !path.split("/").includes("..") && path !== "." && !path.endsWith("/"))
    return [];
  const message = "`lockfile` must name a file within the project, relative to this file's folder.";
  return [problem("project/invalid", message, document.at(["lockfile"]))];
}

function patternsStay(config: Config, document: YamlDocument): Problem[] {
  return config.calendars.flatMap((pattern, index) => {
    const path = pattern.replace(/^!/, "").replaceAll("\\", "/");
    // `..` in braces climbs as well: `{../a,b}/*.csv`.
    if (!isAbsolutePath(path) && !path.split(/[/{},()|]/).includes("..")) return [];
    const message =
      "A pattern of `calendars` must stay within the project, and be relative to this file's folder.";
    return [problem("project/invalid", message, document.at(["calendars", index]))];
  });
}

function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:/.test(path);
}

function columnsAreFields(config: Config, document: YamlDocument): Problem[] {
  return Object.entries(config.columns).flatMap(([header, field]) => {
    if (fieldNamed(field) !== undefined) return [];
    const way =
      didYouMean(fieldMeant(field) ?? nearest(field, FIELDS)) || ` The fields are ${FIELDS.join(", ")}.`;
    return [problem("project/invalid", `\`${field}\` is no field.${way}`, document.at(["columns", header]))];
  });
}

function columnsAreNamedOnce(config: Config, document: YamlDocument): Problem[] {
  const headers = Object.keys(config.columns);
  return headers.flatMap((header, index) => {
    const first = headers.findIndex((each) => foldName(each) === foldName(header));
    if (first === index) return [];
    const message = `\`${header}\` and \`${headers[first] ?? ""}\` are the same header. Keep one.`;
    return [problem("project/invalid", message, document.keyAt(["columns"], header))];
  });
}
