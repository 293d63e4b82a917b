import { describe, expect, it } from "vitest";
import { at, startTestService } from "../../support/embedded-service.ts";

describe("POST /v1/webhooks", () => {
  it("registers an address for events once", async () => {
    const service = await startTestService();
    const url = "https://example.com/hooks?token=a";
    const made = await service.call("POST", "/webhooks", {
      url,
      events: ["post.failed", "post.published", "post.failed"],
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^webhook_[0-9a-f]+$/),
      url,
      events: ["post.failed", "post.published"],
      created_at: "2027-01-01T00:00:00.000Z",
    });
  });

  it.each([
    ["url", { url: undefined }],
    ["url", { url: "example.com" }],
    ["url", { url: "ftp://example.com" }],
    ["url", { url: "https://" }],
    ["url", { url: "https://user:secret@example.com" }],
    ["url", { url: `https://example.com/${"x".repeat(2000)}` }],
    ["events", { events: [] }],
    ["events", { events: "post.failed" }],
    ["events[0]", { events: ["post.liked"] }],
    ["secret", { secret: "x" }],
  ])("refuses a wrong %s: %j", async (field, over) => {
    const service = await startTestService();
    const body = { url: "https://example.com/hooks", events: ["post.failed"], ...over };
    const answer = await service.call("POST", "/webhooks", body);
    expect([answer.status, at(answer.body, "error", "code")]).toEqual([422, "validation_error"]);
    expect(String(at(answer.body, "error", "message")).startsWith(`${field}: `)).toBe(true);
  });
});
