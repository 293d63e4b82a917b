/** Servers of networks, and receivers of webhooks, that answer to do harm. */

import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Network } from "../../src/networks/network.ts";
import { afterThisTest } from "../support/after-test.ts";
import { attempt, networkPost, open, picture } from "../support/networks/open.ts";

type Answer = (response: ServerResponse, request: IncomingMessage, elsewhere: string) => void;

const SECRET = "s3cret-t0ken-0123456789";

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server: Server = createServer(handle);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

function json(body: unknown, status = 200): Answer {
  return (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function redirect(status: number, to: (elsewhere: string) => string): Answer {
  return (response, _request, elsewhere) => response.writeHead(status, { location: to(elsewhere) }).end();
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  "an endless body": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = (): void => {
      while (response.write(Buffer.alloc(65_536, " ")));
    };
    response.on("drain", more);
    more();
  },
  "a body that drips": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 20);
    response.once("close", () => clearInterval(timer));
  },
  "a head that drips": ({ socket }) => {
    socket?.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket?.write("x-more: 1\r\n"), 20);
    socket?.once("close", () => clearInterval(timer));
  },
  "headers of 10 MB": ({ socket }) =>
    socket?.end(`HTTP/1.1 200 OK\r\n${`x-more: ${"a".repeat(8_000)}\r\n`.repeat(1_250)}\r\n{}`),
  "a bomb of gzip": (response) =>
    response
      .writeHead(200, { "content-encoding": "gzip", "content-type": "application/json" })
      .end(gzipSync(Buffer.alloc(300_000_000, " "))),
  "a redirect to another origin": redirect(307, (elsewhere) => `${elsewhere}/steal`),
  "a redirect that changes to GET": redirect(302, (elsewhere) => `${elsewhere}/steal`),
  "a redirect to metadata": redirect(308, () => "http://169.254.169.254/latest/meta-data/"),
  "a redirect to itself": redirect(307, () => "/again"),
  "a wait of a year": (response) => response.writeHead(429, { "retry-after": "31536000" }).end("{}"),
  "a limit that ends in the year 9999": (response) =>
    response
      .writeHead(429, {
        "ratelimit-limit": "1",
        "ratelimit-remaining": "0",
        "ratelimit-reset": "253402300799",
      })
      .end("{}"),
  "no HTTP": ({ socket }) => socket?.end("\u001b[2Jhello\r\n\r\n"),
  "informational answers without end": ({ socket }) => {
    const timer = setInterval(() => socket?.write("HTTP/1.1 103 Early Hints\r\n\r\n"), 20);
    socket?.once("close", () => clearInterval(timer));
  },
  "another protocol": ({ socket }) =>
    socket?.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n"),
  "its own request": (response, { headers, url }) =>
    response
      .writeHead(400, { "content-type": "application/json" })
      .end(JSON.stringify({ error: "Bad", message: `${url} ${JSON.stringify(headers)} ${SECRET}` })),
  "a message of 5 MB with escapes": json(
    { error: "x", message: "\u001b]0;pwned\u0007".repeat(500_000) },
    400,
  ),
  "a number": json(7),
  null: json(null),
  "deep lists": (response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(`${"[".repeat(500_000)}${"]".repeat(500_000)}`),
  "a prototype": (response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end('{"__proto__":{"url":"https://evil.example","did":"x"},"constructor":{"prototype":{"a":1}}}'),
};

const NETWORKS: Readonly<Record<string, (server: string) => object>> = {
  bluesky: (server) => ({ network: "bluesky", handle: "garden.test", password_env: "P", server }),
  mastodon: (server) => ({ network: "mastodon", server, token_env: "T" }),
  webhook: () => ({ network: "webhook", url_env: "W" }),
  "webhook that may resend": () => ({ network: "webhook", url_env: "W", resend: true }),
};

function account(name: string, server: string): Network {
  const secret = name.startsWith("webhook") ? `${server}/hook/${SECRET}` : SECRET;
  return open(NETWORKS[name]?.(server) ?? {}, secret, { timeoutMs: 400 });
}

const CASES = Object.keys(NETWORKS).flatMap((network) =>
  Object.keys(ANSWERS).map((answer): readonly [string, string] => [network, answer]),
);

describe("a server ends an attempt, and gets nothing else", () => {
  test.concurrent.each(CASES)("%s: %s", async (name, answer) => {
    const stolen: string[] = [];
    const elsewhere = await listen((request, response) => {
      stolen.push(`${request.url}`);
      response.end("{}");
    });
    let requests = 0;
    const server = await listen((request, response) => {
      requests += 1;
      ANSWERS[answer]?.(response, request, elsewhere);
    });
    const network = account(name, server);
    const post = networkPost({ content: "Hello @alice.test", media: [picture(1)] });
    const result = await network.publish(post, attempt());
    expect(stolen).toEqual([]);
    // After a refusal by the rate limit, a request is repeated for some minutes.
    expect(requests).toBeLessThan(60);
    expect(JSON.stringify(result)).not.toContain(SECRET);
    expect("reason" in result ? result.reason.length : 0).toBeLessThanOrEqual(4_000);
    if (!name.startsWith("webhook")) expect(result.state).not.toBe("published");
  });
});
