/** Reads and checks what comes in. A message names the field that is wrong. */
import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { ServiceError } from "./service-error.ts";

/** Largest JSON body, bytes. Media come as multipart and have a limit of their own. */
const MAX_JSON_BYTES = 1_048_576;

/** The JSON body, as the schema makes it. Throws validation_error, with status 413 when it is too large. */
export async function readJson<T>(incoming: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const type = (incoming.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw invalidField("Content-Type", "must be application/json");
  const encoding = incoming.headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") throw invalidField("Content-Encoding", "must not be set");
  return parseWith(parseJson(await readAll(incoming)), schema, "body");
}

/** The query of an address, as the schema makes it. Throws validation_error. */
export function parseQuery<T>(address: string, schema: z.ZodType<T>): T {
  const query = new Map<string, string>();
  for (const [name, value] of new URL(address).searchParams) {
    if (query.has(name)) throw invalidField(truncateName(name), "must be given once");
    query.set(name, value);
  }
  return parseWith(Object.fromEntries(query), schema, "query");
}

export function invalidField(field: string, message: string): ServiceError {
  return new ServiceError("validation_error", `${field}: ${message}.`);
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

function bodyTooLarge(): ServiceError {
  return new ServiceError("validation_error", `body: must not be larger than ${MAX_JSON_BYTES} bytes.`, {
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
    `is not known in the ${whole} of this request`,
  );
}

/** Longest name of a caller's own making that is told back to it, in UTF-16 units. */
const MAX_NAME_LENGTH = 100;

function truncateName(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}

/** A field as people write it: `media_ids[2]`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}
