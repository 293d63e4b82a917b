import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type TestService,
  NEW_YEAR,
  PNG,
  at,
  draft,
  startTestService,
  upload,
} from "../../support/embedded-service.ts";
import { manyRuns } from "../../support/property-tests.ts";

const START = Date.UTC(2027, 2, 1, 8);

async function create(service: TestService, over: Record<string, unknown> = {}): Promise<string> {
  const made = await service.call("POST", "/posts", draft(over));
  expect(made.status).toBe(201);
  return String(at(made.body, "id"));
}

describe("the clock", () => {
  it("stays at its start, and only the admin key moves it", async () => {
    const service = await startTestService({ clockAt: START, memory: true });
    const told = await service.besides("GET", "/_control/clock");
    expect(told.body).toEqual({ now: "2027-03-01T08:00:00.000Z", runs: false });
    for (const scope of ["read", "write"] as const) {
      expect((await service.besides("POST", "/_control/clock", { by: "1m" }, scope)).status).toBe(403);
    }
    const moved = await service.besides("POST", "/_control/clock", { by: "90m" });
    expect(moved.body).toEqual({ now: "2027-03-01T09:30:00.000Z", runs: false, posts: [] });
    const to = await service.besides("POST", "/_control/clock", { to: "2027-03-01T12:00+01:00" });
    expect(at(to.body, "now")).toBe("2027-03-01T11:00:00.000Z");
    expect(
      (await service.call("POST", "/posts", draft({ scheduled_at: "2027-03-01T11:00:00Z" }))).status,
    ).toBe(422);
    await create(service, { scheduled_at: "2027-03-01T11:00:01Z" });
  });

  it.each([
    ["body", {}],
    ["body", { to: "2028-01-01T00:00Z", by: "1m" }],
    ["to", { to: "2027-03-01T07:59Z" }],
    ["to", { to: "2027-03-02T08:00" }],
    ["to", { to: "tomorrow" }],
    ["to", { to: 5 }],
    ["by", { by: "-1m" }],
    ["by", { by: "1 month" }],
    ["by", { by: "999999999d" }],
    ["at", { at: "2028-01-01T00:00Z" }],
  ])("is not moved by a wrong %s: %j", async (field, body) => {
    const service = await startTestService({ clockAt: START, memory: true });
    const answer = await service.besides("POST", "/_control/clock", body);
    expect([answer.status, at(answer.body, "error", "code")]).toEqual([422, "validation_error"]);
    expect(String(at(answer.body, "error", "message")).startsWith(`${field}: `)).toBe(true);
    expect(at((await service.besides("GET", "/_control/clock")).body, "now")).toBe(
      "2027-03-01T08:00:00.000Z",
    );
  });

  it("continues from its new time if it follows the machine's clock", async () => {
    const service = await startTestService();
    const id = await create(service);
    await service.besides("POST", "/_control/clock", { to: "2027-03-01T08:00Z" });
    expect(at((await service.call("GET", `/posts/${id}`)).body, "status")).toBe("published");
    service.clock.ms += 5_000;
    expect((await service.besides("GET", "/_control/clock")).body).toEqual({
      now: "2027-03-01T08:00:05.000Z",
      runs: true,
    });
  });

  it("does not move rate windows, and control requests do not count", async () => {
    const service = await startTestService({ clockAt: START, memory: true, plan: "free" });
    for (let sent = 0; sent < 30; sent += 1) await service.call("GET", "/posts");
    await service.besides("POST", "/_control/clock", { by: "1d" });
    expect((await service.call("GET", "/posts")).status).toBe(429);
    expect((await service.besides("GET", "/_control/clock")).headers.get("x-ratelimit-remaining")).toBe("0");
    service.clock.ms = NEW_YEAR + 60_000;
    expect((await service.call("GET", "/posts")).status).toBe(200);
  });
});

