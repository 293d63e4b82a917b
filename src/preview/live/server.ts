/**
 * The preview's page on this machine: the page, its data, its pictures, and an event when there is something new. Only
 * for browsers that were pointed here: a name that leads here from elsewhere (DNS rebinding) is refused.
 */

import { createReadStream } from "node:fs";
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  createServer,
} from "node:http";
import { pipeline } from "node:stream";
import { Failure, reasonOf } from "../../model/failure.ts";

const HOST = "127.0.0.1";

/** A file that the page may ask for. */
export interface ServedFile {
  /** Absolute. */
  readonly path: string;
  readonly mime: string;
}

export interface PageContent {
  /** The page as HTML, with the newest data in it. */
  readonly page: () => string;
  /** The newest data as JSON. */
  readonly data: () => string;
  /** A picture by the SHA-256 of its bytes; undefined for any other. */
  readonly picture: (sha256: string) => ServedFile | undefined;
  /** The page's policy for its browser. */
  readonly policy: string;
}

export interface PageServer {
  readonly url: string;
  /** Tells all pages that there is something new. */
  notify(): void;
  close(): Promise<void>;
}

/** Where the page gets a picture. */
export function pictureAddress(sha256: string): string {
  return `/media/${sha256}`;
}

/** @param port 0 for any that is free. Throws a Failure where it cannot listen. */
export async function startPageServer(content: PageContent, port: number): Promise<PageServer> {
  const followers = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, portOf(server));
    if (refusal !== undefined) answer(response, refusal.status, "text/plain; charset=utf-8", refusal.text);
    else serve(request, response, content, followers);
  });
  await listen(server, port);
  return {
    url: `http://${HOST}:${portOf(server)}/`,
    notify() {
      for (const each of followers) each.write("event: change\ndata: \n\n");
    },
    async close() {
      for (const each of followers) each.end();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function refusalOf(
  { headers, method }: IncomingMessage,
  port: number,
): { readonly status: number; readonly text: string } | undefined {
  if (headers.host !== `${HOST}:${port}` && headers.host !== `localhost:${port}`)
    return { status: 421, text: `This is plancast preview; open http://${HOST}:${port}/ instead.\n` };
  if (method !== "GET" && method !== "HEAD")
    return { status: 405, text: "There is nothing to change here.\n" };
  return undefined;
}

function serve(
  { url = "/", method }: IncomingMessage,
  response: ServerResponse,
  content: PageContent,
  followers: Set<ServerResponse>,
): void {
  const path = url.split("?", 1)[0] ?? "/";
  const picture = content.picture(path.startsWith("/media/") ? path.slice("/media/".length) : "");
  if (path === "/") {
    const policy = `${content.policy}; frame-ancestors 'none'`;
    answer(response, 200, "text/html; charset=utf-8", content.page(), { "content-security-policy": policy });
  } else if (path === "/data") answer(response, 200, "application/json", content.data());
  else if (path === "/events" && method === "GET") streamEvents(response, followers);
  else if (picture !== undefined) sendFile(response, picture, method === "HEAD");
  else answer(response, 404, "text/plain; charset=utf-8", "There is nothing here.\n");
}

function headersOf(type: string): OutgoingHttpHeaders {
  return {
    "content-type": type,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    // No page of another origin gets anything from here, not even a picture.
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
  };
}

function answer(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { ...headersOf(type), ...headers });
  response.end(body);
}

function streamEvents(response: ServerResponse, followers: Set<ServerResponse>): void {
  response.writeHead(200, headersOf("text/event-stream"));
  response.write("retry: 1000\n\n");
  followers.add(response);
  response.once("close", () => followers.delete(response));
}

function sendFile(response: ServerResponse, { path, mime }: ServedFile, isHead: boolean): void {
  const file = createReadStream(path);
  file.once("open", () => {
    response.writeHead(200, headersOf(mime));
    if (isHead) {
      file.destroy();
      response.end();
    } else pipeline(file, response, () => {});
  });
  file.once("error", () => {
    // It has gone since the page was made.
    if (!response.headersSent) answer(response, 404, "text/plain; charset=utf-8", "The file is gone.\n");
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const message = `The preview cannot be served at ${HOST}:${port}: ${reasonOf(error)}`;
      reject(
        new Failure(
          "preview/address",
          message,
          "Name another port with --port, or none for any that is free.",
        ),
      );
    });
    server.listen(port, HOST, () => resolve());
  });
}
