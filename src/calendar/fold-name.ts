import { FIELDS, type Field } from "./row.ts";

/** The form in which names of columns and keys are compared: case, and blanks, `-` and `_`, are the same. */
export function foldName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "_");
}

/** The field that a name means, written in any case and with blanks or `-` for `_`. */
export function fieldNamed(name: string): Field | undefined {
  const folded = foldName(name);
  return FIELDS.find((field) => field === folded);
}
