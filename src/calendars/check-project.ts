/** Finds faults in plancast.yaml: in its shape, by the schema, and in facts that the schema cannot express. */

import { posix } from "node:path";
import { z } from "zod";
import { ALL_RULES } from "../checks/rules/all-rules.ts";
import { COLUMN_WORDS, IGNORE, NOT_CARRIED, OPEN_ANSWER, WILDCARD, columnTarget } from "../model/columns.ts";
import { FIELDS, fieldNamed } from "../model/fields.ts";
import { optionNamed } from "../model/options/catalogue.ts";
import { didYouMean, foldName, nearest } from "../model/text.ts";
import { type Problem, problem } from "../model/problem.ts";
import { FilterFault, parseConditions } from "../model/row-filter.ts";
import { DURATION, DURATION_FORM } from "../model/clock.ts";
import { type Aliases, foldPlatform, nearestNetwork, networksIn } from "../checks/networks/network-names.ts";
import { defaultOptions } from "../checks/options.ts";
import { aliasesOf } from "../checks/platforms.ts";
import { findZone, suggestZone } from "../checks/when/local-time.ts";
import { CODES } from "../problems/catalogue.ts";
import { type CalendarSettings, patternsOf } from "../settings/calendar-settings.ts";
import { type Config, createConfigSchema } from "../settings/config.ts";
import { DEFAULT_SLOTS } from "../settings/time-settings.ts";
import { VARIABLE_NAME } from "../settings/environment.ts";
import { SIZE, SIZE_FORM } from "../settings/limits.ts";
import { meaningOf } from "./columns/column-names.ts";
import { CALENDAR_GLOB } from "./all-formats.ts";
import {
  type SchemaIssue,
  type YamlDocument,
  type YamlPath,
  findIssues,
  kindOf,
  valueAt,
} from "./formats/yaml/document.ts";

/** The schema of plancast.yaml, with all rules and calendar formats. */
export const configSchema = createConfigSchema({ rules: ALL_RULES, calendars: [CALENDAR_GLOB] });

/** Finds the places of settings. */
export type SettingsPlaces = Pick<YamlDocument, "at" | "keyAt">;

/** Faults in the shape of plancast.yaml; `value` is its content. */
export function configShapeProblems(places: SettingsPlaces, value: unknown): Problem[] {
  return findIssues(configSchema, value).flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return unknownKeys(places, issue.path, issue.keys, valueAt(value, issue.path));
    const name = issue.path.length === 0 ? "plancast.yaml" : `\`${issue.path.join(".")}\``;
    const message = `${name} ${whatIsWrong(issue, valueAt(value, issue.path))}`;
    return [problem("project/invalid", message, places.at(issue.path))];
  });
}

/** The rest of a sentence that begins with the name of the value. */
function whatIsWrong(issue: SchemaIssue, value: unknown): string {
  switch (issue.code) {
    case "invalid_union":
    case "invalid_type":
      return `must be ${expected(issue.path)}, but it is ${kindOf(value)}.`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}.${didYouMean(nearest(String(value), issue.values.map(String)))}`;
    case "too_small":
      return hasLength(issue.origin) ? "must not be empty." : `must be ${Number(issue.minimum)} or more.`;
    case "too_big":
      return `must be ${Number(issue.maximum)} or less${hasLength(issue.origin) ? " long" : ""}.`;
    case "invalid_key":
      return `must be ${issue.issues[0]?.message ?? "another name"}.`;
    case "invalid_format":
      return `must be ${issue.message}.`;
    default:
      return `is not valid (${issue.message}).`;
  }
}

/** Whether a bound limits a length. In the schema, a minimum length only forbids empty values. */
function hasLength(origin: string): boolean {
  return origin === "string" || origin === "array";
}

function unknownKeys(
  places: SettingsPlaces,
  path: readonly PropertyKey[],
  keys: readonly string[],
  parent: unknown,
): Problem[] {
  const known = knownKeys(path);
  return keys.map((key) => {
    if (path[0] === "rules" && Object.hasOwn(CODES, key)) {
      const message = `You cannot set \`${key}\` under \`rules:\`, because plancast cannot work without it. \`plancast rules\` lists the rules that you can set.`;
      return problem("project/unknown-key", message, places.keyAt(path, key));
    }
    if (path[0] === "accounts" && optionNamed(`all.${key}`) !== undefined) {
      const message = `Unknown key \`${[...path, key].join(".")}\`. Options of networks are below \`options:\` at the top of the file: \`options: { mastodon: { visibility: unlisted } }\`. docs/write/options.md lists them.`;
      return problem("project/unknown-key", message, places.keyAt(path, key));
    }
    const isSecretName = SECRET.test(key);
    if (isSecretName && !namesVariable(valueAt(parent, [key])))
      return problem("project/unknown-key", secretMessage(key, path[0]), places.keyAt(path, key));
    const meant = isSecretName && known.includes(KEY_VARIABLE) ? KEY_VARIABLE : nearest(key, known);
    const way = didYouMean(meant) || ` The known keys are ${known.join(", ")}.`;
    const message = `Unknown key \`${[...path, key].join(".")}\`.${way}`;
    return problem("project/unknown-key", message, places.keyAt(path, key));
  });
}

