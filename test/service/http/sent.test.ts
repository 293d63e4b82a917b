/** Whether a request without a final answer was certainly not sent, or has certainly changed nothing. */
import { expect, test } from "vitest";
import { OriginKey, parseAddress } from "../../../src/service/http/key.ts";
import { openConnections, sendOnce } from "../../../src/service/http/request.ts";
import { type Call, Transport } from "../../../src/service/http/transport.ts";
import { Limiter } from "../../../src/service/rate/limiter.ts";
import { systemClock } from "../../../src/service/system-clock.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { type StandInAnswer, startStandIn } from "../../support/networks/stand-in.ts";

test("a request that waited for a free connection counts as sent once the server has got it", async () => {
  const server = await startStandIn(() => ({ json: {} }));
  server.watch = (request, moment) =>
    request.endsWith("/lost") && moment === "handled" ? "lost-answer" : undefined;
  const dispatcher = openConnections(2);
  afterThisTest(() => dispatcher.destroy());
  const send = (path: string) =>
    sendOnce(
      { method: "POST", url: server.origin + path, headers: {}, body: "{}", timeoutMs: 20_000 },
      dispatcher,
    );
  const paths = ["/1", "/2", "/3", "/lost", "/lost", "/lost", "/lost"];
  const results = await Promise.all(paths.map(send));
  expect(server.requests).toEqual(paths.map((path) => `POST ${path}`));
  const [answer, lost] = [{ kind: "answer" }, { kind: "fault", sent: true }];
  expect(results).toMatchObject([answer, answer, answer, lost, lost, lost, lost]);
});

/** Requests to a server with only one answer. */
async function transportTo(answer: StandInAnswer, stop: AbortSignal, onWait = (): void => {}) {
  const { origin } = await startStandIn(() => answer);
  const dispatcher = openConnections();
  afterThisTest(() => dispatcher.destroy());
  const common = { clock: systemClock, stop, random: Math.random, onWait };
  return new Transport({
    ...common,
    dispatcher,
    limiter: new Limiter({ ...common, fallbackLimit: 30, reserve: () => 0 }),
    address: parseAddress(origin),
    key: OriginKey.confirmed(origin, "key", "script"),
    timeoutMs: 20_000,
    userAgent: "test",
    onRequest: () => undefined,
  });
}

test.each<[string, Pick<Call, "method" | "notAfter">, string]>([
  ["a cancel", { method: "DELETE" }, "unknown"],
  ["an update", { method: "PUT" }, "unknown"],
  ["a post with a latest time", { method: "POST", notAfter: Infinity }, "unknown"],
  ["an upload", { method: "POST" }, "unsent"],
  ["a list", { method: "GET" }, "unsent"],
])(
  "the result of %s, if the run is stopped after a 500 and before it is sent again",
  async (_what, given, kind) => {
    const stopping = new AbortController();
    const answer = { status: 500, json: {} };
    const transport = await transportTo(answer, stopping.signal, () => stopping.abort());
    const call = { path: "/posts", repeat: "repeatable", priority: 1, ...given } as const;
    expect(await transport.call(call)).toMatchObject({ kind });
  },
);

test.each(["http://api.example.com/v1", "https://api.example.com:8443/v1", "https://example.com/v1"])(
  "no request to another origin gets the key: %s",
  (address) => {
    const key = OriginKey.confirmed("https://api.example.com", "key", "script");
    expect(key.authorization(new URL("https://api.example.com/v1"))).toBe("Bearer key");
    expect(() => key.authorization(new URL(address))).toThrow("The key is not for");
  },
);

test.each<[string, Record<string, string>, boolean]>([
  ["an answer shows the clock of the service", {}, true],
  ["an answer of a cache does not", { age: "600" }, false],
])("the Date of %s", async (_what, headers, isShown) => {
  const date = new Date(Date.now() - 600_000).toUTCString();
  const answer = { json: {}, headers: { date, ...headers } };
  const transport = await transportTo(answer, new AbortController().signal);
  await transport.call({ method: "GET", path: "/posts", repeat: "repeatable", priority: 1 });
  expect(transport.clockAheadMs !== undefined && transport.clockAheadMs < -500_000).toBe(isShown);
});
