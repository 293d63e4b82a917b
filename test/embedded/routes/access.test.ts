import { describe, expect, it } from "vitest";
import { ROUTES } from "../../../src/embedded/app.ts";
import { type Scope, makeApiKeys } from "../../../src/embedded/routes/api-keys.ts";
import {
  NEW_YEAR,
  PNG,
  at,
  call,
  countingRandom,
  draft,
  startTestService,
  upload,
} from "../../support/embedded-service.ts";

const LIMIT_HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

describe("keys", () => {
  it("gives each scope the endpoints that it needs and no others", async () => {
    const service = await startTestService();
    const needs: [Scope, string, string, unknown, number][] = [
      ["read", "GET", "/posts", undefined, 200],
      ["read", "GET", "/posts/post_none", undefined, 404],
      ["read", "GET", "/media", undefined, 200],
      ["read", "GET", "/media/media_none/file", undefined, 404],
      ["read", "GET", "/platforms", undefined, 200],
      ["read", "GET", "/automations", undefined, 200],
      ["write", "POST", "/posts", draft(), 201],
      ["write", "POST", "/ai/text", { prompt: "a", platform: "twitter" }, 200],
      ["write", "POST", "/ai/image", { prompt: "a", size: "1x1" }, 201],
      ["write", "POST", "/automations/automation_none/trigger", { input: "a" }, 404],
      ["write", "DELETE", "/posts/post_none", undefined, 404],
      ["write", "POST", "/media", upload(PNG), 201],
      ["admin", "DELETE", "/platforms/account_none", undefined, 404],
      ["admin", "POST", "/webhooks", { url: "http://127.0.0.1:9/", events: ["post.failed"] }, 201],
    ];
    const scopes: Scope[] = ["read", "write", "admin"];
    expect(needs).toHaveLength(ROUTES.length);
    for (const [needed, method, path, body, status] of needs) {
      for (const scope of scopes) {
        const answer = await service.call(method, path, body, scope);
        const enough = scopes.indexOf(scope) >= scopes.indexOf(needed);
        expect([method, path, scope, answer.status]).toEqual([method, path, scope, enough ? status : 403]);
        if (!enough) expect(at(answer.body, "error", "code")).toBe("forbidden");
      }
    }
  });

  it("refuses every other key for every path", async () => {
    const service = await startTestService();
    const { read } = service.keys;
    for (const header of [
      undefined,
      "",
      "Bearer",
      "Bearer ",
      read,
      `Basic ${read}`,
      `Bearer ${read}x`,
      "Bearer undefined",
    ]) {
      for (const path of ["/posts", "/nothing"]) {
        const headers: Record<string, string> = header === undefined ? {} : { authorization: header };
        const response = await fetch(service.url + path, { headers });
        const body: unknown = await response.json();
        expect([header, response.status, at(body, "error", "code")]).toEqual([header, 401, "unauthorized"]);
        for (const name of LIMIT_HEADERS) expect(response.headers.get(name)).toMatch(/^\d+$/);
      }
    }
    const lower = await fetch(`${service.url}/posts`, { headers: { authorization: `bearer ${read}` } });
    expect(lower.status).toBe(200);
  });

  it("uses the keys that it is given, or makes keys from the given random source", async () => {
    const keys = { read: "r", write: "w", admin: "a" };
    const given = await startTestService({ keys });
    expect(given.keys).toEqual(keys);
    expect((await call(given.url, "w", "POST", "/posts", draft())).status).toBe(201);
    const made = await startTestService();
    expect(made.keys).toEqual(makeApiKeys(countingRandom()));
    expect(new Set(Object.values(made.keys)).size).toBe(3);
  });
});

