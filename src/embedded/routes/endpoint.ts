/**
 * Defines endpoints. One definition reads and checks the request, answers, and describes itself at /openapi.json. This
 * file also has what endpoints share: refusals, addresses, bodies, queries and pages.
 */

import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { z } from "zod";
import { Failure } from "../../model/failure.ts";
import type { ErrorCode } from "../../model/service-interface.ts";
import type { ServiceState } from "../publishing/post-state.ts";
import { indexOf } from "../store/store-index.ts";
import type { Kind, ListQuery, Records, Store } from "../store/store.ts";
import type { Timeline } from "../publishing/timeline.ts";
import type { Scope } from "./api-keys.ts";
import type { PageQuery } from "./schemas.ts";

// Refusals, in the form that the interface defines for all errors (section 7).

/** The interface names no HTTP statuses, so these are the usual statuses. */
export const ERROR_STATUS = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  validation_error: 422,
  rate_limit_exceeded: 429,
  platform_error: 502,
} as const satisfies Record<ErrorCode, number>;

type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode] | 400 | 405 | 413 | 431 | 500;

export class EndpointError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  /** Whole seconds until another attempt may succeed. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, more: { status?: ErrorStatus; retryAfter?: number } = {}) {
    super(message);
    this.name = "ServiceError";
    this.code = code;
    this.status = more.status ?? ERROR_STATUS[code];
    this.retryAfter = more.retryAfter;
  }

  /** The JSON body of the answer. */
  body(): { error: { code: ErrorCode; message: string; retry_after?: number } } {
    const { code, message, retryAfter } = this;
    return { error: { code, message, ...(retryAfter === undefined ? {} : { retry_after: retryAfter }) } };
  }
}

/** The answer for an error: a refusal as it is; for a fault, nothing about its cause. */
export function toServiceError(error: unknown): EndpointError {
  if (error instanceof EndpointError) return error;
  if (error instanceof Failure && error.code === "store/moved")
    return new EndpointError("platform_error", `${error.message} ${error.hint}`, { status: 500 });
  return new EndpointError(
    "platform_error",
    "The embedded service failed. Check whether its disk is full or its folder was removed, then try again.",
    { status: 500 },
  );
}

/** What the endpoints work with. */
export interface Backend extends ServiceState {
  readonly timeline: Timeline;
}

export type RequestContext = Context<{ Bindings: HttpBindings }>;

/** A request that its endpoint has checked. */
interface CheckedRequest<Query, Body> {
  /** The value of `:id` in the path; empty if there is none. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  readonly context: RequestContext;
}

/** For an endpoint without a query: any parameter is refused. */
const NO_QUERY = z.strictObject({});

/** The description of an endpoint, for /openapi.json. */
export interface EndpointDescription {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below /v1, or another base; `:id` is an identifier. */
  readonly path: string;
  /** Scope of the key. With a store that is open only for reading, only `read` endpoints work. */
  readonly scope: Scope;
  /** Name of the operation, for generated clients. */
  readonly operation: string;
  readonly summary: string;
  readonly query?: z.ZodType;
  /** JSON, or `file` for a multipart form with one file, which the work receives. Otherwise, a body is ignored. */
  readonly body?: z.ZodType | "file";
  /** Status for success. Default: 200. */
  readonly status?: 200 | 201;
  /** The body of a successful answer; `file` for the bytes of a media item. */
  readonly answer: z.ZodType | "file";
  /** In addition to the refusals that all endpoints of its kind may send. */
  readonly errors?: readonly ErrorCode[];
}

interface Endpoint<Query, Body, Answer> extends EndpointDescription {
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body> | "file";
  readonly answer: z.ZodType<Answer> | "file";
  /** Returns the answer's body, or a whole answer; throws a ServiceError to refuse. */
  readonly handle: (
    asked: CheckedRequest<Query, Body>,
    backend: Backend,
  ) => Answer | Response | Promise<Answer | Response>;
}

export interface Route extends EndpointDescription {
  /** Answers, or throws a ServiceError. */
  readonly respond: (context: RequestContext, backend: Backend) => Promise<Response>;
}

/** Connects an endpoint's types, and runs the checks before its work. */
export function endpoint<Answer, Query = undefined, Body = undefined>(
  given: Endpoint<Query, Body, Answer>,
): Route {
  const { handle, ...described } = given;
  return {
    ...described,
    async respond(context, backend) {
      const id = context.req.param("id") ?? "";
      // Without definitions, the request has neither.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const query = parseQuery<unknown>(context.req.url, given.query ?? NO_QUERY) as Query;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const body = (await readBody(context, given.body)) as Body;
      const answer = await handle({ id, query, body, context }, backend);
      return answer instanceof Response ? answer : Response.json(answer, { status: given.status ?? 200 });
    },
  };
}

async function readBody({ env }: RequestContext, body: EndpointDescription["body"]): Promise<unknown> {
  return body === undefined || body === "file" ? undefined : readJson(env.incoming, body);
}

/** Address of this service without a path, as the client reached it, because the port changes from run to run. */
export function originOf({ env }: RequestContext): string {
  const { localAddress, localPort } = env.incoming.socket;
  return `http://${localAddress}:${localPort}`;
}

/** Address of this service, with /v1, as the client reached it. */
export function serviceUrl(context: RequestContext): string {
  return `${originOf(context)}/v1`;
}

/** Largest JSON body, in bytes. Media are sent as multipart and have a limit of their own. */
const MAX_JSON_BYTES = 1_048_576;

/** The JSON body, parsed by the schema. Throws validation_error, with status 413 if it is too large. */
async function readJson<T>(incoming: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const type = (incoming.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw invalidField("Content-Type", "must be application/json");
  const encoding = incoming.headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") throw invalidField("Content-Encoding", "must not be set");
  return parseWith(parseJson(await readAll(incoming)), schema, "body");
}

/** The query of an address, parsed by the schema. Throws validation_error. */
export function parseQuery<T>(address: string, schema: z.ZodType<T>): T {
  const query = new Map<string, string>();
  for (const [name, value] of new URL(address).searchParams) {
    if (query.has(name)) throw invalidField(truncateName(name), "must appear exactly once");
    query.set(name, value);
  }
  return parseWith(Object.fromEntries(query), schema, "query");
}

export function invalidField(field: string, message: string): EndpointError {
  return new EndpointError("validation_error", `${field}: ${message}.`);
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (Number(incoming.headers["content-length"] ?? 0) > MAX_JSON_BYTES) throw bodyTooLarge();
  return new Promise((resolve, reject) => {
    incoming.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_JSON_BYTES) chunks.push(chunk);
      else reject(bodyTooLarge());
    });
    incoming.once("end", () => resolve(Buffer.concat(chunks)));
    incoming.once("error", () => reject(invalidField("body", "ended too early")));
  });
}

