/**
 * A server on loopback for tests of one service's published interface: sockets, faults, the key, and a record of all
 * requests. What it answers is a function. It shares no code with plancast, because it judges plancast.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { deliveryOf } from "../foreign/delivery.ts";
import { Faults, type Fault } from "../foreign/faults.ts";
import { Listener } from "../foreign/listener.ts";
import { type Body, readBody } from "../foreign/read-upload.ts";
import type { Reply } from "../foreign/reply.ts";
import { DOCUMENTED } from "../foreign/shape.ts";
import { strikeOf, type Victim } from "../foreign/strike.ts";

/** A request with its whole body. */
export interface ContractRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

interface ContractRecord {
  readonly n: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** As it came. */
  readonly authorization: string | undefined;
  readonly fault: Fault | undefined;
  status: number | undefined;
}

export interface ContractServer {
  readonly origin: string;
  readonly faults: Faults;
  readonly requests: readonly ContractRecord[];
  /** Whether a fault revoked the key. */
  isRevoked(): boolean;
  isBusy(): boolean;
  whenQuiet(): Promise<void>;
  close(): Promise<void>;
}

/** @param answer handles a request, and has its effect  @param now ms, for the `Date` of answers */
export async function startContractServer(
  answer: (request: ContractRequest, server: { readonly isRevoked: boolean }) => Reply,
  now: () => number,
): Promise<ContractServer> {
  const listener = await Listener.open(0);
  const faults = new Faults();
  const requests: ContractRecord[] = [];
  let isRevoked = false;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", listener.origin);
    const info = {
      n: requests.length + 1,
      method: request.method ?? "",
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
    };
    const record: ContractRecord = {
      ...info,
      authorization: request.headers.authorization,
      fault: faults.next(info),
      status: undefined,
    };
    requests.push(record);
    response.on("error", () => undefined);
    const victim: Victim = {
      shape: DOCUMENTED,
      target: request.url ?? "/",
      signed: (reply) => reply,
      refusing: () => ({}),
      ...deliveryOf(request, response, record, now),
      goDown: (forMs) => listener.goDownFor(forMs),
      revokeKey: () => (isRevoked = true),
      sleep: (ms) => listener.sleep(ms),
    };
    const strike = strikeOf(record.fault, victim);
    if (strike.atHead !== undefined) return strike.atHead();
    const body = await readBody(request);
    if (body === undefined) return;
    await strike.before?.();
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const { method, path } = info;
    const asked = { method, path, query: url.searchParams, headers, body };
    const own = strike.instead?.() ?? answer(asked, { isRevoked });
    await strike.after?.();
    const reply = strike.rewrite?.(own) ?? own;
    if (strike.deliver === undefined) victim.send(reply);
    else strike.deliver(reply);
  }

  listener.answerWith(serve);
  return {
    origin: listener.origin,
    faults,
    requests,
    isRevoked: () => isRevoked,
    isBusy: () => listener.isBusy,
    whenQuiet: () => listener.whenQuiet(),
    close: () => listener.close(),
  };
}

/** The JSON of a body; undefined if it is none. */
export function jsonOf(body: Body): unknown {
  if (body.kind !== "text") return undefined;
  try {
    return JSON.parse(body.text);
  } catch {
    return undefined;
  }
}
