import type { Json } from "./records.ts";

/** What `service.shape` finds in an answer. What is absent is found as without a shape. */
export interface MappedAnswer {
  readonly items?: readonly unknown[];
  readonly record?: Json;
  /** What stands where the next page is told, what stands beside it, and the query parameter that a cursor is sent back as. */
  readonly next?: { readonly value: unknown; readonly beside: unknown; readonly as: string | undefined };
  readonly total?: unknown;
  /** What the shape names and the answer does not have. */
  readonly missing?: string;
}
