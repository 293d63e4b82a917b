/** The public schema of Buffer, and what Buffer limits in a document. Source: developers.buffer.com/guides/api-limits. */
import { readFileSync } from "node:fs";
import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  TypeInfo,
  buildSchema,
  getNamedType,
  isLeafType,
  parse,
  validate,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { z } from "zod";

export const BUFFER_SCHEMA: GraphQLSchema = buildSchema(
  readFileSync(new URL("buffer.graphql", import.meta.url), "utf8"),
);

const MOST_ALIASES = 30;
const MOST_DEPTH = 25;
const MOST_TOKENS = 15_000;
const MOST_COST = 175_000;

/** A document that Buffer would run, or its errors. */
export function parsedDocument(
  query: string,
  mostAliases = MOST_ALIASES,
): DocumentNode | { readonly errors: readonly object[] } {
  try {
    const document = parse(query, { maxTokens: MOST_TOKENS });
    const invalid = validate(BUFFER_SCHEMA, document);
    if (invalid.length > 0)
      return {
        errors: invalid.map(({ message }) => ({
          message,
          extensions: { code: "GRAPHQL_VALIDATION_FAILED" },
        })),
      };
    const { aliases, depth, cost } = sizeOf(document);
    if (aliases > mostAliases) return { errors: [{ message: "Query exceeds maximum allowed aliases." }] };
    if (depth > MOST_DEPTH) return { errors: [{ message: "Query exceeds maximum allowed depth." }] };
    if (cost > MOST_COST)
      return {
        errors: [{ message: "Query exceeds maximum allowed complexity. Please simplify your query." }],
      };
    return document;
  } catch (error) {
    return { errors: [{ message: String(error), extensions: { code: "GRAPHQL_PARSE_FAILED" } }] };
  }
}

/** What Buffer limits: a scalar costs 1 and an object 2, and each level multiplies what is in it by 1.5. */
export function sizeOf(document: DocumentNode): {
  readonly aliases: number;
  readonly depth: number;
  readonly cost: number;
} {
  const fragments = new Map(
    document.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
    ),
  );
  let aliases = 0;
  visit(document, { Field: (field) => void (aliases += field.alias === undefined ? 0 : 1) });
  const info = new TypeInfo(BUFFER_SCHEMA);
  const leaves = new Set<unknown>();
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: (field) => void (isLeafType(getNamedType(info.getType())) && leaves.add(field)),
    }),
  );
  const measure = (
    node: { readonly selectionSet?: { readonly selections: readonly unknown[] } | undefined },
    level: number,
  ): { cost: number; depth: number } => {
    const inside = (node.selectionSet?.selections ?? []).map((selection) => {
      const each = selectionSchema.parse(selection);
      if (each.kind === "FragmentSpread") return measure(fragments.get(each.name?.value ?? "") ?? {}, level);
      if (each.kind === "InlineFragment") return measure(asNode(selection), level);
      const below = measure(asNode(selection), level + 1);
      const own = leaves.has(selection) ? 1 : 2;
      return { cost: own * 1.5 ** level + below.cost, depth: Math.max(level + 1, below.depth) };
    });
    return {
      cost: inside.reduce((sum, { cost }) => sum + cost, 0),
      depth: Math.max(level, ...inside.map(({ depth }) => depth)),
    };
  };
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const sizes = operations.map((each) => measure(asNode(each), 0));
  return {
    aliases,
    depth: Math.max(0, ...sizes.map(({ depth }) => depth)),
    cost: sizes.reduce((sum, { cost }) => sum + cost, 0),
  };
}

const selectionSchema = z.looseObject({
  kind: z.string(),
  name: z.looseObject({ value: z.string() }).optional(),
});

function asNode(node: unknown): {
  readonly selectionSet?: { readonly selections: readonly unknown[] } | undefined;
} {
  return typeof node === "object" && node !== null ? node : {};
}
