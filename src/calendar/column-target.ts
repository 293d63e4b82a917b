/** What a column of a spreadsheet may stand for, in the words of `columns:` in the project file. */
import { fieldNamed, foldName } from "./fold-name.ts";
import { VARIANT_FIELDS, type Field, type VariantField } from "./row.ts";

/** What `columns:` says of a column that is no field. */
export const IGNORE = "ignore";

/** What it says of a column that the service has no place for: what is in it is told, and not published. */
export const NOT_CARRIED = "not_carried";

/** What it says of a column that must not say yes, because it asks for what plancast does not do. */
export const REFUSE = "refuse";

/** What it says of a column of platforms that names them by accounts elsewhere, which `platforms:` must translate. */
export const ACCOUNTS = "accounts";

const WORDS = [IGNORE, NOT_CARRIED, REFUSE] as const;

/** The words that stand for a column beside the fields. */
export const COLUMN_WORDS: readonly string[] = [...WORDS, ACCOUNTS];

/** `variant`: the field, for one platform alone. `switch`: where the cell says yes, the field has the value. */
export type ColumnTarget =
  | (typeof WORDS)[number]
  | { readonly kind: "field"; readonly field: Field; readonly isAccount?: true }
  | { readonly kind: "variant"; readonly field: VariantField; readonly platform: string }
  | { readonly kind: "switch"; readonly field: "platforms" | "status"; readonly value: string };

/** Reads `content`, `ignore`, `content:twitter`, `platforms:facebook` or `status:draft`; undefined for anything else. */
export function columnTarget(text: string): ColumnTarget | undefined {
  const folded = foldName(text);
  const word = WORDS.find((each) => each === folded);
  if (word !== undefined) return word;
  if (folded === ACCOUNTS) return { kind: "field", field: "platforms", isAccount: true };
  const whole = fieldNamed(text);
  if (whole !== undefined) return { kind: "field", field: whole };
  const { name, of } = splitTarget(text) ?? {};
  const field = name === undefined ? undefined : fieldNamed(name);
  return field === undefined || of === undefined ? undefined : targetWithPart(field, of);
}

/** Stands in a name of `columns:` for whatever comes there, and in what it is mapped to for the same once more. */
export const WILDCARD = "*";

/** The two parts of `name:of`; undefined for a text that is not of that form. */
export function splitTarget(text: string): { readonly name: string; readonly of: string } | undefined {
  const [, name, of] = /^([^:]+):\s*([\w.-]{1,40})\s*$/.exec(text) ?? [];
  return name === undefined || of === undefined ? undefined : { name, of };
}

/** What `field:of` stands for; undefined where the field has no such form. */
export function targetWithPart(field: Field, of: string): ColumnTarget | undefined {
  if (field === "platforms" || field === "status") return { kind: "switch", field, value: of };
  const known = VARIANT_FIELDS.find((each) => each === field);
  return known === undefined ? undefined : { kind: "variant", field: known, platform: of.toLowerCase() };
}

/** The words of `columns:` for it: `content`, `content:twitter`, `platforms:facebook`. */
export function targetText(target: Extract<ColumnTarget, object>): string {
  switch (target.kind) {
    case "field":
      return target.isAccount === true ? ACCOUNTS : target.field;
    case "variant":
      return `${target.field}:${target.platform}`;
    case "switch":
      return `${target.field}:${target.value}`;
    default:
      return target satisfies never;
  }
}