describe("moving the clock", () => {
  it("publishes due posts by time, then by creation", async () => {
    const minutes = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(minutes, fc.integer({ min: 0, max: 7 }), async (times, until) => {
        const service = await startTestService({ clockAt: START, memory: true });
        const made: { id: string; minute: number }[] = [];
        for (const minute of times) {
          made.push({ id: await create(service, { scheduled_at: `2027-03-01T08:0${minute}:00Z` }), minute });
        }
        const moved = await service.besides("POST", "/_control/clock", { by: `${until}m` });
        const due = made.filter((post) => post.minute <= until).sort((a, b) => a.minute - b.minute);
        expect(at(moved.body, "posts")).toEqual(due.map(({ id }) => ({ id, status: "published" })));
        const left = await service.call("GET", "/posts?status=scheduled");
        expect(at(left.body, "data")).toHaveLength(times.length - due.length);
        await service.close();
      }),
      { numRuns: manyRuns(120) },
    );
  });

  it("publishes a post once when many requests move the clock", async () => {
    const service = await startTestService({ clockAt: START, memory: true });
    await create(service, { scheduled_at: "2027-03-01T08:01:00Z" });
    const moves = await Promise.all(
      Array.from({ length: 5 }, () => service.besides("POST", "/_control/clock", { by: "1m" })),
    );
    const published = moves.flatMap((move) => at(move.body, "posts"));
    expect(published).toHaveLength(1);
  });

  it("skips cancelled posts", async () => {
    const service = await startTestService({ clockAt: START, memory: true });
    const id = await create(service, { scheduled_at: "2027-03-01T08:01:00Z" });
    await service.call("DELETE", `/posts/${id}`);
    expect(at((await service.besides("POST", "/_control/clock", { by: "1h" })).body, "posts")).toEqual([]);
    expect(at((await service.call("GET", `/posts/${id}`)).body, "status")).toBe("cancelled");
  });
});

describe("failures", () => {
  it("fail a post on one platform, with the reason", async () => {
    const service = await startTestService({
      clockAt: START,
      failures: ["platform=instagram"],
      memory: true,
    });
    const id = await create(service, {
      platforms: ["twitter", "instagram"],
      scheduled_at: "2027-03-01T08:01:00Z",
    });
    const moved = await service.besides("POST", "/_control/clock", { by: "1m" });
    expect(at(moved.body, "posts")).toEqual([{ id, status: "failed" }]);
    const post = await service.call("GET", `/posts/${id}`);
    expect(post.body).toMatchObject({
      status: "failed",
      published_at: "2027-03-01T08:01:00Z",
      results: [
        { platform: "twitter", status: "published", url: expect.stringContaining(`/outbox/${id}/twitter`) },
        {
          platform: "instagram",
          status: "failed",
          error: { code: "platform_error", message: "instagram is set to fail." },
        },
      ],
    });
    expect(at((await service.call("GET", "/posts?status=failed")).body, "data")).toHaveLength(1);
    const refused = await service.call("DELETE", `/posts/${id}`);
    expect([refused.status, at(refused.body, "error", "code")]).toEqual([422, "validation_error"]);
  });

  it("fail a post whose account was disconnected after it was scheduled", async () => {
    const service = await startTestService({ clockAt: START, memory: true });
    const id = await create(service, { scheduled_at: "2027-03-01T08:01:00Z" });
    await service.call("DELETE", "/platforms/account_twitter");
    await service.besides("POST", "/_control/clock", { by: "1m" });
    const post = await service.call("GET", `/posts/${id}`);
    expect(at(post.body, "results", 0, "error", "message")).toBe("There is no connected account on twitter.");
  });

  it("answer platform_error for requests that need the platform immediately", async () => {
    const service = await startTestService({ failures: ["platform=instagram"] });
    const answers = [
      await service.call("DELETE", "/platforms/account_instagram"),
      await service.call("POST", "/ai/text", { prompt: "a", platform: "instagram" }),
    ];
    for (const answer of answers) {
      expect([answer.status, at(answer.body, "error", "code")]).toEqual([502, "platform_error"]);
    }
    expect((await service.call("DELETE", "/platforms/account_twitter")).status).toBe(200);
  });

  it("can be changed while the service runs", async () => {
    const service = await startTestService({
      failures: ["platform=instagram"],
      clockAt: START,
      memory: true,
    });
    const fail = ["automation=automation_count_posts", "platform=twitter"];
    expect((await service.besides("POST", "/_control/failures", { fail })).body).toEqual({ fail });
    expect((await service.besides("GET", "/_control/failures")).body).toEqual({ fail });
    const run = await service.call("POST", "/automations/automation_count_posts/trigger", { input: "a" });
    expect(run.body).toMatchObject({ status: "failed", error: "The automation is set to fail." });
    for (const wrong of ["platform=myspace", "platform", "weather=rain", "automation=x"]) {
      const refused = await service.besides("POST", "/_control/failures", {
        fail: ["platform=tiktok", wrong],
      });
      expect(refused.status).toBe(422);
      expect(at(refused.body, "error", "message")).toMatch(/^fail\[1\]: must /);
    }
    expect((await service.besides("GET", "/_control/failures")).body).toEqual({ fail });
  });
});

