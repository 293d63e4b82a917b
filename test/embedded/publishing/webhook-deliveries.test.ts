import { describe, expect, it } from "vitest";
import { eventEnvelope } from "../../../src/model/service-interface.ts";
import {
  type TestOptions,
  type TestService,
  at,
  draft,
  startTestService,
} from "../../support/embedded-service.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";

const START = Date.UTC(2027, 2, 1, 8);
/** Even on the slowest machine, background work ends within this time. */
const SOON = { timeout: 10_000 };
const EVENTS = ["post.published", "post.failed", "automation.completed"];

async function withReceiver(over: TestOptions = {}): Promise<{ service: TestService; receiver: Receiver }> {
  const receiver = await startReceiver();
  const service = await startTestService({ clockAt: START, memory: true, ...over });
  await listen(service, receiver.url);
  return { service, receiver };
}

async function listen(service: TestService, url: string, events = EVENTS): Promise<void> {
  expect((await service.call("POST", "/webhooks", { url, events })).status).toBe(201);
}

async function create(service: TestService, minute: number, platforms = ["twitter"]): Promise<string> {
  const made = await service.call(
    "POST",
    "/posts",
    draft({ platforms, scheduled_at: `2027-03-01T08:0${minute}:00Z` }),
  );
  return String(at(made.body, "id"));
}

async function move(service: TestService, by: string): Promise<void> {
  expect((await service.besides("POST", "/_control/clock", { by })).status).toBe(200);
}

async function log(service: TestService): Promise<unknown[]> {
  const data = at((await service.besides("GET", "/_control/deliveries")).body, "data");
  return Array.isArray(data) ? data : [];
}

describe("events", () => {
  it("report each platform in the order of the posts", async () => {
    const { service, receiver } = await withReceiver({ failures: ["platform=instagram"] });
    const later = await create(service, 2);
    const sooner = await create(service, 1, ["linkedin", "instagram"]);
    await move(service, "5m");
    const { origin } = new URL(service.url);
    expect(receiver.received).toEqual([
      {
        event: "post.published",
        timestamp: "2027-03-01T08:01:00Z",
        data: { post_id: sooner, platform: "linkedin", url: `${origin}/outbox/${sooner}/linkedin` },
      },
      {
        event: "post.failed",
        timestamp: "2027-03-01T08:01:00Z",
        data: {
          post_id: sooner,
          platform: "instagram",
          error: { code: "platform_error", message: "instagram is set to fail." },
        },
      },
      {
        event: "post.published",
        timestamp: "2027-03-01T08:02:00Z",
        data: { post_id: later, platform: "twitter", url: `${origin}/outbox/${later}/twitter` },
      },
    ]);
    for (const event of receiver.received) eventEnvelope.parse(event);
  });

  it("report an automation without the clock being moved", async () => {
    const { service, receiver } = await withReceiver();
    const run = await service.call("POST", "/automations/automation_count_posts/trigger", { input: "a" });
    await expect.poll(() => receiver.received, SOON).toHaveLength(1);
    expect(receiver.received[0]).toEqual({
      event: "automation.completed",
      timestamp: "2027-03-01T08:00:00.000Z",
      data: {
        automation_id: "automation_count_posts",
        run_id: at(run.body, "id"),
        status: "completed",
        result: { posts: {} },
      },
    });
  });

  it("go only to addresses registered for them", async () => {
    const { service, receiver } = await withReceiver();
    const other = await startReceiver();
    await listen(service, other.url, ["post.failed"]);
    await create(service, 1);
    await move(service, "1m");
    expect([receiver.received.length, other.received.length]).toEqual([1, 0]);
  });

  it("may be answered after the receiver reads the post", async () => {
    const { service, receiver } = await withReceiver();
    const id = await create(service, 1);
    const seen: unknown[] = [];
    receiver.before = async () => {
      seen.push(at((await service.call("GET", `/posts/${id}`)).body, "status"));
    };
    await move(service, "1h");
    expect(seen).toEqual(["published"]);
  });
});

