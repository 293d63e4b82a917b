/** A real HTTP server on this machine that serves media, also with faults. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterThisTest } from "./after-test.ts";
import { tinyPng } from "./tiny-media.ts";

type Route = (response: ServerResponse, request: IncomingMessage) => void;

export interface MediaHost {
  readonly port: number;
  /** `http://127.0.0.1:PORT`, without a slash. */
  readonly origin: string;
  readonly url: (path: string) => string;
  /** The requests, in order. */
  readonly asked: IncomingMessage[];
  /** Serves a path, or changes its answer. */
  serve(path: string, route: Route | Uint8Array): void;
  close(): Promise<void>;
}

const PNG = Buffer.from(tinyPng());

function moved(to: string): Route {
  return (response) => response.writeHead(302, { location: to }).end("moved");
}

/** Answers that are too short, never end, or contain something else. */
const ROUTES: Readonly<Record<string, Route>> = {
  "/page": (response) =>
    response.writeHead(200, { "content-type": "image/png" }).end("<!DOCTYPE html><title>Log in</title>"),
  "/text": (response) => response.writeHead(200, { "content-type": "image/png" }).end("just words"),
  "/empty": (response) => response.writeHead(200).end(),
  "/forbidden": (response) => response.writeHead(403).end("no"),
  "/broken": (response) => response.writeHead(500).end("no"),
  "/part": (response) => response.writeHead(206).end(PNG),
  "/said-same": (response) => response.writeHead(304).end(),
  "/nothing": (response) => response.writeHead(204).end(),
  "/silent": () => undefined,
  "/hang-up": (response) => response.destroy(),
  "/garbage": (response) => response.socket?.end("no HTTP at all\r\n\r\n"),
  "/drip": (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("."), 5);
    response.once("close", () => clearInterval(timer));
  },
  "/endless": (response) => {
    response.writeHead(200);
    const more = (): void => {
      while (response.write(Buffer.alloc(65_536, 1)));
    };
    response.on("drain", more);
    more();
  },
  "/says-too-much": (response) => {
    response.writeHead(200, { "content-length": String(PNG.byteLength + 10) });
    response.write(PNG, () => response.destroy());
  },
  "/says-huge": (response) => response.writeHead(200, { "content-length": "999999999999" }).write("x"),
  "/cut-chunks": (response) => {
    response.writeHead(200, { "transfer-encoding": "chunked" });
    response.write(PNG, () => response.destroy());
  },
  "/gzip": (response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(10_000_000))),
  "/loop": moved("/loop"),
  "/hop1": moved("/hop2"),
  "/hop2": moved("ok.png"),
  "/six": moved("/five"),
  "/five": moved("/four"),
  "/four": moved("/three"),
  "/three": moved("/hop1"),
  "/nowhere": (response) => response.writeHead(302).end(),
  "/to-file": moved("file:///etc/passwd"),
  "/to-data": moved("data:image/png;base64,AAAA"),
  "/to-metadata": moved("http://169.254.169.254/latest/meta-data/?token=s3cret"),
  "/to-localhost": moved("http://localhost:9/x.png"),
  "/to-octal": moved("http://0177.0.0.1:9/x.png"),
  "/to-mapped": moved("http://[::ffff:127.0.0.1]:9/x.png"),
  "/to-user": moved("http://me:s3cret@127.0.0.1:9/x.png"),
};

export async function startMediaHost(): Promise<MediaHost> {
  const routes = new Map<string, Route>(Object.entries(ROUTES));
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    const route = routes.get((request.url ?? "").replace(/\?.*$/, ""));
    if (route === undefined) response.writeHead(404).end("gone");
    else route(response, request);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = addressOf(server);
  const host: MediaHost = {
    port,
    origin: `http://127.0.0.1:${port}`,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    asked,
    serve: (path, route) =>
      void routes.set(
        path,
        route instanceof Uint8Array
          ? (response) => response.writeHead(200, { "content-length": String(route.byteLength) }).end(route)
          : route,
      ),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
  host.serve("/ok.png", PNG);
  afterThisTest(() => host.close());
  return host;
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server does not listen");
  return address;
}
