/** Every command that sends the service's key, a project for them, and a server that records who showed it a key. */

import { type IncomingHttpHeaders, createServer } from "node:http";
import { once } from "node:events";
import { stringify } from "yaml";
import { afterThisTest } from "./after-test.ts";
import { type TestProject, makeProject } from "./project.ts";
import { csv } from "./scenario.ts";
import { tinyPng } from "./tiny-media.ts";

export const KEY = "sk_0123456789_of_the_victim";

/** As people type them, with flags so that no command asks or stops before its first request. */
export const KEY_COMMANDS: readonly (readonly string[])[] = [
  ["plan"],
  ["apply", "--yes"],
  ["preview", "--out", "page.html"],
  ["status"],
  ["draft", "--yes"],
  ["pull"],
  ["posts", "list"],
  ["posts", "show", "post_1"],
  ["posts", "cancel", "post_1", "--yes"],
  ["media", "list"],
  ["media", "upload", "picture.png"],
  ["media", "prune"],
  ["platforms", "list"],
  ["platforms", "disconnect", "acc_1", "--yes"],
  ["ai", "text", "--prompt", "A spring sale", "--platform", "linkedin"],
  ["ai", "image", "--prompt", "A harbour", "--out", "harbour.png"],
  ["automations", "list"],
  ["automations", "trigger", "auto_1", "--input", "https://example.com/new", "--yes"],
  ["webhooks", "add", "--url", "https://example.com/hook", "--event", "post.published"],
  ["doctor"],
];

export interface Listener {
  /** Without a path. */
  readonly origin: string;
  /** The headers of each request, in order. */
  readonly requests: readonly IncomingHttpHeaders[];
  /** The values of all headers in which a key could be. */
  readonly credentials: () => string[];
  /** Answers every request with a redirect to this address, once it is set. */
  redirect: string | undefined;
}

export async function startListener(): Promise<Listener> {
  const requests: IncomingHttpHeaders[] = [];
  const listener: { redirect: string | undefined } = { redirect: undefined };
  const server = createServer((request, response) => {
    requests.push(request.headers);
    request.resume();
    if (listener.redirect !== undefined)
      return void response.writeHead(307, { location: listener.redirect }).end();
    response
      .writeHead(404, { "content-type": "application/json" })
      .end('{"error":{"code":"not_found","message":"no"}}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return Object.assign(listener, {
    origin: `http://127.0.0.1:${port}`,
    requests,
    credentials: () =>
      requests.flatMap(({ authorization, cookie, ...rest }) => [
        ...[authorization, cookie].filter((each) => each !== undefined),
        ...Object.values(rest)
          .filter((value) => String(value).includes(KEY))
          .map(String),
      ]),
  });
}

/** A project in which each command has something to request. */
export function keyProject(
  service: Readonly<Record<string, unknown>>,
  lockfileOrigin?: string,
): Promise<TestProject> {
  const lockfile = {
    version: 1,
    origin: lockfileOrigin,
    media: { ["0".repeat(64)]: { id: "media_1", type: "image", bytes: 3, path: "gone.png" } },
    posts: {
      old: {
        post_id: "post_1",
        fingerprint: "00",
        scheduled_at: "2026-01-01T08:00:00Z",
        file: "calendars/a.csv",
      },
    },
  };
  return makeProject({
    config: stringify({ timezone: "UTC", service }),
    files: {
      "calendars/a.csv": csv(
        ["id", "scheduled_at", "platforms", "content", "prompt", "status"],
        ["a", "2036-03-01T08:00:00Z", "linkedin", "Hello", "", ""],
        ["b", "2036-03-02T08:00:00Z", "linkedin", "", "Say hello", "draft"],
      ),
      "picture.png": tinyPng(),
      ...(lockfileOrigin === undefined
        ? {}
        : { "plancast.lock.json": `${JSON.stringify(lockfile, null, 2)}\n` }),
    },
  });
}
