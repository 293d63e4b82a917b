/** The ways in which an answer leaves the server, or does not. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reply } from "./reply.ts";
import type { Victim } from "./strike.ts";

/** @param record gets the status of a complete answer  @param now ms, for the `Date` of answers */
export function deliveryOf(
  request: IncomingMessage,
  response: ServerResponse,
  record: { status: number | undefined },
  now: () => number,
): Pick<Victim, "send" | "sendAndDrop" | "drop"> {
  const writeHead = ({ status, headers, body }: Reply): void => {
    const length = status === 204 ? {} : { "content-length": Buffer.byteLength(body) };
    response.sendDate = false;
    response.writeHead(status, { date: new Date(now()).toUTCString(), ...headers, ...length });
  };
  return {
    send: (reply) => {
      record.status = reply.status;
      writeHead(reply);
      response.end(reply.body);
    },
    sendAndDrop: (reply, bytes) => {
      writeHead(reply);
      response.write(Buffer.from(reply.body).subarray(0, bytes), () => request.socket.destroy());
    },
    drop: () => request.socket.destroy(),
  };
}