const SECRET = /key|token|secret|password/i;

/** The key under `service:` that names the variable with the key. */
const KEY_VARIABLE = "key_env";

/** Whether a value can be the name of a variable. A key in capitals and digits, without `_`, cannot. */
function namesVariable(value: unknown): boolean {
  return typeof value === "string" && VARIABLE_NAME.test(value) && (value.includes("_") || !/\d/.test(value));
}

function secretMessage(key: string, section: PropertyKey | undefined): string {
  const wayOn =
    section === "accounts"
      ? "make a new one on the network, put it into an environment variable, and name that variable here"
      : "make a new key in the service's settings, and put the new key into the environment variable PLANCAST_API_KEY";
  return (
    `\`${key}\` does not belong in plancast.yaml, because everybody who has the project can read that file. ` +
    `Remove it, ${wayOn}.`
  );
}

/** The parts of the schema at a path, as JSON Schema, the only form that can be walked. A union has several. */
function schemasAt(path: readonly PropertyKey[]): unknown[] {
  const root: unknown = z.toJSONSchema(configSchema, { io: "input" });
  return path.reduce<unknown[]>(
    (schemas, step) => schemas.flatMap((schema) => unionBranches(childSchemas(schema, step))),
    [root],
  );
}

function childSchemas(schema: unknown, step: PropertyKey): unknown {
  if (typeof step === "number") return valueAt(schema, ["items"]) ?? valueAt(schema, ["prefixItems", step]);
  return valueAt(schema, ["properties", step]) ?? valueAt(schema, ["additionalProperties"]);
}

function unionBranches(schema: unknown): unknown[] {
  const union = valueAt(schema, ["anyOf"]) ?? valueAt(schema, ["oneOf"]);
  return Array.isArray(union) ? union : [schema];
}

function knownKeys(path: readonly PropertyKey[]): string[] {
  const keys = schemasAt(path).flatMap((schema) => Object.keys(Object(valueAt(schema, ["properties"]))));
  return [...new Set(keys)];
}

