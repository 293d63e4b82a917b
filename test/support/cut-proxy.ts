/** A TCP proxy before a server, which can be cut: connections end, and new ones are refused. */
import { type Socket, connect, createServer } from "node:net";

export interface CutProxy {
  readonly port: number;
  cut(): void;
  close(): Promise<void>;
}

export async function startCutProxy(toPort: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
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
    async close() {
      cut();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
