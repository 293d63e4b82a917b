/** Paths into an answer: names with dots between them. */

/** A step of a path; a dot or a backslash within a name stands after a backslash. */
const STEP = String.raw`(?:[^.\\]|\\[.\\])+`;

/** What a path looks like. */
export const PATH = new RegExp(String.raw`^${STEP}(?:\.${STEP})*$`);

/** The steps of a path. */
export function stepsOf(text: string): string[] {
  return [...text.matchAll(new RegExp(STEP, "g"))].map(([step]) => step.replaceAll(/\\([.\\])/g, "$1"));
}

/** Steps as a path that `stepsOf` reads again. */
export function pathText(steps: readonly string[]): string {
  return steps.map((step) => step.replaceAll(/[.\\]/g, String.raw`\$&`)).join(".");
}

/** What stands at a path, within lists too; undefined where nothing does. */
export function valueAtPath(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((found, step) => {
    if (!Array.isArray(found)) return own(found, step);
    if (/^\d+$/.test(step)) return found[Number(step)];
    return found.flatMap((each: unknown) => own(each, step) ?? []);
  }, value);
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}
