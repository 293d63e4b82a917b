import { problem, type Problem } from "../calendar/problem.ts";
import { FIELDS, VARIANT_FIELDS } from "../calendar/row.ts";
import { yamlMappingSchema, yamlPostsSchema } from "../calendar/yaml-calendar.ts";
import { meaningOf } from "./name-meaning.ts";
import { fieldNamed } from "../calendar/fold-name.ts";
import { didYouMean, nearest } from "../calendar/nearest.ts";
import { findIssues, kindOf, valueAt, type SchemaIssue } from "./schema-issues.ts";
import type { YamlDocument } from "./yaml-document.ts";

/** A fault of a calendar's shape, and the path of what cannot be understood because of it. */
export interface ShapeFault {
  readonly problem: Problem;
  /** Undefined for a key that is not known: what stands beside it is understood all the same. */
  readonly path: readonly PropertyKey[] | undefined;
}

/** Checks a calendar's value against the schema. */
export function checkShape(document: YamlDocument): ShapeFault[] {
  const { value } = document;
  const schema = Array.isArray(value) ? yamlPostsSchema : yamlMappingSchema;
  return findIssues(schema, value).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return unknownKeys(document, issue.path, issue.keys);
    return [{ problem: wrongShape(document, issue), path: issue.path }];
  });
}

function unknownKeys(
  document: YamlDocument,
  path: readonly PropertyKey[],
  keys: readonly string[],
): ShapeFault[] {
  const atTop = path.length === 0;
  const inVariant = path.at(-2) === "variants";
  const known = atTop
    ? Object.keys(yamlMappingSchema.shape)
    : inVariant
      ? VARIANT_FIELDS
      : [...FIELDS, "variants"];
  return keys.map((key) => {
    const misplaced = atTop && fieldNamed(key) !== undefined;
    const way = misplaced
      ? " Fields stand within the posts: put them under `posts:`, in a list."
      : didYouMean((atTop ? undefined : meaningOf(key)?.field) ?? nearest(key, known)) ||
        ` Known here: ${known.join(", ")}.`;
    const message = `\`${document.keyText(path, key)}\` is no key that plancast knows.${way}`;
    return { problem: problem("calendar/unknown-key", message, document.keyAt(path, key)), path: undefined };
  });
}

function wrongShape(document: YamlDocument, { path }: SchemaIssue): Problem {
  const message = `${expected(path)}, but it is ${kindOf(valueAt(document.value, path))}.`;
  return problem("calendar/shape", message, document.at(path));
}

/** What belongs at a path of a calendar. */
function expected(path: readonly PropertyKey[]): string {
  const last = path.at(-1);
  if (last === undefined) return "A calendar must be a list of posts, or a mapping with `posts`";
  if (last === "posts") return "`posts` must be a list of posts";
  if (last === "defaults") return "`defaults` must be a mapping of fields";
  if (last === "variants") return "`variants` must be a mapping of platforms, each with fields of its own";
  if (path.at(-2) === "variants")
    return "What a platform has of its own must be a mapping of fields such as `content`";
  if (last === "platforms" || last === "media") return `\`${last}\` must be text or a list of texts`;
  if (typeof last !== "number") return `\`${String(last)}\` must be text`;
  const list = path.at(-2);
  if (list === "platforms" || list === "media") return `An item of \`${list}\` must be text`;
  return "A post must be a mapping of fields such as `content` and `date`";
}
