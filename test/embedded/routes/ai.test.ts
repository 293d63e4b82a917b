import * as fc from "fast-check";
import { imageSize } from "image-size";
import { describe, expect, it } from "vitest";
import { simulatedPicture, simulatedText } from "../../../src/embedded/routes/ai.ts";
import { anyText } from "../../support/any-text.ts";
import { type TestService, at, draft, startTestService } from "../../support/embedded-service.ts";
import { manyRuns } from "../../support/property-tests.ts";

const REQUEST = { prompt: "Our spring sale starts on Monday", platform: "twitter", tone: "casual" };

describe("POST /v1/ai/text", () => {
  it("writes a text about the prompt that depends only on prompt, platform and tone", async () => {
    const service = await startTestService();
    const write = async (over: object = {}): Promise<unknown> => {
      const answer = await service.call("POST", "/ai/text", { ...REQUEST, ...over }, "write");
      expect(answer.status).toBe(200);
      return at(answer.body, "content");
    };
    const content = await write();
    expect(content).toContain("Our spring sale starts on Monday");
    expect(await write()).toBe(content);
    expect(await write({ tone: undefined })).toBe(content);
    const others = ["professional", "friendly", "playful", "stern"].map((tone) => write({ tone }));
    expect(new Set([content, ...(await Promise.all(others))]).size).toBeGreaterThan(2);
    expect(await write({ platform: "linkedin" })).not.toBe(content);
  });

  it("writes fewer than 200 characters without control characters for any prompt", () => {
    const words = fc.oneof(anyText(10), anyText(400));
    const tones = fc.oneof(fc.constantFrom("casual", "professional", "friendly", "playful"), fc.string());
    fc.assert(
      fc.property(words, tones, (prompt, tone) => {
        const text = simulatedText({ ...REQUEST, prompt, tone });
        expect([...new Intl.Segmenter("en").segment(text)].length).toBeLessThan(200);
        expect(text).not.toMatch(/[\p{Cc}\p{Cs}]/u);
      }),
      {
        numRuns: manyRuns(600),
        examples: [
          ["x".repeat(4000), "casual"],
          ["語".repeat(4000), "a"],
          ["\u0000\u202e\ud800", "b"],
        ],
      },
    );
  });

  it.each([
    ["prompt", { prompt: undefined }],
    ["prompt", { prompt: " \n" }],
    ["prompt", { prompt: "x".repeat(4001) }],
    ["platform", { platform: undefined }],
    ["platform", { platform: "myspace" }],
    ["tone", { tone: "" }],
    ["tone", { tone: "x".repeat(51) }],
    ["length", { length: 3 }],
  ])("refuses a wrong %s: %j", async (field, over) => {
    const service = await startTestService();
    const answer = await service.call("POST", "/ai/text", { ...REQUEST, ...over });
    expect([answer.status, at(answer.body, "error", "code")]).toEqual([422, "validation_error"]);
    expect(String(at(answer.body, "error", "message")).startsWith(`${field}: `)).toBe(true);
  });
});

async function picture(service: TestService, body: object): Promise<{ id: string; bytes: Buffer }> {
  const made = await service.call("POST", "/ai/image", body, "write");
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ type: "image", mime: "image/png" });
  const headers = { authorization: `Bearer ${service.keys.read}` };
  const file = await fetch(String(at(made.body, "url")), { headers });
  return { id: String(at(made.body, "id")), bytes: Buffer.from(await file.arrayBuffer()) };
}

describe("POST /v1/ai/image", () => {
  it.each(["64x48", "1x1", "7x300", "2048x1"])("makes a PNG of %s", async (size) => {
    const service = await startTestService();
    const { bytes } = await picture(service, { prompt: "A fern", size });
    const { type, width, height } = imageSize(bytes);
    expect([type, `${width}x${height}`]).toEqual(["png", size]);
  });

  it("makes a picture for posts that depends only on the prompt, 1024x1024 by default", async () => {
    const service = await startTestService({ memory: true });
    const first = await picture(service, { prompt: "A fern", size: "90x60" });
    const again = await picture(service, { prompt: "A fern", size: "90x60" });
    const other = await picture(service, { prompt: "A tulip", size: "90x60" });
    expect(again.bytes).toEqual(first.bytes);
    expect(again.id).not.toBe(first.id);
    expect(other.bytes).not.toEqual(first.bytes);
    expect(imageSize((await picture(service, { prompt: "A fern" })).bytes)).toMatchObject({
      width: 1024,
      height: 1024,
    });
    expect((await service.call("POST", "/posts", draft({ media_ids: [first.id] }))).status).toBe(201);
  });

  it("makes a different picture for each of 100 prompts", () => {
    const small = { width: 8, height: 8 };
    const seen = new Set<string>();
    for (let count = 0; count < 100; count += 1)
      seen.add(Buffer.from(simulatedPicture(`${count}`, small)).toString("hex"));
    expect(seen.size).toBe(100);
  });

  it.each(["0x10", "10x0", "2049x10", "10x2049", "1024", "10X10", "-1x5", "1e3x1", " 10x10"])(
    "refuses the size %j",
    async (size) => {
      const service = await startTestService();
      const answer = await service.call("POST", "/ai/image", { prompt: "A fern", size });
      expect(answer.status).toBe(422);
      expect(String(at(answer.body, "error", "message")).startsWith("size: ")).toBe(true);
    },
  );
});
