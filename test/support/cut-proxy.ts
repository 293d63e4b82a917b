/** A TCP proxy before a server that can behave like a broken network between the two. */
import { type Socket, connect, createServer } from "node:net";

export interface CutProxy {
  readonly port: number;
  /** Connections end, and new ones are refused. */
  cut(): void;
  /** Nothing arrives on either side, and neither side learns it. New connections get no answer. */
  hold(): void;
  /** What the server says is lost, and what it gets arrives: it commits, and nobody learns it. */
  mute(): void;
  /** From then on, everything passes again. What was held arrives late; connections with a loss end. */
  heal(): void;
  close(): Promise<void>;
}

export async function startCutProxy(toPort: number): Promise<CutProxy> {
  const pairs = new Set<{ readonly incoming: Socket; readonly outgoing: Socket }>();
  let state: "open" | "cut" | "held" | "muted" = "open";
  const server = createServer((incoming) => {
    if (state === "cut") return void incoming.destroy();
    const outgoing = connect(toPort, "127.0.0.1");
    const pair = { incoming, outgoing };
    pairs.add(pair);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
    incoming.on("data", (data) => void outgoing.write(data));
    outgoing.on("data", (data) => state !== "muted" && incoming.write(data));
    if (state === "held") incoming.pause();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  const end = (): void => {
    for (const { incoming, outgoing } of pairs) for (const each of [incoming, outgoing]) each.destroy();
  };
  const cut = (): void => {
    state = "cut";
    end();
  };
  return {
    port: address.port,
    cut,
    hold() {
      state = "held";
      for (const { incoming, outgoing } of pairs) for (const each of [incoming, outgoing]) each.pause();
    },
    mute() {
      state = "muted";
    },
    heal() {
      if (state === "muted") end();
      state = "open";
      for (const { incoming, outgoing } of pairs) for (const each of [incoming, outgoing]) each.resume();
    },
    async close() {
      cut();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
