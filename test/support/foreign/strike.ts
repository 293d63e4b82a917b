/** What a fault does at each stage of a request. */
import type { Fault, FaultAnswer, PLAIN_FAULTS } from "./faults.ts";
import type { ListView } from "./lists.ts";
import { emptyReply, errorReply, htmlReply, jsonReply, type Reply } from "./reply.ts";
import type { Shape } from "./shape.ts";

/** What a fault needs of the service. */
export interface Victim {
  readonly shape: Shape;
  /** Path and query of the request. */
  readonly target: string;
  /** Adds the headers that every answer of the service itself carries. */
  signed(reply: Reply): Reply;
  /** The rate-limit headers of a refusal, `retryAfter` in seconds. */
  refusing(retryAfter: number): Record<string, string>;
  send(reply: Reply): void;
  /** Sends an answer's head, which promises the whole body, and the body's first bytes; destroys the connection. */
  sendAndDrop(reply: Reply, bytes: number): void;
  drop(): void;
  goDown(forMs: number): void;
  revokeKey(): unknown;
  sleep(ms: number): Promise<void>;
}

/** The stages of a request, in order. Stages that are missing here continue as usual. */
export interface Strike {
  /** Ends the request as soon as its head is there. */
  readonly atHead?: () => void;
  /** Runs when the body is there too. */
  readonly before?: () => void | Promise<void>;
  /** Answers without handling. */
  readonly instead?: () => Reply;
  readonly view?: Partial<ListView>;
  readonly after?: () => void | Promise<void>;
  /** Changes the service's answer. */
  readonly rewrite?: (reply: Reply) => Reply;
  /** Runs instead of sending the answer. */
  readonly deliver?: (reply: Reply) => void;
}

type PlainFault = (typeof PLAIN_FAULTS)[number];

const nothing = (): void => undefined;
const badGateway = (): Reply => htmlReply(502, "Bad Gateway");

function crash(victim: Victim): Reply {
  const error = { code: "internal_error", message: "The service has a fault." };
  return victim.signed(jsonReply(500, { error }));
}

const PLAIN: Readonly<Record<PlainFault, (victim: Victim) => Strike>> = {
  "drop-before": (victim) => ({ atHead: () => victim.drop() }),
  "drop-after": (victim) => ({ deliver: () => victim.drop() }),
  "cut-answer": (victim) => ({ deliver: (reply) => victim.sendAndDrop(reply, halfOf(reply).byteLength) }),
  "hang-before": () => ({ instead: () => emptyReply(200), deliver: nothing }),
  "hang-after": () => ({ deliver: nothing }),
  "status-500-before": (victim) => ({ instead: () => crash(victim) }),
  "status-500-after": (victim) => ({ rewrite: () => crash(victim) }),
  "html-502-before": () => ({ instead: badGateway }),
  "html-502-after": () => ({ rewrite: badGateway }),
  "truncated-json": () => ({ rewrite: (reply) => ({ ...reply, body: halfOf(reply).toString("utf8") }) }),
  "not-json": (victim) => ({
    rewrite: () =>
      victim.signed({ status: 200, headers: { "content-type": "application/json" }, body: "OK, done." }),
  }),
  "empty-body": (victim) => ({ rewrite: () => victim.signed(emptyReply(200)) }),
  "rate-limited-bare": () => ({ instead: () => ({ status: 429, headers: {}, body: "" }) }),
  "early-413": (victim) => ({
    atHead: () => victim.sendAndDrop(victim.signed(tooLarge(victim)), Infinity),
  }),
  "unauthorized-from-now-on": (victim) => ({ before: () => void victim.revokeKey() }),
};

function tooLarge({ shape }: Victim): Reply {
  return errorReply("validation_error", "The request is too large.", shape, { status: 413 });
}

/** Half a body, which is never a complete JSON value. For an empty body, the beginning of an object. */
function halfOf({ body }: Reply): Buffer {
  const bytes = Buffer.from(body === "" ? "{}" : body);
  return bytes.subarray(0, Math.floor(bytes.byteLength / 2));
}

export function strikeOf(fault: Fault | undefined, victim: Victim): Strike {
  if (fault === undefined) return {};
  if (typeof fault === "string") return PLAIN[fault](victim);
  switch (fault.kind) {
    case "rate-limited":
      return { instead: () => rateLimited(fault.retryAfter, victim) };
    case "refused":
      return { instead: () => refused(fault, victim) };
    case "stale-list":
      return { view: { writesAgo: fault.writesAgo } };
    case "short-list":
      return { view: { items: fault.items } };
    case "slow-before":
      return { before: () => victim.sleep(fault.ms) };
    case "slow-after":
      return { after: () => victim.sleep(fault.ms) };
    case "redirect":
      return { instead: () => redirect(fault.to + victim.target, fault.status ?? 307) };
    case "down-before":
      return { atHead: () => victim.goDown(fault.forMs) };
    case "down-after":
      return { deliver: () => victim.goDown(fault.forMs) };
    case "answer-before":
      return { instead: () => anyAnswer(fault.answer) };
    case "answer-after":
      return { rewrite: () => anyAnswer(fault.answer) };
    case "run-before":
      return { before: fault.run };
    case "run-after":
      return { after: fault.run };
  }
}

function rateLimited(retryAfter: number, victim: Victim): Reply {
  const reply = errorReply("rate_limit_exceeded", "Too many requests.", victim.shape, { retryAfter });
  return { ...reply, headers: { ...reply.headers, ...victim.refusing(retryAfter) } };
}

function refused(fault: Extract<Fault, { kind: "refused" }>, victim: Victim): Reply {
  const status = fault.status ?? victim.shape.errorStatus[fault.code];
  return victim.signed(errorReply(fault.code, "Refused on command.", victim.shape, { status }));
}

function redirect(location: string, status: number): Reply {
  return { status, headers: { location }, body: "" };
}

function anyAnswer({ status, body, type = "application/json" }: FaultAnswer): Reply {
  return { status, headers: { "content-type": type }, body };
}
