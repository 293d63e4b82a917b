/** An embedded service with posts, failures and deliveries, for tests of its page. */
import { expect } from "vitest";
import { PNG, type TestService, at, draft, startTestService, upload } from "../support/embedded-service.ts";
import { startReceiver } from "../support/receiver.ts";
import { HOSTILE } from "./calendar-pages.ts";

const START = Date.UTC(2027, 2, 1, 8);

export async function busyService(): Promise<TestService> {
  const service = await startTestService({
    clockAt: START,
    memory: true,
    title: "Spring",
    timezone: "Europe/Paris",
    failures: ["platform=instagram"],
  });
  const receiver = await startReceiver();
  receiver.answers.push(204, 500);
  await service.call("POST", "/webhooks", { url: receiver.url, events: ["post.published", "post.failed"] });
  const picture = await service.call("POST", "/media", upload(PNG));
  const media_ids = [at(picture.body, "id")];
  const posts = [
    draft({
      scheduled_at: "2027-03-01T09:00:00Z",
      platforms: ["instagram", "linkedin"],
      content: "Workshop",
      media_ids,
    }),
    draft({
      scheduled_at: "2027-03-01T09:00:01Z",
      platforms: ["instagram"],
      content: "Only a picture",
      media_ids,
    }),
    draft({
      scheduled_at: "2027-03-02T09:00:00Z",
      platforms: ["linkedin", "bluesky"],
      content: "The ferns are here.\n\n#ferns",
    }),
    ...HOSTILE.map((content, index) =>
      draft({
        scheduled_at: `2027-03-${String(index + 3).padStart(2, "0")}T09:00:00Z`,
        platforms: ["linkedin"],
        content,
      }),
    ),
  ];
  for (const post of posts) expect((await service.call("POST", "/posts", post)).status).toBe(201);
  await service.besides("POST", "/_control/clock", { by: "2h" });
  return service;
}

export function pageOf({ url, keys }: TestService, scope: "read" | "admin" = "admin") {
  return { address: new URL("/", url).href, httpCredentials: { username: "ana", password: keys[scope] } };
}