describe("the rate limit", () => {
  it.each([
    ["free", 30],
    ["pro", 120],
    ["business", 600],
  ] as const)("of the plan %s is %i requests a minute", async (plan, limit) => {
    const service = await startTestService({ plan });
    const first = await service.call("GET", "/platforms");
    expect(LIMIT_HEADERS.map((name) => first.headers.get(name))).toEqual([
      String(limit),
      String(limit - 1),
      String(NEW_YEAR / 1000 + 60),
    ]);
  });

  it("refuses every request of a minute after the last one that the plan allows", async () => {
    const limit = 30;
    const service = await startTestService({ plan: "free" });
    for (let sent = 1; sent <= limit; sent += 1) {
      const answer = await service.call("GET", "/posts/post_none");
      expect([answer.status, answer.headers.get("x-ratelimit-remaining")]).toEqual([
        404,
        String(limit - sent),
      ]);
    }
    service.clock.ms += 30_500;
    const refused = await service.call("GET", "/platforms");
    expect(refused.status).toBe(429);
    expect(at(refused.body, "error")).toEqual({
      code: "rate_limit_exceeded",
      message: expect.any(String),
      retry_after: 30,
    });
    expect(refused.headers.get("retry-after")).toBe("30");
    expect(LIMIT_HEADERS.map((name) => refused.headers.get(name))).toEqual([
      String(limit),
      "0",
      String(NEW_YEAR / 1000 + 60),
    ]);
    service.clock.ms = NEW_YEAR + 59_999;
    expect((await service.call("GET", "/platforms")).status).toBe(429);
    service.clock.ms = NEW_YEAR + 60_000;
    const next = await service.call("GET", "/platforms");
    expect([next.status, next.headers.get("x-ratelimit-remaining")]).toEqual([200, String(limit - 1)]);
  });

  it("counts each key separately, and all requests without a valid key together", async () => {
    const service = await startTestService({ plan: "free" });
    for (let sent = 0; sent < 30; sent += 1) await call(service.url, "wrong", "GET", "/posts");
    expect((await call(service.url, undefined, "GET", "/posts")).status).toBe(429);
    for (let sent = 0; sent < 30; sent += 1) await service.call("GET", "/posts", undefined, "read");
    expect((await service.call("GET", "/posts", undefined, "read")).status).toBe(429);
    expect((await service.call("GET", "/posts", undefined, "write")).status).toBe(200);
  });

  it("creates nothing for a refused request", async () => {
    const service = await startTestService({ plan: "free" });
    const sent = await Promise.all(Array.from({ length: 40 }, () => service.call("POST", "/posts", draft())));
    expect(sent.filter((each) => each.status === 201)).toHaveLength(30);
    expect(sent.filter((each) => each.status === 429)).toHaveLength(10);
    expect((await service.call("POST", "/media", upload(PNG))).status).toBe(429);
    const listed = await service.call("GET", "/posts", undefined, "read");
    expect(at(listed.body, "data")).toHaveLength(30);
    expect(at((await service.call("GET", "/media", undefined, "read")).body, "data")).toEqual([]);
  });

  it("lets a caller in after the clock is set back", async () => {
    const service = await startTestService({ plan: "free" });
    for (let sent = 0; sent < 30; sent += 1) await service.call("GET", "/posts");
    service.clock.ms -= 3_600_000;
    expect((await service.call("GET", "/posts")).status).toBe(200);
  });

  it.each([
    ["seconds", 45],
    ["epoch", NEW_YEAR / 1000 + 60],
    ["epoch-ms", NEW_YEAR + 60_000],
  ] as const)("gives the reset in %s", async (resetUnit, expected) => {
    const service = await startTestService({ resetUnit });
    await service.call("GET", "/posts");
    service.clock.ms += 15_000;
    const answer = await service.call("GET", "/posts");
    expect(answer.headers.get("x-ratelimit-reset")).toBe(String(expected));
  });

  it("uses the given window length", async () => {
    const service = await startTestService({ rateWindowMs: 2_000, resetUnit: "seconds", plan: "free" });
    for (let sent = 0; sent < 30; sent += 1) await service.call("GET", "/posts");
    const refused = await service.call("GET", "/posts");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"]);
    service.clock.ms += 2_000;
    expect((await service.call("GET", "/posts")).status).toBe(200);
  });
});