function bodyTooLarge(): EndpointError {
  return new EndpointError("validation_error", `body: must not be larger than ${MAX_JSON_BYTES} bytes.`, {
    status: 413,
  });
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalidField("body", "must be JSON in UTF-8");
  }
}

function parseWith<T>(value: unknown, schema: z.ZodType<T>, whole: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  if (issue?.code !== "unrecognized_keys") {
    throw invalidField(fieldName(path) || whole, issue?.message ?? "is not valid");
  }
  const [unknown = ""] = issue.keys;
  throw invalidField(
    truncateName(fieldName([...path, unknown])),
    `is not allowed in the ${whole} of this request`,
  );
}

/** Longest name from a client that an error repeats, in UTF-16 units. */
const MAX_NAME_LENGTH = 100;

function truncateName(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}

/** A field's path as people write it: `media_ids[2]`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}

/** Larger limits are lowered to this one, and `next_cursor` shows that there is more. */
const MAX_PAGE_SIZE = 1000;

interface Page<T> {
  readonly data: T[];
  /** Sent back as `cursor`; null at the end of the list. */
  readonly next_cursor: string | null;
}

/**
 * The page after `cursor`. A cursor contains the last item's sort key, not a count, so that posts that are added or
 * removed between two pages cause neither repeats nor gaps. `items` are sorted by `sortKey`, which is unique and sorts
 * as text.
 */
export function pageOf<T>(items: readonly T[], sortKey: (item: T) => string, query: PageQuery): Page<T> {
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  const rest = after === undefined ? items : items.filter((item) => sortKey(item) > after);
  return cut(rest, sortKey, query);
}

/**
 * Like `pageOf`, for the records of a store.
 * @param shown a record as answers show it; undefined for one that does not belong to the list
 */
export async function pageOfStore<K extends Kind, T>(
  store: Store,
  kind: K,
  { status, ...query }: PageQuery & Pick<ListQuery, "status">,
  shown: (record: Records[K]) => T | undefined,
): Promise<Page<T>> {
  const found: { readonly place: string; readonly item: T }[] = [];
  let after = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  // One more than fits shows whether the list goes on.
  const wanted = Math.min(query.limit, MAX_PAGE_SIZE) + 1;
  while (found.length < wanted) {
    const records = await store.list(kind, { status, after, limit: wanted });
    for (const record of records) {
      const item = shown(record);
      after = indexOf(kind, record).place;
      if (item !== undefined && found.length < wanted) found.push({ place: after, item });
    }
    if (records.length < wanted) break;
  }
  const { data, next_cursor } = cut(found, ({ place }) => place, query);
  return { data: data.map(({ item }) => item), next_cursor };
}

function cut<T>(rest: readonly T[], sortKey: (item: T) => string, { limit }: PageQuery): Page<T> {
  const data = rest.slice(0, Math.min(limit, MAX_PAGE_SIZE));
  const last = data.at(-1);
  const isWhole = last === undefined || data.length === rest.length;
  return { data, next_cursor: isWhole ? null : Buffer.from(sortKey(last)).toString("base64url") };
}

function decodeCursor(cursor: string): string {
  const sortKey = Buffer.from(cursor, "base64url").toString("utf8");
  // Decoding skips invalid parts. Encoding the result again shows whether anything was skipped.
  if (sortKey === "" || Buffer.from(sortKey).toString("base64url") !== cursor) {
    throw new EndpointError("validation_error", "cursor: must be a next_cursor that this service gave.");
  }
  return sortKey;
}
