import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { anyText } from "../../support/any-text.ts";
import {
  type TestService,
  MP4,
  PNG,
  at,
  draft,
  startTestService,
  temporaryFolder,
  upload,
} from "../../support/embedded-service.ts";
import { manyRuns } from "../../support/property-tests.ts";

async function create(service: TestService, over: Record<string, unknown> = {}): Promise<string> {
  const made = await service.call("POST", "/posts", draft(over));
  expect(made.status).toBe(201);
  return String(at(made.body, "id"));
}

const list = z.object({ data: z.array(z.unknown()), next_cursor: z.string().nullable() });

/** Every page of the list, one after the other. */
async function pages(service: TestService, query: string): Promise<unknown[][]> {
  const found: unknown[][] = [];
  let cursor: string | null | undefined;
  do {
    const more = cursor === undefined ? "" : `&cursor=${cursor}`;
    const page = list.parse((await service.call("GET", `/posts?${query}${more}`)).body);
    found.push(page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

describe("POST /v1/posts", () => {
  it("schedules a post and answers with it", async () => {
    const service = await startTestService();
    const media = await service.call("POST", "/media", upload(PNG));
    const sent = draft({ platforms: ["twitter", "linkedin"], media_ids: [at(media.body, "id")] });
    const made = await service.call("POST", "/posts", sent);
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      ...sent,
      id: expect.stringMatching(/^post_[0-9a-f]+$/),
      status: "scheduled",
      created_at: "2027-01-01T00:00:00.000Z",
    });
    expect((await service.call("GET", `/posts/${String(at(made.body, "id"))}`)).body).toEqual(made.body);
  });

  it("returns any text exactly as it was sent", async () => {
    const service = await startTestService();
    const texts = anyText(20).filter((text) => text.trim() !== "");
    await fc.assert(
      fc.asyncProperty(texts, async (content) => {
        const id = await create(service, { content });
        expect(at((await service.call("GET", `/posts/${id}`)).body, "content")).toBe(content);
      }),
      {
        numRuns: manyRuns(200),
        examples: [["é e\u0301 \ud83d\ude80 \u2028 \u0000 '\"\\\r\n"], ["x".repeat(100_000)]],
      },
    );
  });

  it("takes a post without text if there are media", async () => {
    const service = await startTestService();
    const media = await service.call("POST", "/media", upload(MP4, "a.mp4"));
    await create(service, { content: undefined, media_ids: [at(media.body, "id")] });
  });

  it.each([
    ["content", { content: "" }],
    ["content", { content: " \n" }],
    ["content", { content: 1 }],
    ["content", { content: "x".repeat(100_001) }],
    ["platforms", { platforms: undefined }],
    ["platforms", { platforms: [] }],
    ["platforms", { platforms: "twitter" }],
    ["platforms[1]", { platforms: ["twitter", "Twitter"] }],
    ["platforms[0]", { platforms: ["__proto__"] }],
    ["platforms[0]", { platforms: [null] }],
    ["platforms", { platforms: Array(101).fill("twitter") }],
    ["scheduled_at", { scheduled_at: undefined }],
    ["scheduled_at", { scheduled_at: "2027-03-01" }],
    ["scheduled_at", { scheduled_at: "2027-03-01T08:00:00+01:00" }],
    ["scheduled_at", { scheduled_at: "2027-02-30T08:00:00Z" }],
    ["scheduled_at", { scheduled_at: "2027-02-28T24:00:00Z" }],
    ["scheduled_at", { scheduled_at: "2027-01-01T00:00:00Z" }],
    ["media_ids[0]", { media_ids: ["media_none"] }],
    ["media_ids", { media_ids: "media_none" }],
  ])("refuses a wrong %s: %j", async (field, over) => {
    const service = await startTestService();
    const answer = await service.call("POST", "/posts", draft(over));
    expect(answer.status).toBe(422);
    expect(at(answer.body, "error", "code")).toBe("validation_error");
    expect(String(at(answer.body, "error", "message")).startsWith(`${field}: `)).toBe(true);
    expect(at((await service.call("GET", "/posts")).body, "data")).toEqual([]);
  });
});

it("names what is missing from a body, a form or a request of the wrong kind", async () => {
  const service = await startTestService();
  const said = async (method: string, path: string, body?: object): Promise<unknown> =>
    at((await service.call(method, path, body)).body, "error", "message");
  expect(await said("POST", "/posts", {})).toBe("platforms: is missing.");
  expect(await said("POST", "/posts", { platforms: ["twitter"] })).toBe("scheduled_at: is missing.");
  expect(await said("POST", "/ai/text", {})).toBe("prompt: is missing.");
  expect(await said("POST", "/webhooks", { url: "http://127.0.0.1:1/" })).toBe("events: is missing.");
  expect(await said("GET", "/webhooks")).toBe("method: must be POST here.");
  const bare = await fetch(`${service.url}/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.keys.admin}`, "content-type": "multipart/form-data" },
    body: "x",
  });
  expect(await bare.text()).toContain("Content-Type: must contain the boundary of the form.");
});