describe("an event that is not accepted", () => {
  it("is sent again after longer and longer waits until it is accepted", async () => {
    const { service, receiver } = await withReceiver();
    receiver.answers.push(500, 404, 302);
    const id = await create(service, 1);
    await move(service, "1m");
    expect(receiver.received).toHaveLength(1);
    await move(service, "9s");
    expect(receiver.received).toHaveLength(1);
    await move(service, "1s");
    expect(receiver.received).toHaveLength(2);
    await move(service, "1d");
    expect(receiver.received).toHaveLength(4);
    expect(new Set(receiver.received.map((event) => JSON.stringify(event))).size).toBe(1);
    const [entry] = await log(service);
    expect(entry).toMatchObject({
      url: receiver.url,
      state: "delivered",
      event: { event: "post.published", data: { post_id: id } },
      attempts: [
        { at: "2027-03-01T08:01:00.000Z", status: 500 },
        { at: "2027-03-01T08:01:10.000Z", status: 404 },
        { at: "2027-03-01T08:02:10.000Z", status: 302 },
        { at: "2027-03-01T08:07:10.000Z", status: 204 },
      ],
    });
    expect(entry).not.toHaveProperty("next_attempt_at");
  });

  it("is not sent again after exactly six attempts", async () => {
    const { service, receiver } = await withReceiver();
    receiver.answers.push(...Array<number>(6).fill(503));
    await create(service, 1);
    await move(service, "2h");
    expect(receiver.received).toHaveLength(5);
    expect(await log(service)).toMatchObject([{ state: "waiting" }]);
    await move(service, "1d");
    expect(receiver.received).toHaveLength(6);
    expect(await log(service)).toMatchObject([{ state: "given_up" }]);
  });

  it("times out when the receiver does not answer", async () => {
    const { service, receiver } = await withReceiver({ deliveryTimeoutMs: 50 });
    receiver.answers.push("silence");
    await create(service, 1);
    await move(service, "1m");
    expect(at((await log(service))[0], "attempts", 0, "error")).toBe("No answer within 50 ms.");
  });

  it("if an address does not answer, the other events for it wait", async () => {
    const { service, receiver } = await withReceiver();
    receiver.answers.push("hang up");
    for (let count = 0; count < 5; count += 1) await create(service, 1);
    await move(service, "1m");
    expect(receiver.received).toHaveLength(1);
    expect(at((await log(service))[0], "attempts", 0, "error")).toMatch(/^The connection failed: /);
    expect(at((await log(service))[4], "attempts", 0, "error")).toMatch(
      /^Not sent: the address did not answer/,
    );
    await move(service, "10s");
    expect(receiver.received).toHaveLength(6);
    expect((await log(service)).map((each) => at(each, "state"))).toEqual(Array(5).fill("delivered"));
  });

  it("is logged as refused where nobody listens", async () => {
    const { service } = await withReceiver();
    const gone = await startTestService({ memory: true });
    await gone.close();
    await listen(service, gone.url);
    await create(service, 1);
    await move(service, "1m");
    expect(at((await log(service))[1], "attempts", 0, "error")).toBe("The connection failed: ECONNREFUSED.");
  });

  it.each([
    "https://example.com/hook",
    "http://10.0.0.1/",
    "http://localhost.example.com/",
    "http://127.0.0.1.example.com/",
  ])("is not sent to another machine: %s", async (url) => {
    const service = await startTestService({ clockAt: START, memory: true });
    await listen(service, url);
    await create(service, 1);
    await move(service, "1m");
    expect(await log(service)).toMatchObject([
      {
        state: "given_up",
        attempts: [{ error: expect.stringMatching(/^Not sent: .* only to this machine/) }],
      },
    ]);
  });
});

describe("the log of deliveries", () => {
  it("and unsent events survive a restart", async () => {
    const receiver = await startReceiver();
    receiver.answers.push(500);
    const service = await startTestService({ clockAt: START });
    await listen(service, receiver.url);
    await create(service, 1);
    await move(service, "1m");
    const before = await log(service);
    await service.close();
    const again = await startTestService({ folder: service.folder, clockAt: START + 120_000 });
    await expect.poll(() => receiver.received, SOON).toHaveLength(2);
    await expect.poll(async () => at((await log(again))[0], "state"), SOON).toBe("delivered");
    expect(at((await log(again))[0], "attempts", 0)).toEqual(at(before[0], "attempts", 0));
  });

  it("is listed in pages, only for admin keys", async () => {
    const { service } = await withReceiver();
    for (let minute = 1; minute < 4; minute += 1) await create(service, minute);
    await move(service, "1h");
    expect((await service.besides("GET", "/_control/deliveries", undefined, "write")).status).toBe(403);
    const first = await service.besides("GET", "/_control/deliveries?limit=2");
    const next = String(at(first.body, "next_cursor"));
    const second = await service.besides("GET", `/_control/deliveries?limit=2&cursor=${next}`);
    const whole = await log(service);
    expect([at(first.body, "data", 0), at(first.body, "data", 1), at(second.body, "data", 0)]).toEqual(whole);
    expect(at(second.body, "next_cursor")).toBeNull();
  });
});
