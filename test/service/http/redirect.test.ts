import { expect, test } from "vitest";
import { redirectTarget } from "../../../src/service/http/transport.ts";
import { csv, startScenario } from "../../support/scenario.ts";

const FROM = new URL("https://api.example.com/v1/posts?limit=10");

function target(method: string, location: string, status = 307): string | undefined {
  const answer = { kind: "answer", status, headers: { location }, text: "" } as const;
  return redirectTarget(method, FROM, answer)?.href;
}

test.each([
  "https://evil.example/v1/posts",
  "http://api.example.com/v1/posts",
  "https://api.example.com:8443/v1/posts",
  "https://api.example.com.evil.example/v1/posts",
  "//evil.example/v1/posts",
])("a redirect to another origin ends the run, so that it never gets the key: %s", (location) => {
  expect(() => target("GET", location)).toThrow(expect.objectContaining({ code: "service/redirect" }));
});

test.each([
  ["GET", 302, "/v1/other", "https://api.example.com/v1/other"],
  ["GET", 301, "https://api.example.com:443/v1/other", "https://api.example.com/v1/other"],
  ["POST", 307, "/v1/other", "https://api.example.com/v1/other"],
  ["POST", 308, "/v1/other", "https://api.example.com/v1/other"],
  // The service may have handled the request before it answered.
  ["POST", 302, "/v1/other", undefined],
  ["GET", 200, "/v1/other", undefined],
  ["GET", 302, "https://[", undefined],
])("%s answered with %i and the location %s goes on to %s", (method, status, location, expected) => {
  expect(target(method, location, status)).toBe(expected);
});

const CALENDAR = csv(["scheduled_at", "platforms", "content"], ["2036-03-01 10:00", "linkedin", "Hello"]);

test.each([
  [3, 0],
  [4, 1],
])("follows at most three redirects: after %i, a plan ends with %i", async (redirects, exit) => {
  const { service, run } = await startScenario({ files: { "calendars/a.csv": CALENDAR } });
  service.faults.plan(({ n }) => (n <= redirects ? { kind: "redirect", to: service.origin } : undefined));
  const { code, stderr } = await run("plan");
  expect({ code, says: stderr.includes("in a circle") }).toEqual({ code: exit, says: exit !== 0 });
});