async function visit(service: TestService, path: string, authorization?: string) {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const answer = await fetch(new URL(service.url).origin + path, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

function basic(key: string): string {
  return `Basic ${Buffer.from(`any:${key}`).toString("base64")}`;
}

/** Of the posts on a page, in the page's order. */
function numbers(text: string): number[] {
  return [...text.matchAll(/>Post (\d+)\./g)].map(([, n]) => Number(n));
}

describe("the outbox", () => {
  it("has a file for each publication", async () => {
    const service = await startTestService({ clockAt: START, failures: ["platform=linkedin"] });
    const media = await service.call("POST", "/media", upload(PNG));
    const content = "Zweiter\n\u2028 <b>";
    const id = await create(service, {
      content,
      platforms: ["twitter", "linkedin", "bluesky"],
      media_ids: [at(media.body, "id")],
      scheduled_at: "2027-03-01T08:01:00Z",
    });
    await service.besides("POST", "/_control/clock", { by: "1m" });
    const outbox = join(service.folder, "outbox");
    expect((await readdir(outbox)).sort()).toEqual(["bluesky", "twitter"]);
    const entry = join(outbox, "twitter", `2027-03-01T08-01-00Z_${id}`);
    expect((await readdir(entry)).sort()).toEqual(["1.png", "post.json"]);
    expect(await readFile(join(entry, "1.png"))).toEqual(PNG);
    expect(JSON.parse(await readFile(join(entry, "post.json"), "utf8"))).toEqual({
      platform: "twitter",
      post_id: id,
      scheduled_at: "2027-03-01T08:01:00Z",
      content,
      media: ["1.png"],
    });
  });

  it("works without a media file that somebody removed from the store", async () => {
    const service = await startTestService({ clockAt: START });
    const media = await service.call("POST", "/media", upload(PNG));
    const media_ids = [at(media.body, "id")];
    const id = await create(service, { media_ids, scheduled_at: "2027-03-01T08:01:00Z" });
    await rm(join(service.folder, "media"), { recursive: true });
    const moved = await service.besides("POST", "/_control/clock", { by: "1m" });
    expect(at(moved.body, "posts")).toEqual([{ id, status: "published" }]);
    const entry = join(service.folder, "outbox", "twitter", `2027-03-01T08-01-00Z_${id}`);
    expect(await readdir(entry)).toEqual(["post.json"]);
  });

  it("is filled later when it could not be written at first", async () => {
    const service = await startTestService();
    const id = await create(service);
    await writeFile(join(service.folder, "outbox"), "no folder");
    service.clock.ms = START;
    expect(at((await service.call("GET", `/posts/${id}`)).body, "status")).toBe("published");
    expect(
      (await service.call("POST", "/posts", draft({ scheduled_at: "2028-01-01T00:00:00Z" }))).status,
    ).toBe(500);
    await rm(join(service.folder, "outbox"));
    expect(
      (await service.call("POST", "/posts", draft({ scheduled_at: "2028-01-01T00:00:00Z" }))).status,
    ).toBe(201);
    expect(await readdir(join(service.folder, "outbox", "twitter"))).toHaveLength(1);
  });

  it("is filled at the scheduled time without any request", async () => {
    const service = await startTestService();
    await create(service);
    service.clock.ms = START;
    const published = async (): Promise<string[]> =>
      await readdir(join(service.folder, "outbox", "twitter")).catch(() => []);
    await expect.poll(published, { timeout: 10_000 }).toHaveLength(1);
  });

  it("is filled on the next start with posts that came due in between", async () => {
    const service = await startTestService({ clockAt: START });
    const id = await create(service, { scheduled_at: "2027-03-01T08:01:00Z" });
    await service.close();
    const later = { clockAt: START + 3_600_000, folder: service.folder };
    const reader = await startTestService({ ...later, access: "read-only" });
    const told = await reader.call("GET", `/posts/${id}`);
    await reader.close();
    const writer = await startTestService({ ...later, failures: ["platform=instagram"] });
    const seen = await writer.call("GET", `/posts/${id}`);
    expect(at(seen.body, "published_at")).toBe("2027-03-01T08:01:00Z");
    expect(at(seen.body, "status")).toBe(at(told.body, "status"));
    expect(await readdir(join(service.folder, "outbox", "twitter"))).toHaveLength(1);
  });

  it("is shown only with a key, even in a browser", async () => {
    const service = await startTestService({ clockAt: START, memory: true });
    const { read } = service.keys;
    for (const wrong of [undefined, basic("x"), basic(""), "Basic !", "Basic", `Bearer x`]) {
      const refused = await visit(service, "/outbox", wrong);
      expect([wrong, refused.status]).toEqual([wrong, 401]);
      expect(refused.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
    }
    for (const right of [basic(read), `Bearer ${read}`]) {
      const page = await visit(service, "/outbox", right);
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
      expect(page.text).toContain("Nothing has been published yet.");
    }
    expect((await visit(service, "/v1/posts", basic(read))).status).toBe(401);
  });

  it("escapes captions and forbids scripts on its page", async () => {
    const service = await startTestService({ clockAt: START, memory: true });
    const hostile = `</p></article><script>alert(1)</script><img src=x onerror=alert(1)> "'&amp; \u202e`;
    const id = await create(service, { content: hostile, scheduled_at: "2027-03-01T08:01:00Z" });
    const { bytes, media } = { bytes: PNG, media: await service.call("POST", "/media", upload(PNG)) };
    await create(service, { media_ids: [at(media.body, "id")], scheduled_at: "2027-03-01T08:02:00Z" });
    await service.besides("POST", "/_control/clock", { by: "5m" });
    const key = basic(service.keys.read);
    for (const path of ["/outbox", `/outbox/${id}/twitter`]) {
      const { text, headers } = await visit(service, path, key);
      expect(text).toContain(
        "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; &quot;&#39;&amp;amp;",
      );
      expect(text).not.toMatch(/<script|<img src=x/);
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; /,
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
    const [, image = ""] = /<img src="([^"]+)"/.exec((await visit(service, "/outbox", key)).text) ?? [];
    const file = await fetch(new URL(service.url).origin + image, { headers: { authorization: key } });
    expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
    expect((await visit(service, "/outbox/post_none/twitter", key)).status).toBe(404);
    expect((await visit(service, `/outbox/${id}/linkedin`, key)).status).toBe(404);
    expect((await visit(service, "/outbox/media/media_none", key)).status).toBe(404);
  });

  it("lists the newest publications first, in pages", async () => {
    const service = await startTestService({ clockAt: START, memory: true });
    for (let minute = 10; minute < 62; minute += 1) {
      const scheduled_at = new Date(START + minute * 60_000).toISOString().replace(".000", "");
      await create(service, { content: `Post ${minute}.`, scheduled_at });
    }
    await service.besides("POST", "/_control/clock", { by: "2h" });
    const first = await visit(service, "/outbox", basic(service.keys.read));
    expect(numbers(first.text)).toEqual(Array.from({ length: 50 }, (_, index) => 61 - index));
    const [, older = ""] = /<a href="([^"]+)">Older posts/.exec(first.text) ?? [];
    const second = await visit(service, older.replaceAll("&amp;", "&"), basic(service.keys.read));
    expect(numbers(second.text)).toEqual([11, 10]);
    expect(second.text).not.toContain("Older posts");
  });
});
