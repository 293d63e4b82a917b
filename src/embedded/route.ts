import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Scope } from "./api-keys.ts";
import type { Random } from "./random-id.ts";
import type { Store } from "./store.ts";

/** What the endpoints work on. */
export interface Backend {
  readonly store: Store;
  /** Unix time, ms. */
  readonly now: () => number;
  readonly random: Random;
}

export type RequestContext = Context<{ Bindings: HttpBindings }>;

/** One endpoint. Its key must have the scope; with a store that is open for reading alone, only `read` ones work. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below /v1; `:id` stands for an identifier. */
  readonly path: string;
  readonly scope: Scope;
  /** Answers, or throws a ServiceError. */
  readonly handle: (context: RequestContext, backend: Backend) => Response | Promise<Response>;
}
