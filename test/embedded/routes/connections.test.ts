import { describe, expect, it } from "vitest";
import { type TestService, at, draft, startTestService } from "../../support/embedded-service.ts";

async function platforms(service: TestService): Promise<unknown[]> {
  const data = at((await service.call("GET", "/platforms")).body, "data");
  return Array.isArray(data) ? data : [];
}

it("lists the connected accounts", async () => {
  const service = await startTestService();
  const list = await platforms(service);
  const names = list.map((account) => at(account, "platform"));
  expect(names).toEqual(
    "twitter linkedin instagram facebook threads bluesky mastodon tiktok youtube pinterest".split(" "),
  );
  expect(list[0]).toEqual({
    id: "account_twitter",
    platform: "twitter",
    name: "Twitter (embedded)",
    connected: true,
  });
});

it("disconnects an account permanently, and then refuses posts for it", async () => {
  const service = await startTestService();
  const gone = await service.call("DELETE", "/platforms/account_twitter");
  expect(gone.status).toBe(200);
  expect(gone.body).toMatchObject({ platform: "twitter", connected: false });
  expect(await platforms(service)).toHaveLength(9);
  expect((await service.call("DELETE", "/platforms/account_twitter")).status).toBe(404);
  expect((await service.call("DELETE", "/platforms/account_none")).status).toBe(404);
  const refused = await service.call("POST", "/posts", draft());
  expect(at(refused.body, "error", "message")).toContain("platforms[0]");
  await service.close();
  const again = await startTestService({ folder: service.folder });
  expect(await platforms(again)).toHaveLength(9);
});

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
