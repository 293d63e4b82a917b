import { expect, it } from "vitest";
import { type TestService, at, draft, startTestService } from "../../support/embedded-service.ts";

async function trigger(service: TestService, id: string, input: string): Promise<unknown> {
  const answer = await service.call("POST", `/automations/${id}/trigger`, { input }, "write");
  expect(answer.status).toBe(200);
  return answer.body;
}

it("lists the automations", async () => {
  const service = await startTestService();
  const list = await service.call("GET", "/automations?limit=1", undefined, "read");
  expect(at(list.body, "data", 0)).toEqual({
    id: "automation_count_posts",
    name: "Count of posts",
    description: expect.any(String),
  });
  const next = String(at(list.body, "next_cursor"));
  const rest = await service.call("GET", `/automations?cursor=${next}`, undefined, "read");
  expect([
    at(rest.body, "data", 0, "id"),
    at(rest.body, "data", 1, "id"),
    at(rest.body, "next_cursor"),
  ]).toEqual(["automation_picture_from_text", "automation_text_from_link", null]);
});

it("writes a text about a link without opening it", async () => {
  const service = await startTestService();
  const link = "https://example.invalid/blog/night-garden-opens.html?utm=1";
  const run = await trigger(service, "automation_text_from_link", link);
  expect(run).toMatchObject({
    id: expect.stringMatching(/^run_[0-9a-f]+$/),
    automation_id: "automation_text_from_link",
    input: link,
    status: "completed",
  });
  expect(at(run, "result", "content")).toMatch(/blog night garden opens/);
  expect(String(at(run, "result", "content")).endsWith(link)).toBe(true);
});

it("makes a picture that a post can use", async () => {
  const service = await startTestService();
  const run = await trigger(service, "automation_picture_from_text", "A fern");
  const id = at(run, "result", "media_id");
  expect((await service.call("POST", "/posts", draft({ media_ids: [id] }))).status).toBe(201);
});

it("counts posts", async () => {
  const service = await startTestService();
  const made = await service.call("POST", "/posts", draft());
  await service.call("POST", "/posts", draft());
  await service.call("DELETE", `/posts/${String(at(made.body, "id"))}`);
  const run = await trigger(service, "automation_count_posts", "anything");
  expect(at(run, "result")).toEqual({ posts: { scheduled: 1, cancelled: 1 } });
});

it("refuses unknown automations and wrong inputs", async () => {
  const service = await startTestService();
  const unknown = await service.call("POST", "/automations/automation_none/trigger", { input: "a" });
  expect([unknown.status, at(unknown.body, "error", "code")]).toEqual([404, "not_found"]);
  for (const body of [{}, { input: 1 }, { input: "" }, { input: "a", more: 1 }]) {
    const answer = await service.call("POST", "/automations/automation_count_posts/trigger", body);
    expect(answer.status).toBe(422);
  }
});
