/** Writes a calendar as YAML, the front matter of a post's file, and settings. */

import { Document, Scalar, isMap, isScalar, isSeq, visit } from "yaml";
import { splitOption } from "../../../model/options/catalogue.ts";
import type { Cell } from "../../../model/row.ts";
import {
  type WriteOutput,
  type WrittenRow,
  headerOf,
  isKept,
  isOptionColumn,
  splitColumn,
  textFaults,
} from "../written-row.ts";

/**
 * Writes a list of posts. Texts of several lines become blocks. Text that YAML 1.1 or 1.2 would read as a number, a
 * time or a boolean is in quotes, so that other programs read the same text.
 */
export function writeYaml(rows: readonly WrittenRow[]): WriteOutput {
  const faults = textFaults(rows);
  if (faults.length > 0) return { faults };
  const document = documentOf(rows.map(toPost));
  const posts = document.contents;
  if (isSeq(posts)) for (const post of posts.items.slice(1)) if (isMap(post)) post.spaceBefore = true;
  return { contents: textOf(document) };
}

/** The keys and values of one post. */
export function yamlPost(row: WrittenRow): string {
  return textOf(documentOf(toPost(row)));
}

function documentOf(value: unknown, isInline: (item: unknown) => boolean = isShort): Document {
  const document = quoteInvisible(new Document(value, { compat: "yaml-1.1" }));
  visit(document, {
    Seq: (_key, list) => {
      if (list.items.every(isInline)) list.flow = true;
    },
  });
  return document;
}

function textOf(document: Document): string {
  return document.toString({ lineWidth: 0, blockQuote: "literal", flowCollectionPadding: false });
}

/** A list item that is short enough for one line. */
function isShort(item: unknown): boolean {
  return isScalar(item) && !String(item.value).includes("\n");
}

/** Lines of settings, each with a `\n` at its end. Only numbers are in one line. */
export function blockText(value: unknown): string {
  return textOf(documentOf(value, (item) => isScalar(item) && typeof item.value === "number"));
}

/** A value on one line. */
export function flowText(value: unknown): string {
  const document = quoteInvisible(new Document(value, { compat: "yaml-1.1" }));
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === "string" && scalar.value.includes("\n")) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  const oneLine = {
    lineWidth: 0,
    collectionStyle: "flow",
    doubleQuotedMinMultiLineLength: Infinity,
  } as const;
  return document.toString(oneLine).trimEnd();
}

type YamlPost = Map<string, Cell | Map<string, Map<string, Cell>>>;

function toPost(row: WrittenRow): YamlPost {
  const post: YamlPost = new Map();
  const options = new Map<string, Map<string, Cell>>();
  const variants = new Map<string, Map<string, Cell>>();
  for (const [column, cell] of row) {
    if (isKept(column)) {
      post.set(headerOf(column), cell);
      continue;
    }
    if (isOptionColumn(column)) {
      const { platform: network = "", option = "" } = splitOption(column) ?? {};
      options.set(network, (options.get(network) ?? new Map<string, Cell>()).set(option, cell));
      post.set("options", options);
      continue;
    }
    const { field, platform } = splitColumn(column);
    if (platform === undefined) post.set(field, cell);
    else variants.set(platform, (variants.get(platform) ?? new Map<string, Cell>()).set(field, cell));
  }
  if (variants.size > 0) post.set("variants", variants);
  return post;
}

/** Puts texts with invisible characters in quotes, where they are escaped. Returns the document. */
function quoteInvisible(document: Document): Document {
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === "string" && !isPlainText(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document;
}

/** Whether a text needs no quotes: invisible characters are escaped. */
export function isPlainText(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}\uFEFF\uFFFE\uFFFF]/u.test(text.replaceAll("\n", ""));
}
