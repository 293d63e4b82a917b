/** What a column of a spreadsheet may stand for, in the words of `columns:` in the project file. */
import { fieldNamed, foldName } from "./fold-name.ts";
import { VARIANT_FIELDS, type Field, type VariantField } from "./row.ts";

/** What `columns:` says of a column that is no field. */
export const IGNORE = "ignore";

/** `variant`: the field, for one platform alone. `switch`: where the cell says yes, the field has the value. */
export type ColumnTarget =
  | typeof IGNORE
  | { readonly kind: "field"; readonly field: Field }
  | { readonly kind: "variant"; readonly field: VariantField; readonly platform: string }
  | { readonly kind: "switch"; readonly field: "platforms" | "status"; readonly value: string };

/** Reads `content`, `ignore`, `content:twitter`, `platforms:facebook` or `status:draft`; undefined for anything else. */
export function columnTarget(text: string): ColumnTarget | undefined {
  if (foldName(text) === IGNORE) return IGNORE;
  const whole = fieldNamed(text);
  if (whole !== undefined) return { kind: "field", field: whole };
  const { name, of } = splitTarget(text) ?? {};
  const field = name === undefined ? undefined : fieldNamed(name);
  return field === undefined || of === undefined ? undefined : targetOf(field, of);
}

/** The two parts of `name:of`; undefined for a text that is not of that form. */
export function splitTarget(text: string): { readonly name: string; readonly of: string } | undefined {
  const [, name, of] = /^([^:]+):\s*([\w.-]{1,40})\s*$/.exec(text) ?? [];
  return name === undefined || of === undefined ? undefined : { name, of };
}

/** What `field:of` stands for; undefined where the field has no such form. */
export function targetOf(field: Field, of: string): ColumnTarget | undefined {
  if (field === "platforms" || field === "status") return { kind: "switch", field, value: of };
  const known = VARIANT_FIELDS.find((each) => each === field);
  return known === undefined ? undefined : { kind: "variant", field: known, platform: of.toLowerCase() };
}

/** The words of `columns:` for it: `content`, `content:twitter`, `platforms:facebook`. */
export function usedAsText(target: Exclude<ColumnTarget, typeof IGNORE>): string {
  switch (target.kind) {
    case "field":
      return target.field;
    case "variant":
      return `${target.field}:${target.platform}`;
    case "switch":
      return `${target.field}:${target.value}`;
    default:
      return target satisfies never;
  }
}
