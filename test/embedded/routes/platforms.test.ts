import { expect, it } from "vitest";
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

it("disconnects an account once and for good, and then refuses posts for it", async () => {
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
