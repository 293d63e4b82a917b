/** The base of all stand-ins for networks: a real HTTP server. Its answers can get lost. */
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterThisTest } from "../after-test.ts";

/** What happens to a request: it never arrives, its answer is lost, or it gets this status. */
type Fault = "lost-request" | "lost-answer" | number;

export interface StandInRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface StandInAnswer {
  readonly status?: number;
  readonly json?: unknown;
  /** Instead of JSON. */
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

export interface StandIn {
  readonly origin: string;
  /** Every request that arrived, as `METHOD /path`. */
  readonly requests: string[];
  /** What happens to the next requests of a path, in order; undefined for nothing. */
  readonly faults: Map<string, (Fault | undefined)[]>;
  /** Called for each request before and after it is handled. A fault from it happens. */
  watch: (request: string, moment: "arrived" | "handled") => Fault | undefined;
  /** How long each answer takes, in ms. */
  delayMs: number;
}

export async function startStandIn(handle: (request: StandInRequest) => StandInAnswer): Promise<StandIn> {
  const standIn: StandIn & { origin: string } = {
    origin: "",
    requests: [],
    faults: new Map(),
    watch: () => undefined,
    delayMs: 0,
  };
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) if (chunk instanceof Buffer) chunks.push(chunk);
    const url = new URL(incoming.url ?? "/", standIn.origin);
    const name = `${incoming.method} ${url.pathname}`;
    standIn.requests.push(name);
    const fault = standIn.faults.get(url.pathname)?.shift() ?? standIn.watch(name, "arrived");
    if (fault === "lost-request") {
      incoming.socket.destroy();
      return;
    }
    if (typeof fault === "number") {
      outgoing.writeHead(fault, { "content-type": "application/json" }).end('{"error":"on purpose"}');
      return;
    }
    if (standIn.delayMs > 0) await wait(standIn.delayMs);
    const { method = "GET", headers } = incoming;
    const answer = handle({ method, url, headers, body: Buffer.concat(chunks) });
    if (fault === "lost-answer" || standIn.watch(name, "handled") === "lost-answer") {
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
    outgoing.end(answer.text ?? (answer.json === undefined ? "" : JSON.stringify(answer.json)));
  };
  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  standIn.origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return standIn;
}
