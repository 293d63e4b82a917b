/** An endpoint: what comes in, what goes out, and the work between. One definition checks, answers and describes. */
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { z } from "zod";
import type { Scope } from "./api-keys.ts";
import type { Random } from "./random-id.ts";
import { parseQuery, readJson } from "./request-body.ts";
import type { ErrorCode } from "../calendar/error-codes.ts";
import type { Store } from "./store.ts";
import type { Timeline } from "./timeline.ts";

/** What the endpoints work on. */
export interface Backend {
  readonly store: Store;
  /** Unix time as the service goes by it, ms. */
  readonly now: () => number;
  readonly random: Random;
  /** What is made to fail; can be changed while the service runs. */
  readonly failures: Set<string>;
  /** Whether time goes on by itself. */
  readonly runs: boolean;
  /** Address of this service without a path, for what is told to others than the caller. */
  readonly origin: () => string;
  readonly timeline: Timeline;
}

export type RequestContext = Context<{ Bindings: HttpBindings }>;

/** A request that has been found to be as its endpoint says. */
interface CheckedRequest<Query, Body> {
  /** What stands for `:id` in the path; empty where nothing does. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  readonly context: RequestContext;
}

/** Of an endpoint without a query: whatever stands there is refused. */
export const noQuery = z.strictObject({});

/** Of an endpoint without a body: none is looked at. */
export const noBody = z.undefined();

/** Of an endpoint whose body is a multipart form with one file, which its work receives by itself. */
export const fileForm = z.undefined();

/** What is said of an endpoint, to whoever asks and at /openapi.json. */
export interface EndpointDescription {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below /v1, or what else it is mounted at; `:id` stands for an identifier. */
  readonly path: string;
  /** Of the key; with a store that is open for reading alone, only `read` ones work. */
  readonly scope: Scope;
  /** Name of the operation, for generated clients. */
  readonly operation: string;
  readonly summary: string;
  readonly query: z.ZodType;
  readonly body: z.ZodType;
  /** Of success; 200 unless said. */
  readonly status?: 200 | 201;
  /** Of success; `file` for the bytes of a media item. */
  readonly answer: z.ZodType | "file";
  /** Besides those that every endpoint of its kind may answer. */
  readonly errors?: readonly ErrorCode[];
}

interface Endpoint<Query, Body, Answer> extends EndpointDescription {
  readonly query: z.ZodType<Query>;
  readonly body: z.ZodType<Body>;
  readonly answer: z.ZodType<Answer> | "file";
  /** Gives the answer's body, or a whole answer; throws a ServiceError to refuse. */
  readonly handle: (
    asked: CheckedRequest<Query, Body>,
    backend: Backend,
  ) => Answer | Response | Promise<Answer | Response>;
}

export interface Route extends EndpointDescription {
  /** Answers, or throws a ServiceError. */
  readonly respond: (context: RequestContext, backend: Backend) => Promise<Response>;
}

/** Keeps an endpoint's types together, and puts the checks before its work. */
export function endpoint<Query, Body, Answer>(given: Endpoint<Query, Body, Answer>): Route {
  const { handle, ...described } = given;
  return {
    ...described,
    async respond(context, backend) {
      const id = context.req.param("id") ?? "";
      const query = parseQuery(context.req.url, given.query);
      const body = await readBody(context, given.body);
      const answer = await handle({ id, query, body, context }, backend);
      return answer instanceof Response ? answer : Response.json(answer, { status: given.status ?? 200 });
    },
  };
}

async function readBody<T>({ env }: RequestContext, schema: z.ZodType<T>): Promise<T> {
  return hasJsonBody(schema) ? await readJson(env.incoming, schema) : schema.parse(undefined);
}

export function hasJsonBody(body: z.ZodType): boolean {
  return body !== noBody && body !== fileForm;
}

/** Address of this service without a path, as the caller reached it: the port changes from run to run. */
export function originOf({ env }: RequestContext): string {
  const { localAddress, localPort } = env.incoming.socket;
  return `http://${localAddress}:${localPort}`;
}

/** Address of this service, with /v1, as the caller reached it. */
export function serviceUrl(context: RequestContext): string {
  return `${originOf(context)}/v1`;
}
