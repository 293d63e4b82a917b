/**
 * A service that takes posts and media under a limit: fixed windows, each begun by its first request. Runs in a process of its
 * own; sends its address when it listens, and for each message what it has seen.
 *
 *   fork("bench/limited-service.js", [JSON.stringify({ limit, windowMs, unit })])
 */
import { createServer } from "node:http";

const { limit, windowMs, unit } = JSON.parse(process.argv[2] ?? "{}");
/** @type {{ agent: string, at: number, accepted: boolean }[]} */
const seen = [];
/** @type {Record<string, unknown>[]} */
const posts = [];
const window = { resetAt: 0, used: 0 };

const server = createServer((request, response) => void handle(request, response));

/** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
async function handle(request, response) {
  const isJson = request.headers["content-type"] === "application/json";
  const parts = [];
  // It does not keep uploads. Otherwise, its own memory would grow.
  for await (const part of request) if (isJson) parts.push(part);
  const agent = (request.headers["user-agent"] ?? "").split("/")[0] ?? "";
  const at = Date.now();
  if (at >= window.resetAt) Object.assign(window, { resetAt: at + windowMs, used: 0 });
  const accepted = window.used < limit;
  if (accepted) window.used += 1;
  seen.push({ agent, at, accepted });
  const head = { "content-type": "application/json", ...rateHeaders(at) };
  if (!accepted) {
    const retryAfter = Math.ceil((window.resetAt - at) / 1_000);
    const error = { code: "rate_limit_exceeded", message: "Too many requests.", retry_after: retryAfter };
    response.writeHead(429, { ...head, "retry-after": String(retryAfter) });
    response.end(JSON.stringify({ error }));
    return;
  }
  response.writeHead(request.method === "POST" ? 201 : 200, head);
  response.end(JSON.stringify(answer(request, Buffer.concat(parts).toString("utf8"))));
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {string} body
 */
function answer({ method, url }, body) {
  if (method !== "POST") return { data: url?.startsWith("/v1/posts") === true ? posts : [], has_more: false };
  if (url === "/v1/media") return { id: "media_1", type: "video" };
  const post = { id: `post_${posts.length + 1}`, status: "scheduled", ...JSON.parse(body) };
  posts.push(post);
  return post;
}

/** @param {number} now */
function rateHeaders(now) {
  const value = {
    seconds: (window.resetAt - now) / 1_000,
    epoch: window.resetAt / 1_000,
    "epoch-ms": window.resetAt,
  };
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(limit - window.used),
    "x-ratelimit-reset": String(Math.ceil(new Map(Object.entries(value)).get(unit) ?? 0)),
  };
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.send?.(`http://127.0.0.1:${address?.port}/v1`);
});
process.on("message", () => process.send?.(seen));
process.on("disconnect", () => process.exit());