describe("GET and DELETE /v1/posts/{id}", () => {
  it("cancels a scheduled post, once", async () => {
    const service = await startTestService();
    const id = await create(service);
    const cancelled = await service.call("DELETE", `/posts/${id}`);
    expect(cancelled.status).toBe(200);
    expect(cancelled.body).toMatchObject({ id, status: "cancelled", content: "Hello" });
    expect((await service.call("GET", `/posts/${id}`)).body).toEqual(cancelled.body);
    const again = await service.call("DELETE", `/posts/${id}`);
    expect([again.status, at(again.body, "error", "code")]).toEqual([404, "not_found"]);
  });

  it("one of several cancels of a post succeeds", async () => {
    const service = await startTestService();
    const id = await create(service);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => service.call("DELETE", `/posts/${id}`)),
    );
    expect(answers.filter((each) => each.status === 200)).toHaveLength(1);
    expect(answers.filter((each) => each.status === 404)).toHaveLength(7);
  });

  it("publishes a post at its scheduled time, and then refuses to cancel it", async () => {
    const service = await startTestService();
    const id = await create(service);
    service.clock.ms = Date.UTC(2027, 2, 1, 8) - 1;
    expect(at((await service.call("GET", `/posts/${id}`)).body, "status")).toBe("scheduled");
    service.clock.ms += 1;
    expect(at((await service.call("GET", `/posts/${id}`)).body, "status")).toBe("published");
    const refused = await service.call("DELETE", `/posts/${id}`);
    expect([refused.status, at(refused.body, "error", "code")]).toEqual([422, "validation_error"]);
    expect(at(refused.body, "error", "message")).toContain("published");
  });

  it("keeps a cancelled post cancelled after its scheduled time", async () => {
    const service = await startTestService();
    const id = await create(service);
    await service.call("DELETE", `/posts/${id}`);
    service.clock.ms = Date.UTC(2028, 0, 1);
    expect(at((await service.call("GET", `/posts/${id}`)).body, "status")).toBe("cancelled");
  });

  it.each(["post_none", "__proto__", "%ff", "%2e%2e%2f", "a".repeat(5000)])(
    "knows no post %s",
    async (id) => {
      const service = await startTestService();
      for (const method of ["GET", "DELETE"]) {
        const answer = await service.call(method, `/posts/${id}`);
        expect([answer.status, at(answer.body, "error", "code")]).toEqual([404, "not_found"]);
      }
    },
  );
});

describe("GET /v1/posts", () => {
  const times = [5, 1, 3, 3, 2, 4, 3].map((day) => `2027-02-0${day}T08:00:00Z`);

  async function withPosts(): Promise<TestService> {
    const service = await startTestService();
    for (const scheduled_at of times) await create(service, { scheduled_at });
    return service;
  }

  it("lists by time, then by id, in pages of the size asked for", async () => {
    const service = await withPosts();
    const [whole = []] = await pages(service, "");
    expect(whole.map((post) => at(post, "scheduled_at"))).toEqual([...times].sort());
    const sameTime = whole.slice(2, 5).map((post) => String(at(post, "id")));
    expect(sameTime).toEqual([...sameTime].sort());
    for (const limit of [1, 2, 3, 6, 7, 8]) {
      const some = await pages(service, `limit=${limit}`);
      expect(some.flat()).toEqual(whole);
      expect(some).toHaveLength(Math.ceil(7 / limit));
    }
  });

  it("filters by status", async () => {
    const service = await withPosts();
    const [all = []] = await pages(service, "");
    await service.call("DELETE", `/posts/${String(at(all[6], "id"))}`);
    service.clock.ms = Date.UTC(2027, 1, 3, 8);
    const counts = await Promise.all(
      ["scheduled", "published", "cancelled"].map(
        async (status) => (await pages(service, `status=${status}&limit=2`)).flat().length,
      ),
    );
    expect(counts).toEqual([1, 5, 1]);
  });

  it("lists each post once while posts are created and cancelled between two pages", async () => {
    const service = await withPosts();
    const first = await service.call("GET", "/posts?status=scheduled&limit=3");
    const seen = at(first.body, "data", 0, "id");
    await service.call("DELETE", `/posts/${String(seen)}`);
    await create(service, { scheduled_at: "2027-01-20T08:00:00Z" });
    const cursor = String(at(first.body, "next_cursor"));
    const second = await service.call("GET", `/posts?status=scheduled&cursor=${cursor}`);
    const ids = [first, second].flatMap((page) => {
      const data = at(page.body, "data");
      return Array.isArray(data) ? data.map((post) => at(post, "id")) : [];
    });
    expect(new Set(ids).size).toBe(7);
    expect(ids).toHaveLength(7);
  });

  it("gives 50 posts by default and 1000 at most", async () => {
    const lines = Array.from({ length: 1_012 }, (_, index) =>
      JSON.stringify([
        {
          kind: "post",
          record: { ...draft(), id: `post_${index}`, media_ids: [], created_at: "2026-12-01T00:00:00.000Z" },
        },
      ]),
    );
    const folder = await temporaryFolder();
    await writeFile(join(folder, "store.jsonl"), `${lines.join("\n")}\n`);
    const service = await startTestService({ folder });
    const lengths = await Promise.all(
      ["", "?limit=1000", "?limit=5000"].map(async (query) => {
        const { body } = await service.call("GET", `/posts${query}`);
        const data = at(body, "data");
        expect(typeof at(body, "next_cursor")).toBe("string");
        return Array.isArray(data) ? data.length : undefined;
      }),
    );
    expect(lengths).toEqual([50, 1000, 1000]);
  });

  it.each([
    ["limit", "limit=0"],
    ["limit", "limit=-1"],
    ["limit", "limit=1.5"],
    ["limit", "limit=all"],
    ["limit", "limit="],
    ["status", "status=planned"],
    ["cursor", "cursor=%21"],
    ["cursor", "cursor="],
  ])("refuses a wrong %s: %s", async (field, query) => {
    const service = await startTestService();
    const answer = await service.call("GET", `/posts?${query}`);
    expect([answer.status, at(answer.body, "error", "code")]).toEqual([422, "validation_error"]);
    expect(String(at(answer.body, "error", "message")).startsWith(`${field}: `)).toBe(true);
  });
});
