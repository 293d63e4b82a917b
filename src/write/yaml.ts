import { Document, isMap, isScalar, isSeq, Scalar } from "yaml";
import { FIELDS } from "../calendar/row.ts";
import type { Written, WrittenRow } from "./format.ts";
import { textFaults } from "./table-cells.ts";

/**
 * Writes a list of posts. Texts of several lines stand as blocks; what YAML 1.1 or 1.2 would take for a number, a time
 * or a boolean stands in quotes, so that other programs read the same text.
 */
export function writeYaml(rows: readonly WrittenRow[]): Written {
  const faults = textFaults(rows);
  if (faults.length > 0) return { faults };
  const document = new Document(rows.map(inOrder), { compat: "yaml-1.1" });
  const posts = document.contents;
  if (isSeq(posts)) {
    for (const [index, post] of posts.items.entries()) {
      if (!isMap(post)) continue;
      if (index > 0) post.spaceBefore = true;
      for (const { value } of post.items) setStyle(value);
    }
  }
  return {
    contents: document.toString({ lineWidth: 0, blockQuote: "literal", flowCollectionPadding: false }),
  };
}

function inOrder(row: WrittenRow): WrittenRow {
  return Object.fromEntries(
    FIELDS.flatMap((field) => (row[field] === undefined ? [] : [[field, row[field]]])),
  );
}

function setStyle(value: unknown): void {
  if (isSeq(value)) value.flow = true;
  if (isScalar(value) && typeof value.value === "string" && !isPlainText(value.value))
    value.type = Scalar.QUOTE_DOUBLE;
}

/** Whether a text may stand as it is: characters that cannot be seen are escaped. */
function isPlainText(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}\uFEFF\uFFFE\uFFFF]/u.test(text.replaceAll("\n", ""));
}
