import type { z } from "zod";

/** One thing that a zod schema finds wrong, unions resolved. */
export type SchemaIssue = z.core.$ZodIssue;

/** All issues of a value, each with its full path. For a union, the issues of the branch that fits best. */
export function findIssues(schema: z.ZodType, value: unknown): readonly SchemaIssue[] {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.flatMap((issue) => resolveUnion(issue));
}

function resolveUnion(issue: SchemaIssue): readonly SchemaIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const deeper = issue.errors.find(
    (branch) =>
      branch.length > 0 && branch.every((each) => each.path.length > 0 || each.code === "unrecognized_keys"),
  );
  if (deeper === undefined) return [issue];
  return deeper.flatMap((each) => resolveUnion({ ...each, path: [...issue.path, ...each.path] }));
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step)) return undefined;
    found = Object.getOwnPropertyDescriptor(found, step)?.value;
  }
  return found;
}

/** What a value is, in the words of YAML. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}
