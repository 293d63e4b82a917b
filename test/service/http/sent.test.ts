/** Whether a request without an answer was certainly not sent. */
import { expect, test } from "vitest";
import { openConnections, sendOnce } from "../../../src/service/http/request.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { startStandIn } from "../../support/networks/stand-in.ts";

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
