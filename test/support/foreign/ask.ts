/** A client for the foreign service's own tests: as simple as possible, without any of plancast's code. */
import { request, type Dispatcher } from "undici";
import type { ForeignService } from "../foreign-service.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData["headers"];
  readonly text: string;
  /** The value of a JSON text; undefined for any other text. */
  readonly body: unknown;
}

export interface Question {
  /** Sent as JSON, unless it is a string, which is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Null: without a key. */
  readonly key?: string | null;
}

/** @param path with its query, without `/v1` */
export async function ask(
  service: Pick<ForeignService, "url" | "key">,
  method: Dispatcher.HttpMethod,
  path: string,
  { body, headers, key = service.key }: Question = {},
): Promise<Answer> {
  const response = await request(service.url + path, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    body: body === undefined || typeof body === "string" ? (body ?? null) : JSON.stringify(body),
  });
  const text = await response.body.text();
  return { status: response.statusCode, headers: response.headers, text, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A post that is accepted, as it is sent. */
export function draft(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    content: "Hello",
    platforms: ["twitter", "linkedin"],
    scheduled_at: "2099-03-01T08:00:00Z",
    media_ids: [],
    ...over,
  };
}

/** The id in a record of the documented shape. */
export function idIn({ body }: Answer): string {
  if (typeof body === "object" && body !== null && "id" in body && typeof body.id === "string")
    return body.id;
  throw new Error(`There is no id in ${JSON.stringify(body)}.`);
}
