/** What a project file must say beyond its shape. */
import { posix } from "node:path";
import { COLUMN_WORDS, columnTarget, IGNORE, NOT_CARRIED, WILDCARD } from "../calendar/column-target.ts";
import { patternsOf, type CalendarSettings } from "../calendar/calendar-settings.ts";
import type { Config } from "../calendar/config.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import { FIELDS } from "../calendar/row.ts";
import { meaningOf } from "./name-meaning.ts";
import { foldName } from "../calendar/fold-name.ts";
import { didYouMean, nearest } from "../calendar/nearest.ts";
import { parseConditions, FilterFault } from "../calendar/row-filter.ts";
import { findZone, suggestZone } from "../calendar/zone.ts";
import type { YamlDocument, YamlPath } from "./yaml-document.ts";

type Rule = (config: Config, document: YamlDocument) => Problem[];

const RULES: readonly Rule[] = [
  zonesExist,
  lockfileIsInside,
  patternsAreInside,
  columnsAreFields,
  namesAreUnique,
  filtersAreRead,
];

export function checkConfig(document: YamlDocument, config: Config): Problem[] {
  return RULES.flatMap((rule) => rule(config, document));
}

/** Everywhere that settings of calendars stand: for the whole project, and for entries of `calendars:`. */
function allSettings(config: Config): { settings: CalendarSettings; path: YamlPath }[] {
  const own = [...config.calendars.entries()].flatMap(([index, entry]) =>
    typeof entry === "string" ? [] : [{ settings: entry, path: ["calendars", index] }],
  );
  return [{ settings: config, path: [] }, ...own];
}

function zonesExist(config: Config, document: YamlDocument): Problem[] {
  const zones = [
    ...allSettings(config).map(({ settings, path }) => ({
      zone: settings.timezone,
      path: [...path, "timezone"],
    })),
    { zone: config.defaults.timezone, path: ["defaults", "timezone"] },
  ];
  return zones.flatMap(({ zone, path }) => {
    if (zone === undefined || findZone(zone) !== undefined) return [];
    const way = didYouMean(suggestZone(zone)) || " Name one such as `Europe/Paris` or `UTC`.";
    const message = `\`${zone}\` is no IANA time zone.${way}`;
    return [problem("schedule/unknown-timezone", message, document.at(path))];
  });
}

function lockfileIsInside(config: Config, document: YamlDocument): Problem[] {
  const path = posix.normalize(config.lockfile.replaceAll("\\", "/"));
  if (!isAbsolutePath(path) && !path.split("/").includes("..") && path !== "." && !path.endsWith("/"))
    return [];
  const message = "`lockfile` must name a file within the project, relative to this file's folder.";
  return [problem("project/invalid", message, document.at(["lockfile"]))];
}

function patternsAreInside(config: Config, document: YamlDocument): Problem[] {
  return config.calendars.flatMap((entry, index) => {
    const climbs = patternsOf(entry).some((pattern) => {
      const path = pattern.replace(/^!/, "").replaceAll("\\", "/");
      // `..` in braces climbs as well: `{../a,b}/*.csv`.
      return isAbsolutePath(path) || path.split(/[/{},()|]/).includes("..");
    });
    if (!climbs) return [];
    const message =
      "A pattern of `calendars` must stay within the project, and be relative to this file's folder.";
    return [problem("project/invalid", message, document.at(["calendars", index]))];
  });
}

function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:/.test(path);
}

function columnsAreFields(config: Config, document: YamlDocument): Problem[] {
  return allSettings(config).flatMap(({ settings, path }) =>
    Object.entries(settings.columns).flatMap(([header, field]) => {
      const example = header.includes(WILDCARD) ? field.replace(WILDCARD, "x") : field;
      if (columnTarget(example) !== undefined) return [];
      const way =
        didYouMean(meaningOf(field)?.field ?? nearest(field, [...FIELDS, ...COLUMN_WORDS])) ||
        ` The fields are ${FIELDS.join(", ")}; \`content:twitter\` is one platform's own, \`platforms:twitter\` a column of yes and no, \`${IGNORE}\` is for a column that is nothing, and \`${NOT_CARRIED}\` for one that the service has no place for.`;
      const message = `\`${field}\` is no field.${way}`;
      return [problem("project/invalid", message, document.at([...path, "columns", header]))];
    }),
  );
}

/** Names that are compared loosely must not stand twice in one mapping. */
function namesAreUnique(config: Config, document: YamlDocument): Problem[] {
  const mappings = allSettings(config).flatMap(({ settings, path }) => [
    { keys: Object.keys(settings.columns), path: [...path, "columns"], noun: "header" },
    { keys: Object.keys(settings.status_values), path: [...path, "status_values"], noun: "status" },
  ]);
  return mappings.flatMap(({ keys, path, noun }) =>
    keys.flatMap((key, index) => {
      const first = keys.findIndex((each) => foldName(each) === foldName(key));
      if (first === index) return [];
      const message = `\`${key}\` and \`${keys[first] ?? ""}\` are the same ${noun}. Keep one.`;
      return [problem("project/invalid", message, document.keyAt(path, key))];
    }),
  );
}

function filtersAreRead(config: Config, document: YamlDocument): Problem[] {
  return allSettings(config).flatMap(({ settings, path }) => {
    try {
      parseConditions(settings.only ?? {});
      return [];
    } catch (error) {
      if (!(error instanceof FilterFault)) throw error;
      return [problem("project/invalid", error.message, document.at([...path, "only", error.key]))];
    }
  });
}
