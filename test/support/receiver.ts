/** A server that receives events, as a client of the service has one. */
import { createServer } from "node:http";
import { onTestFinished } from "vitest";

export interface Receiver {
  readonly url: string;
  /** The received bodies, in order. */
  readonly received: unknown[];
  /** The answers to the next requests; `silence` for none, `hang up` to close the connection. 204 when it is empty. */
  readonly answers: (number | "silence" | "hang up")[];
  /** Runs before each answer. */
  before: () => Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const receiver = {
    url: "",
    received: [] as unknown[],
    answers: [] as Receiver["answers"],
    before: async () => {},
  };
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      receiver.received.push(JSON.parse(Buffer.concat(chunks).toString("utf8")));
      const answer = receiver.answers.shift() ?? 204;
      if (answer === "silence") return;
      if (answer === "hang up") {
        incoming.socket.destroy();
        return;
      }
      void receiver.before().then(() => outgoing.writeHead(answer, { location: "/other" }).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  receiver.url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/hook`;
  return receiver;
}
