/** Every request gets an answer of a broken or hostile service, then runs go on until one ends with 0. */
import { expect, test } from "vitest";
import { LONG_MS } from "../../chaos/effort.ts";
import type { Fault } from "../../support/foreign/faults.ts";
import { SERVICES, faultAt, requestsOfRun } from "./fault-scenario.ts";

const ESCAPE = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\r\n::error::";

/** `KEY` is the service's key. */
const BODIES: readonly (readonly [status: number, body: string])[] = [
  ...[
    "null",
    "[]",
    "{}",
    '"text"',
    "1e400",
    '{"__proto__":{"posts":[]},"posts":{}}',
    "[[".repeat(200_000),
  ].map((body) => [200, body] as const),
  [200, JSON.stringify({ error: { code: "unauthorized", message: `KEY ${ESCAPE}` } })],
  [
    200,
    JSON.stringify({
      posts: [{ _id: ESCAPE, id: "../../x", status: ESCAPE, publishDate: "KEY", state: 7, group: "" }],
      pagination: { page: 1e9, pages: 1e9, total: 1e9 },
      accounts: [{ _id: "", platform: ESCAPE }],
      post: { _id: 12, status: "KEY" },
      id: "KEY#KEY",
      path: `https://example.com/${ESCAPE}.png`,
      uploadUrl: "https://169.254.169.254/latest/KEY",
      publicUrl: `https://example.com/${ESCAPE}.png`,
    }),
  ],
  [200, `{"posts":[${'{"id":"a"},'.repeat(300_000)}{}]}`],
  ...[400, 401, 402, 403, 404, 409, 418, 422, 429, 500, 503].map(
    (status) =>
      [
        status,
        JSON.stringify({
          statusCode: status,
          error: `KEY ${ESCAPE}`,
          message: [`KEY ${ESCAPE}`],
          msg: `KEY ${ESCAPE}`,
          code: ESCAPE,
          details: { existingPostId: "KEY", retryAfter: -1 },
        }),
      ] as const,
  ),
];

const FAULTS = (key: string): readonly Fault[] =>
  BODIES.flatMap(([status, body]): Fault[] => {
    const answer = { status, body: body.replaceAll("KEY", key) };
    return [
      { kind: "answer-before", answer },
      { kind: "answer-after", answer },
    ];
  });

/** One of this many; a prime. */
const ONE_IN = 7;

test.each(SERVICES)("%s: no hostile answer causes harm", { timeout: LONG_MS }, async (_name, start) => {
  const requests = await requestsOfRun(start);
  const wrong: string[] = [];
  let turn = 0;
  for (let n = 1; n <= requests; n += 1) {
    for (let index = 0; index < BODIES.length * 2; index += 1) {
      turn += 1;
      if (turn % ONE_IN !== 0) continue;
      const what = await faultAt(n, (key) => FAULTS(key)[index] ?? "empty-body", start);
      if (what !== undefined) wrong.push(`answer ${index} at request ${n}: ${what}`);
    }
  }
  expect(wrong).toEqual([]);
});
