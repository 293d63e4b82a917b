import { PLAIN_FAULTS, type Fault } from "../support/foreign/faults.ts";

/** What is tried at every request. */
export const ALL_FAULTS: readonly Fault[] = [
  ...PLAIN_FAULTS,
  { kind: "rate-limited", retryAfter: 1 },
  { kind: "rate-limited", retryAfter: 59 },
  { kind: "refused", code: "validation_error" },
  { kind: "refused", code: "not_found" },
  { kind: "refused", code: "forbidden" },
  { kind: "refused", code: "platform_error" },
  { kind: "stale-list", writesAgo: 1 },
  { kind: "stale-list", writesAgo: 4 },
  { kind: "short-list", items: 0 },
  { kind: "short-list", items: 5 },
  { kind: "slow-before", ms: 400 },
  { kind: "slow-after", ms: 400 },
  { kind: "redirect", to: "http://127.0.0.1:9" },
  { kind: "redirect", to: "", status: 303 },
  { kind: "down-before", forMs: 50 },
  { kind: "down-after", forMs: 50 },
  {
    kind: "answer-before",
    answer: { status: 200, body: "<html>Sign in to the network</html>", type: "text/html" },
  },
  { kind: "answer-before", answer: { status: 503, body: "", type: "text/plain" } },
  { kind: "answer-before", answer: { status: 302, body: "", type: "text/plain" } },
];

/** Whether the fault makes a list wrong. */
export function isLyingList(fault: Fault): boolean {
  return typeof fault === "object" && (fault.kind === "stale-list" || fault.kind === "short-list");
}
