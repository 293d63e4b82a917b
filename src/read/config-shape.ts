import { z } from "zod";
import { CODES } from "../calendar/codes.ts";
import { configSchema } from "../calendar/config.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import { didYouMean, nearest } from "../calendar/nearest.ts";
import { findIssues, kindOf, valueAt, type SchemaIssue } from "./schema-issues.ts";
import type { YamlDocument } from "./yaml-document.ts";

/** What is wrong with the shape of a project file; `value` is what it says. */
export function configShapeProblems(document: YamlDocument, value: unknown): Problem[] {
  return findIssues(configSchema, value).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return unknownKeys(document, issue.path, issue.keys);
    const name = issue.path.length === 0 ? "The project file" : `\`${issue.path.join(".")}\``;
    const message = `${name} ${whatIsWrong(issue, valueAt(value, issue.path))}`;
    return [problem("project/invalid", message, document.at(issue.path))];
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
    case "invalid_format":
      return `must be ${issue.message}.`;
    default:
      return `is not valid (${issue.message}).`;
  }
}

/** Whether a bound is about how long something is. The schema asks of those at least that there is something. */
function hasLength(origin: string): boolean {
  return origin === "string" || origin === "array";
}

function unknownKeys(
  document: YamlDocument,
  path: readonly PropertyKey[],
  keys: readonly string[],
): Problem[] {
  const known = knownKeys(path);
  return keys.map((key) => {
    if (path[0] === "rules" && Object.hasOwn(CODES, key)) {
      const message = `\`${key}\` is no check that can be set: without it plancast cannot work. \`plancast rules\` lists those that can.`;
      return problem("project/unknown-key", message, document.keyAt(path, key));
    }
    if (SECRET.test(key))
      return problem("project/unknown-key", secretMessage(key), document.keyAt(path, key));
    const way = didYouMean(nearest(key, known)) || ` Known here: ${known.join(", ")}.`;
    const message = `\`${[...path, key].join(".")}\` is no key that plancast knows.${way}`;
    return problem("project/unknown-key", message, document.keyAt(path, key));
  });
}

const SECRET = /key|token|secret|password/i;

function secretMessage(key: string): string {
  return (
    `\`${key}\` does not belong in this file, which is shared with everybody who has the project. ` +
    "Remove it, make a new key in the service's settings, and put that into the environment variable PLANCAST_API_KEY."
  );
}

/** The parts of the schema at a path, as JSON Schema, the one form of it that can be walked: several for a union. */
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
  const union = valueAt(schema, ["anyOf"]);
  return Array.isArray(union) ? union : [schema];
}

function knownKeys(path: readonly PropertyKey[]): string[] {
  return schemasAt(path).flatMap((schema) => Object.keys(Object(valueAt(schema, ["properties"]))));
}

/** What belongs at a path, in words. */
function expected(path: readonly PropertyKey[]): string {
  const words = schemasAt(path).map(describeSchema);
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

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
      return "text (in quotes, if it looks like something else)";
  }
}
