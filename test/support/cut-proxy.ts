/**
 * A TCP proxy before a server. It can be cut: connections end, and new ones are refused. Or it loses answers: the server
 * does what it is asked to, and the connection ends.
 */
import { type Socket, connect, createServer } from "node:net";

export interface CutProxy {
  readonly port: number;
  cut(): void;
  /** Loses the answers to the next requests that contain this text. */
  loseAnswers(text: string, times: number): void;
  close(): Promise<void>;
}

export async function startCutProxy(toPort: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let [lostText, losses] = ["", 0];
  const server = createServer((incoming) => {
    if (isCut) return void incoming.destroy();
    const outgoing = connect(toPort, "127.0.0.1");
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    incoming.on("data", (part) => {
      if (losses <= 0 || !part.includes(lostText)) return;
      losses -= 1;
      outgoing.unpipe(incoming);
      outgoing.once("data", () => incoming.destroy());
      outgoing.resume();
    });
    incoming.pipe(outgoing);
    outgoing.pipe(incoming);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    cut,
    loseAnswers(text, times) {
      [lostText, losses] = [text, times];
    },
    async close() {
      cut();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
