import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ROUTES } from "../../../src/embedded/app.ts";
import { checkDescribed } from "../../support/described-answers.ts";
import { at, draft, startTestService } from "../../support/embedded-service.ts";

const document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

describe("/openapi.json", () => {
  it("is valid OpenAPI 3.1, needs no key and does not count against the limit", async () => {
    const service = await startTestService();
    const origin = new URL(service.url).origin;
    const answer = await fetch(`${origin}/openapi.json`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("600");
    const description = document.parse(await answer.json());
    const validator = new Validator();
    expect(await validator.validate(structuredClone(description))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    expect(at(description, "servers")).toEqual([{ url: service.url }]);
    expect((await fetch(`${origin}/openapi.json`, { method: "POST" })).status).toBe(401);
  });

  it("describes exactly the endpoints that exist, each under its own name", async () => {
    const service = await startTestService();
    const answer = await fetch(`${new URL(service.url).origin}/openapi.json`);
    const { paths } = document.parse(await answer.json());
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
    );
    expect(described.sort()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
    const names = ROUTES.map((route) => route.operation);
    expect(new Set(names).size).toBe(names.length);
  });

  it("describes what a post requires and what a list accepts", async () => {
    const service = await startTestService();
    const answer = await fetch(`${new URL(service.url).origin}/openapi.json`);
    const description: unknown = await answer.json();
    const newPost = at(description, "components", "schemas", "NewPost");
    expect(at(newPost, "required")).toEqual(["platforms", "scheduled_at"]);
    expect(at(newPost, "additionalProperties")).toBe(false);
    expect(at(description, "paths", "/posts", "get", "parameters", 0)).toMatchObject({
      name: "limit",
      in: "query",
      schema: { type: "integer", minimum: 1, default: 50 },
    });
    const form = at(description, "paths", "/media", "post", "requestBody", "content", "multipart/form-data");
    expect(at(form, "schema", "properties", "file")).toEqual({ type: "string", format: "binary" });
  });
});

describe("the check of answers against the description", () => {
  const post = { id: "a", status: "scheduled", content: "", platforms: [], media_ids: [] };
  const whole = { ...post, scheduled_at: "2027-03-01T08:00:00Z", created_at: "2027-01-01T00:00:00.000Z" };
  const url = "http://127.0.0.1:1/v1/posts/a";

  it("accepts described answers and no others", () => {
    checkDescribed("GET", url, 200, whole);
    expect(() => checkDescribed("GET", url, 200, post)).toThrow("scheduled_at");
    expect(() => checkDescribed("GET", url, 200, { ...whole, more: 1 })).toThrow("additional properties");
    expect(() => checkDescribed("GET", url, 200, { ...whole, status: "lost" })).toThrow("allowed values");
    expect(() => checkDescribed("GET", url, 201, whole)).toThrow("not described to answer 201");
    expect(() => checkDescribed("GET", url, 404, { error: "gone" })).toThrow("must be object");
    expect(() => checkDescribed("PUT", url, 405, {})).toThrow("error");
  });
});

describe("unknown fields", () => {
  it.each([
    ["POST", "/posts", draft({ schedule_at: "2027-03-01T08:00:00Z" }), "schedule_at"],
    ["GET", "/posts?stauts=scheduled", undefined, "stauts"],
    ["GET", "/posts/post_1?limit=1", undefined, "limit"],
    ["GET", "/posts?limit=1&limit=2", undefined, "limit"],
    ["GET", `/posts?${"x".repeat(5000)}=1`, undefined, `${"x".repeat(100)}…`],
  ])("are refused by name: %s %s", async (method, path, body, name) => {
    const service = await startTestService();
    const answer = await service.call(method, path, body);
    expect([answer.status, at(answer.body, "error", "code")]).toEqual([422, "validation_error"]);
    expect(String(at(answer.body, "error", "message")).startsWith(`${name}: `)).toBe(true);
  });
});