/** Describes the value that belongs at a path. */
function expected(path: readonly PropertyKey[]): string {
  const words = schemasAt(path).map(describeSchema);
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** Texts that people easily write as a bare number, by the pattern in the schema. */
const TEXTS_WITH_UNIT: ReadonlyMap<unknown, string> = new Map([
  [DURATION.source, DURATION_FORM],
  [SIZE.source, SIZE_FORM],
]);

function describeSchema(schema: unknown): string {
  const constant = valueAt(schema, ["const"]);
  if (typeof constant === "string") return `\`${constant}\``;
  switch (valueAt(schema, ["type"])) {
    case "object":
      return "a mapping";
    case "array":
      return "a list";
    case "number":
    case "integer":
      return "a number";
    case "boolean":
      return "true or false";
    default:
      return (
        TEXTS_WITH_UNIT.get(valueAt(schema, ["pattern"])) ??
        "text (in quotes, if it looks like something else)"
      );
  }
}

type Rule = (config: Config, places: SettingsPlaces) => Problem[];

const RULES: readonly Rule[] = [
  zonesExist,
  lockfileIsInside,
  patternsAreInside,
  columnsAreFields,
  namesAreUnique,
  idsAreNotCarried,
  filtersAreRead,
  mentionsNameNetworks,
  timesNameNetworks,
  optionsAreKnown,
];

export function checkConfig(places: SettingsPlaces, config: Config): Problem[] {
  return RULES.flatMap((rule) => rule(config, places));
}

/** All places with calendar settings: the whole project, and the entries of `calendars:`. */
function allSettings(config: Config): { settings: CalendarSettings; path: YamlPath }[] {
  const own = [...config.calendars.entries()].flatMap(([index, entry]) =>
    typeof entry === "string" ? [] : [{ settings: entry, path: ["calendars", index] }],
  );
  return [{ settings: config, path: [] }, ...own];
}

function zonesExist(config: Config, places: SettingsPlaces): Problem[] {
  const zones = [
    ...allSettings(config).map(({ settings, path }) => ({
      zone: settings.timezone,
      path: [...path, "timezone"],
    })),
    { zone: config.defaults.timezone, path: ["defaults", "timezone"] },
  ];
  return zones.flatMap(({ zone, path }) => {
    if (zone === undefined || findZone(zone) !== undefined) return [];
    const way = didYouMean(suggestZone(zone)) || " Use a name such as `Europe/Paris` or `UTC`.";
    const message = `\`${zone}\` is not an IANA time zone.${way}`;
    return [problem("schedule/unknown-timezone", message, places.at(path))];
  });
}

/**
 * `lockfile:` comes with a checkout, and other programs run or obey files with certain names. So its name has one shape, and
 * no folder is hidden, or another spelling of a hidden one.
 */
const LOCKFILE_SHAPE = /^(?:(?![.\s])[^/~:\p{C}]+(?<!\s)\/)*(?![.\s])[^/~:\p{C}]+\.lock\.json$/iu;

function lockfileIsInside(config: Config, places: SettingsPlaces): Problem[] {
  const path = posix.normalize(config.lockfile.replaceAll("\\", "/"));
  if (LOCKFILE_SHAPE.test(path)) return [];
  const message =
    "`lockfile` must name a file inside the project that ends in `.lock.json`, such as plancast.lock.json, and no folder in its path may begin with a dot.";
  return [problem("project/invalid", message, places.at(["lockfile"]))];
}

function patternsAreInside(config: Config, places: SettingsPlaces): Problem[] {
  return config.calendars.flatMap((entry, index) => {
    const climbs = patternsOf(entry).some((pattern) => {
      const path = pattern.replace(/^!/, "").replaceAll("\\", "/");
      // `..` in braces climbs as well: `{../a,b}/*.csv`.
      return isAbsolutePath(path) || path.split(/[/{},()|]/).includes("..");
    });
    if (!climbs) return [];
    const message =
      "A pattern under `calendars:` must stay inside the project, and be relative to this file's folder.";
    return [problem("project/invalid", message, places.at(["calendars", index]))];
  });
}

function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:/.test(path);
}

function columnsAreFields(config: Config, places: SettingsPlaces): Problem[] {
  return allSettings(config).flatMap(({ settings, path }) =>
    Object.entries(settings.columns).flatMap(([header, field]) => {
      const example = header.includes(WILDCARD) ? field.replace(WILDCARD, "x") : field;
      if (columnTarget(example) !== undefined) return [];
      if (field === OPEN_ANSWER) {
        const message = `\`${header}\` still has \`${OPEN_ANSWER}\`. Write what the column holds: a field, or \`${IGNORE}\`.`;
        return [problem("project/invalid", message, places.at([...path, "columns", header]))];
      }
      const way =
        didYouMean(meaningOf(field)?.field ?? nearest(field, [...FIELDS, ...COLUMN_WORDS])) ||
        ` The fields are ${FIELDS.join(", ")}. \`content:twitter\` is the text for one platform, and \`platforms:twitter\` is a yes-or-no column. Use \`${IGNORE}\` for a column that plancast does not need, and \`${NOT_CARRIED}\` for one that the service has no field for.`;
      const message = `There is no field \`${field}\`.${way}`;
      return [problem("project/invalid", message, places.at([...path, "columns", header]))];
    }),
  );
}

