/** Names of what a row says: a field, or a field for one platform alone, such as `content:twitter`. */
import { VARIANT_FIELDS, type Field, type VariantField } from "../calendar/row.ts";

export type ColumnName = Field | `${VariantField}:${string}`;

export function variantColumn(field: VariantField, platform: string): ColumnName {
  return `${field}:${platform}`;
}

/** The field, and the platform that it is for; undefined where it is for all. */
export function splitColumn(name: ColumnName): {
  readonly field: Field;
  readonly platform: string | undefined;
} {
  const variant = VARIANT_FIELDS.find((field) => name.startsWith(`${field}:`));
  if (variant !== undefined) return { field: variant, platform: name.slice(variant.length + 1) };
  // What is left of the union once the variants are gone.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { field: name as Field, platform: undefined };
}
