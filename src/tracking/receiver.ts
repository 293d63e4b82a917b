/**
 * The HTTP side of `plancast listen`: one secret address that accepts only events. An event is on the disk before it is
 * answered. Deliveries are not signed, but only the service knows the path, and others learn nothing.
 */

import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { isSameSecret } from "../service/http/key.ts";
import { readRegular, writeAtomic } from "../disk/files.ts";
import type { Place } from "../disk/place.ts";
import type { StateFolder } from "../disk/state-folder.ts";
import { Failure, errorCode, reasonOf } from "../model/failure.ts";
import { type ReceivedEvent, receivedEnvelope } from "../model/service-interface.ts";
import { notWritable } from "../sync/state/project-state.ts";

/** Largest body of an event, in bytes. */
const MAX_BYTES = 65_536;
const MAX_HEADER_BYTES = 8_192;
/** Longest time for a request, in ms. */
const REQUEST_MS = 10_000;
/** Connections at the same time. */
const MAX_CONNECTIONS = 100;
/** How long open requests may take after the receiver starts to close, in ms. */
const GRACE_MS = 2_000;

interface ReceiverOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The one path that takes events. */
  readonly path: string;
  /** Resolves when the event is on the disk. */
  readonly take: (event: ReceivedEvent) => Promise<void>;
  /** Called for refused requests to the right path, and for events that could not be saved. */
  readonly onTrouble: (what: string) => void;
}

interface Receiver {
  /** The address with the path. */
  readonly url: string;
  /** Resolves when no request is open. */
  close(): Promise<void>;
}

/** Resolves when events are accepted. Throws a Failure if the address is not available. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const server = createServer(
    {
      requestTimeout: REQUEST_MS,
      headersTimeout: REQUEST_MS,
      connectionsCheckingInterval: REQUEST_MS / 2,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    (incoming, outgoing) => void answer(incoming, outgoing, options),
  );
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, options);
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  return { url: `http://${host}:${port}${options.path}`, close: () => close(server) };
}

/** Never rejects: the receiver survives any input. */
async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { path, take, onTrouble }: ReceiverOptions,
): Promise<void> {
  const refuse = (status: number, why: string): void => {
    onTrouble(why);
    endResponse(incoming, outgoing, status);
  };
  outgoing.on("error", () => undefined);
  if (!isSameSecret(incoming.url ?? "", path)) return endResponse(incoming, outgoing, 404);
  if (incoming.method !== "POST") return endResponse(incoming, outgoing, 405);
  const body = await readBody(incoming);
  if (body === "gone") return;
  if (body === "too large") return refuse(413, `more than ${MAX_BYTES} bytes`);
  const read = receivedEnvelope.safeParse(parseBody(body));
  if (!read.success) {
    const [issue] = read.error.issues;
    return refuse(400, `${issue?.path.join(".") || "body"}: ${issue?.message ?? "no event"}`);
  }
  try {
    await take(read.data);
    endResponse(incoming, outgoing, 204);
  } catch (error) {
    // It was not saved, so the service must send it again.
    refuse(503, `not saved: ${reasonOf(error)}`);
  }
}

/** The answer has no body, because a sender of events needs only the status. */
function endResponse(incoming: IncomingMessage, outgoing: ServerResponse, status: number): void {
  // An open connection would have to read the rest of the request.
  outgoing.writeHead(status, incoming.complete ? {} : { connection: "close" }).end();
}

function readBody(incoming: IncomingMessage): Promise<Buffer | "too large" | "gone"> {
  if (Number(incoming.headers["content-length"] ?? 0) > MAX_BYTES) return Promise.resolve("too large");
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) resolve("too large");
      else chunks.push(chunk);
    });
    incoming.once("end", () => resolve(Buffer.concat(chunks)));
    incoming.once("error", () => resolve("gone"));
    incoming.once("close", () => resolve("gone"));
  });
}

function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function listen(server: Server, { host, port }: ReceiverOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new Failure(
          "run/port",
          `plancast cannot receive events at ${host}:${port}: ${reasonOf(error)}`,
          "Choose another port with --port, or another address of this machine with --host.",
          { cause: error },
        ),
      ),
    );
    server.listen(port, host, () => resolve(portOf(server.address())));
  });
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}

const SECRET_BYTES = 32;

const fileSchema = z.object({ path: z.string().regex(/^\/events\/[\w-]{43}$/) });

/** The project's path, such as `/events/…`: created at the first call, and stored so that only its user can read it. */
export async function secretPath(state: StateFolder, random: (bytes: number) => Uint8Array): Promise<string> {
  const file = state.in("listen.json");
  const kept = await readPath(file);
  if (kept !== undefined) return kept;
  const path = `/events/${Buffer.from(random(SECRET_BYTES)).toString("base64url")}`;
  try {
    await writeAtomic(file, `${JSON.stringify({ path })}\n`, { mode: 0o600 });
  } catch (error) {
    throw notWritable(error);
  }
  return path;
}

/** Undefined if there is none. An unreadable file is not replaced, because its address is already registered. */
async function readPath(file: Place): Promise<string | undefined> {
  try {
    return fileSchema.parse(JSON.parse((await readRegular(file)).toString("utf8"))).path;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new Failure(
      "disk/state-invalid",
      `plancast cannot use ${file.path}, which contains the secret path for events.`,
      "Fix its permissions or restore it. Or remove it, start again, and register the new address.",
      { cause: error },
    );
  }
}
