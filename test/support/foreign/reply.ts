/** An answer before it is sent. */
import type { ErrorCode, Shape } from "./shape.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(value),
  };
}

export function emptyReply(status: 200 | 204): Reply {
  return { status, headers: {}, body: "" };
}

export function htmlReply(status: number, title: string): Reply {
  const body = `<!doctype html>\n<html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>\n`;
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body };
}

/** A refusal. @param retryAfter whole seconds */
export function errorReply(
  code: ErrorCode,
  message: string,
  shape: Shape,
  { status = shape.errorStatus[code], retryAfter }: { status?: number; retryAfter?: number } = {},
): Reply {
  const tells = (where: "body" | "header"): boolean =>
    retryAfter !== undefined && (shape.retryAfter === where || shape.retryAfter === "both");
  const headers = tells("header") ? { "retry-after": String(retryAfter) } : {};
  if (shape.htmlErrors) {
    const page = htmlReply(status, code.replaceAll("_", " "));
    return { ...page, headers: { ...page.headers, ...headers } };
  }
  const error = { code, message, ...(tells("body") && { retry_after: retryAfter }) };
  return jsonReply(status, { error }, headers);
}
