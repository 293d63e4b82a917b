/** A service with one key and one rate limit. It can only do what plancast needs to schedule posts. */
import { createServer } from "node:http";

/**
 * @param {{ perWindow: number, windowMs: number }} limit a window begins with the first request after the last one's end
 * @returns {Promise<{ url: string, windows: number[], refused: () => number, close: () => void }>} `windows`: the
 *   requests that were not refused, window by window
 */
export async function startSharedService({ perWindow, windowMs }) {
  /** @type {number[]} */
  const windows = [];
  /** @type {{ id: string }[]} */
  const posts = [];
  let resetAt = 0;
  let refused = 0;

  /** Counts a request; false when it is refused. */
  function take() {
    if (Date.now() >= resetAt) {
      resetAt = Date.now() + windowMs;
      windows.push(0);
    }
    const used = windows.at(-1) ?? 0;
    if (used >= perWindow) refused += 1;
    else windows[windows.length - 1] = used + 1;
    return used < perWindow;
  }

  const server = createServer((request, response) => {
    const isTaken = take();
    const seconds = String(Math.ceil((resetAt - Date.now()) / 1_000));
    const headers = {
      "content-type": "application/json",
      "x-ratelimit-limit": String(perWindow),
      "x-ratelimit-remaining": String(perWindow - (windows.at(-1) ?? 0)),
      "x-ratelimit-reset": seconds,
    };
    /** @type {Uint8Array[]} */
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const [status, body] = isTaken
        ? answer(request, Buffer.concat(parts).toString())
        : [429, refusal(seconds)];
      response.writeHead(status, headers).end(JSON.stringify(body));
    });
  });

  /** @param {import("node:http").IncomingMessage} request @param {string} text @returns {[number, unknown]} */
  function answer({ method, url }, text) {
    if (method !== "POST") {
      return [200, { data: url?.startsWith("/v1/posts") === true ? posts : [], next_cursor: null }];
    }
    const post = { id: `post_${posts.length}`, status: "scheduled", ...JSON.parse(text) };
    posts.push(post);
    return [201, post];
  }

  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    windows,
    refused: () => refused,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** @param {string} seconds */
function refusal(seconds) {
  return {
    error: { code: "rate_limit_exceeded", message: "Too many requests.", retry_after: Number(seconds) },
  };
}