/** Two rows must not have the same id. */
function idsAreNotCarried(config: Config, places: SettingsPlaces): Problem[] {
  return allSettings(config).flatMap(({ settings, path }) =>
    (settings.carry ?? []).flatMap((name, index) => {
      if (fieldNamed(name) !== "id") return [];
      const message = "`carry` must not name `id`, because each row needs an id of its own.";
      return [problem("project/invalid", message, places.at([...path, "carry", index]))];
    }),
  );
}

/** A mapping must not contain two names that count as the same name. */
function namesAreUnique(config: Config, places: SettingsPlaces): Problem[] {
  const mappings = allSettings(config).flatMap(({ settings, path }) => [
    { keys: Object.keys(settings.columns), path: [...path, "columns"], noun: "header" },
    { keys: Object.keys(settings.status_values), path: [...path, "status_values"], noun: "status" },
  ]);
  return mappings.flatMap(({ keys, path, noun }) =>
    keys.flatMap((key, index) => {
      const first = keys.findIndex((each) => foldName(each) === foldName(key));
      if (first === index) return [];
      const message = `\`${key}\` and \`${keys[first] ?? ""}\` are the same ${noun}. Keep one.`;
      return [problem("project/invalid", message, places.keyAt(path, key))];
    }),
  );
}

function filtersAreRead(config: Config, places: SettingsPlaces): Problem[] {
  return allSettings(config).flatMap(({ settings, path }) => {
    try {
      parseConditions(settings.only ?? {});
      return [];
    } catch (error) {
      if (!(error instanceof FilterFault)) throw error;
      return [problem("project/invalid", error.message, places.at([...path, "only", error.key]))];
    }
  });
}

/** A network that no row can name is a typing mistake, and nobody would notice that the setting has no effect. */
function mentionsNameNetworks(config: Config, places: SettingsPlaces): Problem[] {
  const aliases = aliasesOf(config);
  return allSettings(config).flatMap(({ settings, path }) =>
    Object.entries(settings.mentions ?? {}).flatMap(([name, handles]) =>
      Object.keys(handles).flatMap((network) => {
        const message = unknownNetwork(network, aliases);
        if (message === undefined) return [];
        return [problem("project/invalid", message, places.keyAt([...path, "mentions", name], network))];
      }),
    ),
  );
}

/** Like `mentionsNameNetworks`, for slots and quiet hours: the rows of a mistyped network would get other times. */
function timesNameNetworks(config: Config, places: SettingsPlaces): Problem[] {
  const aliases = aliasesOf(config);
  const slots = allSettings(config).flatMap(({ settings, path }) =>
    Object.keys(settings.slots ?? {})
      .filter((network) => network !== DEFAULT_SLOTS)
      .map((network) => ({ network, place: () => places.keyAt([...path, "slots"], network) })),
  );
  const { quiet_hours: quiet = [] } = config;
  const quietNetworks = (Array.isArray(quiet) ? quiet : [quiet]).flatMap(({ networks = [] }, index) =>
    networks.map((network, item) => {
      const path = ["quiet_hours", ...(Array.isArray(quiet) ? [index] : []), "networks", item];
      return { network, place: () => places.at(path) };
    }),
  );
  return [...slots, ...quietNetworks].flatMap(({ network, place }) => {
    const message = unknownNetwork(network, aliases);
    return message === undefined ? [] : [problem("project/invalid", message, place())];
  });
}

function optionsAreKnown(config: Config, places: SettingsPlaces): Problem[] {
  return defaultOptions(config).faults.map(({ path, message }) =>
    problem("project/invalid", message, places.at(["options", ...path])),
  );
}

/** What is wrong with the name of a network in a setting; undefined if plancast knows it. */
function unknownNetwork(network: string, aliases: Aliases): string | undefined {
  if (networksIn(foldPlatform(network), aliases)?.length === 1) return undefined;
  const way =
    didYouMean(nearestNetwork(network, aliases)) ||
    ` If it is right, name it under \`platforms:\`, as your service calls it.`;
  return `\`${network}\` is not a network that plancast knows.${way}`;
}
