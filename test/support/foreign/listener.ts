/** The server's socket side: open, down, back on the same port, closed. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const HOST = "127.0.0.1";

export class Listener {
  readonly origin: string;
  readonly #server: Server;
  readonly #port: number;
  readonly #sockets: Set<Socket>;
  readonly #closed = new AbortController();
  #working = 0;
  /** Resolves when the last `goDown` has finished. */
  #down: Promise<void> = Promise.resolve();

  private constructor(server: Server, port: number, sockets: Set<Socket>) {
    this.#server = server;
    this.#port = port;
    this.#sockets = sockets;
    this.origin = `http://${HOST}:${port}`;
  }

  static async open(port: number): Promise<Listener> {
    const server = createServer();
    const sockets = new Set<Socket>();
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    server.listen(port, HOST);
    await once(server, "listening");
    return new Listener(server, portOf(server.address()), sockets);
  }

  /** Call it once, before the first request. */
  answerWith(answer: Answer): void {
    this.#server.on("request", (request, response) => {
      this.#working += 1;
      // A fault in this server must fail the test run, not look like one of the faults that tests ask for.
      void answer(request, response).finally(() => (this.#working -= 1));
    });
  }

  /** Whether the service is handling a request. */
  get isBusy(): boolean {
    return this.#working > 0;
  }

  /** Resolves when the server has stopped listening and all connections are closed. */
  goDown(): Promise<void> {
    if (!this.#server.listening) return this.#down;
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#down = closed.then(() => undefined);
    return this.#down;
  }

  async comeBack(): Promise<void> {
    await this.#down;
    if (this.#server.listening || this.#closed.signal.aborted) return;
    this.#server.listen(this.#port, HOST);
    await once(this.#server, "listening");
  }

  goDownFor(ms: number): void {
    void this.goDown()
      .then(() => this.sleep(ms))
      .then(() => this.comeBack());
  }

  /** Never resolves once the listener is closed. */
  sleep(ms: number): Promise<void> {
    const never = new Promise<void>(() => undefined);
    return wait(ms, undefined, { signal: this.#closed.signal }).catch(() => never);
  }

  async whenQuiet(): Promise<void> {
    while (this.#working > 0 || this.#sockets.size > 0) await wait(2);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.goDown();
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return address.port;
}
