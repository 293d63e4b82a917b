import { z } from "zod";
import { CODES } from "../calendar/codes.ts";
import { configSchema } from "../calendar/config.ts";
import { problem, type Problem } from "../calendar/problem.ts";
import { didYouMean, nearest } from "../calendar/nearest.ts";
import { findIssues, kindOf, valueAt } from "./schema-issues.ts";
import type { YamlDocument } from "./yaml-document.ts";

/** What is wrong with the shape of a project file; `value` is what it says. */
export function configShapeProblems(document: YamlDocument, value: unknown): Problem[] {
  return findIssues(configSchema, value).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return unknownKeys(document, issue.path, issue.keys);
    const found = kindOf(valueAt(value, issue.path));
    const name = issue.path.length === 0 ? "The project file" : `\`${issue.path.join(".")}\``;
    if (issue.code === "invalid_value") return [notOneOf(document, issue, valueAt(value, issue.path))];
    const message =
      issue.code === "invalid_union" || issue.code === "invalid_type"
        ? `${name} must be ${expected(issue.path)}, but it is ${found}.`
        : `${name} is not valid (${issue.message}).`;
    return [problem("project/invalid", message, document.at(issue.path))];
  });
}

/** A word that is none of those that may stand there. */
function notOneOf(
  document: YamlDocument,
  { path, values }: { readonly path: readonly PropertyKey[]; readonly values: readonly unknown[] },
  found: unknown,
): Problem {
  const words = values.map(String);
  const what = typeof found === "string" ? `\`${found}\`` : kindOf(found);
  const way = typeof found === "string" ? didYouMean(nearest(found, words)) : "";
  const message = `\`${path.join(".")}\` cannot be ${what}.${way} Known here: ${words.join(", ")}.`;
  return problem("project/invalid", message, document.at(path));
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
    (schemas, step) => schemas.flatMap((schema) => branches(below(schema, step))),
    [root],
  );
}

function below(schema: unknown, step: PropertyKey): unknown {
  if (typeof step === "number") return valueAt(schema, ["items"]) ?? valueAt(schema, ["prefixItems", step]);
  return valueAt(schema, ["properties", step]) ?? valueAt(schema, ["additionalProperties"]);
}

function branches(schema: unknown): unknown[] {
  const union = valueAt(schema, ["anyOf"]);
  return Array.isArray(union) ? union : [schema];
}

function knownKeys(path: readonly PropertyKey[]): string[] {
  return schemasAt(path).flatMap((schema) => Object.keys(Object(valueAt(schema, ["properties"]))));
}

/** What belongs at a path, in words. */
function expected(path: readonly PropertyKey[]): string {
  const words = schemasAt(path).map(wordFor);
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function wordFor(schema: unknown): string {
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
