import { expect, test } from "vitest";
import type { Wait } from "../../../src/model/clock.ts";
import { waitText } from "../../../src/report/outcomes/progress.ts";

const wait = { requests: 12, until: Date.parse("2030-01-01T11:00:10Z"), ms: 38_000 } as const;

test.each<[Wait, string]>([
  [{ ...wait, why: "limit" }, "12 requests, for the service's rate limit"],
  [{ ...wait, why: "others" }, "12 requests, for other users of the same key"],
  [{ ...wait, why: "told" }, "12 requests, as the service asked"],
  [{ ...wait, requests: 1, why: "refused" }, "1 request, because the service's rate limit refused one"],
  [
    { ...wait, requests: 1, why: "trouble", reason: "HTTP 502\u001B[2J" },
    String.raw`1 request, to be sent again; HTTP 502\u{1b}[2J`,
  ],
])("shows what the run waits for, and until when in the project's zone: $why", (given, expected) => {
  expect(waitText(given, "Europe/Paris")).toBe(`Waiting until 12:00:10 (38 seconds): ${expected}`);
});

test("a short wait is shown in seconds, and a long wait in minutes", () => {
  const until = Date.parse("2030-01-01T11:00:00Z");
  expect(waitText({ ...wait, until, ms: 1_000, why: "limit" }, "UTC")).toContain("until 11:00:00 (1 second)");
  expect(waitText({ ...wait, until, ms: 600_000, why: "limit" }, "UTC")).toContain(
    "until 11:00 (10 minutes)",
  );
});
