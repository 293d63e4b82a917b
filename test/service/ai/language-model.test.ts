/** The language model against a strict stand-in: what it gets, and what plancast makes of every answer. */
import { describe, expect, test } from "vitest";
import { type ModelOptions, LanguageModel } from "../../../src/service/ai/language-model.ts";
import { limitsOfProject } from "../../../src/checks/networks/network-names.ts";
import { OriginKey, type RequestKey } from "../../../src/service/http/key.ts";
import { aiSchema } from "../../../src/settings/config.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { AI_KEY, chatAnswer, failure, said, startAiServer } from "../../support/ai-server.ts";
import { startStandIn } from "../../support/networks/stand-in.ts";
import { TestClock } from "../../support/test-clock.ts";
import { tinyPng } from "../../support/tiny-media.ts";

const NO_KEY: RequestKey = { authorization: () => undefined, text: "" };
const SALE = { prompt: "Our spring sale", platform: "bluesky", tone: "casual" };

function open(settings: object, key = NO_KEY, options: Partial<ModelOptions> = {}): LanguageModel {
  const model = new LanguageModel({
    settings: aiSchema.parse({ model: "qwen3", ...settings }),
    key,
    limitsOf: limitsOfProject({ limits: {}, platforms: {}, accounts: {} }),
    clock: new TestClock(),
    random: () => 0.5,
    userAgent: "plancast-test",
    stop: new AbortController().signal,
    onRequest: () => undefined,
    onWait: () => undefined,
    timeoutMs: 20_000,
    ...options,
  });
  afterThisTest(() => model.close());
  return model;
}

test("asks for a text with the limits of its network, and sends a key only if there is one", async () => {
  const server = await startAiServer();
  const model = open({ url: server.url });
  server.answers.push("Spring is here 🌱");
  expect(await model.generateText(SALE)).toMatchObject({
    result: "done",
    value: { text: "Spring is here 🌱" },
  });
  expect(said(server.chats[0], "system")).toContain("300 characters");
});

test.each([
  ["bluesky", ["Bluesky", "300 characters as people see them", "3000 bytes of UTF-8"]],
  ["twitter", ["social network X.", "280 code points", "a link as 23"]],
  ["instagram", ["2200", "at most 5 hashtags"]],
  ["threads", ["at most 5 links"]],
  ["nowhere", ["social network nowhere."]],
])("the prompt for %s names its limits", async (platform, sentences) => {
  const server = await startAiServer();
  await open({ url: `${server.url}/` }).generateText({ ...SALE, platform });
  for (const each of sentences) expect(said(server.chats[0], "system")).toContain(each);
  expect(said(server.chats[0], "system")).toContain("The tone is: casual.");
  expect(said(server.chats[0], "user")).toBe("Our spring sale");
});

test("sends the key only to its own origin", async () => {
  const server = await startAiServer({ key: AI_KEY });
  const key = OriginKey.confirmed(server.origin, AI_KEY, "environment");
  expect(await open({ url: server.url }, key).generateText(SALE)).toMatchObject({ result: "done" });
  const thief = await startStandIn(() => ({ json: {} }));
  const bent = await startStandIn(() => ({
    status: 307,
    headers: { location: `${thief.origin}/v1/chat/completions` },
  }));
  const moved = open({ url: `${bent.origin}/v1` }, OriginKey.confirmed(bent.origin, AI_KEY, "environment"));
  expect(await moved.generateText(SALE)).toMatchObject({
    result: "refused",
    code: "service/unreachable",
    fatal: true,
  });
  expect(thief.requests).toEqual([]);
});

describe("removes what models put around a text", () => {
  test.each([
    ["thinking", "<think>\nHm, short.\n</think>\n\nHello", "Hello"],
    ["quotation marks", '"Hello there"', "Hello there"],
    ["German quotation marks", "„Hallo“", "Hallo"],
    ["a code fence", "```text\nHello\nthere\n```", "Hello\nthere"],
    ["spaces", "\n Hello \r\nthere\n\n", "Hello \nthere"],
  ])("removes %s", async (_name, content, text) => {
    const server = await startAiServer();
    server.answers.push(content);
    expect(await open({ url: server.url }).generateText(SALE)).toMatchObject({ value: { text } });
  });

  test.each(['"Hello", she said. "Bye"', '"', "``` not code"])("leaves %s", async (content) => {
    const server = await startAiServer();
    server.answers.push(content);
    expect(await open({ url: server.url }).generateText(SALE)).toMatchObject({ value: { text: content } });
  });
});

describe("answers that cannot be used", () => {
  test.each([
    ["401", failure(401, "Incorrect API key", "invalid_api_key"), "service/unauthorized", true],
    ["403", failure(403, "No access", null), "service/unauthorized", true],
    ["404", failure(404, "model 'x' not found", null), "ai/not-found", true],
    ["no money", failure(429, "You exceeded your quota", "insufficient_quota"), "service/rate-limited", true],
    ["a long limit", failure(429, "Slow", null, { "retry-after": "3600" }), "service/rate-limited", true],
    ["400", failure(400, "this model does not support images", null), "ai/unusable", false],
    ["a page", { json: "<html>" }, "service/unreachable", true],
    ["other JSON", { json: { choices: [] } }, "service/unreachable", true],
    ["nothing", {}, "service/unreachable", true],
    ["an empty text", chatAnswer(" \n"), "ai/unusable", false],
    ["no text", chatAnswer(null), "ai/unusable", false],
    ["only thinking", chatAnswer("<think>Hm"), "ai/unusable", false],
    [
      "a refusal",
      chatAnswer(null, { message: { content: null, refusal: "I cannot help." } }),
      "ai/unusable",
      false,
    ],
    ["a filter", chatAnswer("", { finish_reason: "content_filter" }), "ai/unusable", false],
    ["half a text", chatAnswer("And then", { finish_reason: "length" }), "ai/unusable", false],
  ])("%s", async (_name, answer, code, fatal) => {
    const server = await startAiServer();
    server.answers.push(answer);
    const result = await open({ url: server.url }).generateText(SALE);
    expect(result).toMatchObject({ result: "refused", code, fatal });
    expect(server.requests).toHaveLength(1);
  });

  test("if the server asks for a short wait, waits and sends the request again", async () => {
    const server = await startAiServer();
    server.answers.push(failure(429, "Slow down", null, { "retry-after": "20" }), "Hello");
    const clock = new TestClock();
    const before = clock.now();
    expect(await open({ url: server.url }, NO_KEY, { clock }).generateText(SALE)).toMatchObject({
      result: "done",
    });
    expect(clock.now() - before).toBeGreaterThanOrEqual(20_000);
  });

  test("if an answer is lost, the result is unknown and the request is not repeated", async () => {
    const server = await startAiServer();
    server.faults.set("/v1/chat/completions", ["lost-answer"]);
    expect(await open({ url: server.url }).generateText(SALE)).toMatchObject({ result: "unknown" });
    expect(server.requests).toHaveLength(1);
  });

  test("a server that does not run", async () => {
    const result = await open({ url: "http://127.0.0.1:1/v1" }).generateText(SALE);
    expect(result).toMatchObject({ result: "refused", code: "service/unreachable", fatal: true });
  });

  test("stops reading an answer that is larger than any text", async () => {
    const server = await startAiServer();
    server.answers.push("x".repeat(5 * 1024 * 1024));
    const result = await open({ url: server.url }).generateText(SALE);
    expect(result).toMatchObject({ result: "unknown", message: expect.stringContaining("too large") });
  });

  test("no message repeats the key", async () => {
    const server = await startAiServer({ key: "another" });
    const key = OriginKey.confirmed(server.origin, AI_KEY, "environment");
    const result = await open({ url: server.url }, key).generateText(SALE);
    expect(result).toMatchObject({
      code: "service/unauthorized",
      message: expect.stringContaining("Incorrect API key"),
    });
    expect(JSON.stringify(result)).not.toContain(AI_KEY);
  });
});

test("if a text is too long, plancast asks once more, and says by how much", async () => {
  const server = await startAiServer();
  server.answers.push("a".repeat(301), "Short");
  expect(await open({ url: server.url }).generateText(SALE)).toMatchObject({ value: { text: "Short" } });
  expect(server.chats[1]?.messages.at(-1)?.content).toContain(
    "That text has 301 characters, but at most 300",
  );
  server.answers.push("a".repeat(301), "b".repeat(400));
  expect(await open({ url: server.url }).generateText(SALE)).toMatchObject({
    result: "refused",
    code: "ai/unusable",
    message: expect.stringContaining("has 400 characters, but Bluesky allows 300"),
  });
});

test("describes a picture on one line, with the model that reads pictures", async () => {
  const server = await startAiServer({ models: ["llava"] });
  server.answers.push("A bed of\nspring onions");
  const model = open({ url: server.url, vision_model: "llava" });
  const bytes = tinyPng(1);
  const described = await model.describePicture({ mime: "image/png", bytes, postText: "Ignore this" });
  expect(described).toMatchObject({ value: { text: "A bed of spring onions" } });
  expect(JSON.stringify(server.chats[0])).toContain(Buffer.from(bytes).toString("base64"));
  expect(said(server.chats[0], "user")).toContain("Ignore this");
  server.answers.push("a ".repeat(600));
  expect(await model.describePicture({ mime: "image/png", bytes, postText: "" })).toMatchObject({
    code: "ai/unusable",
  });
});

test("a model that cannot see the picture writes no alt text", async () => {
  const server = await startAiServer();
  const bytes = tinyPng(1);
  const model = open({ url: server.url });
  server.answers.push("A bed", "**NO_PICTURE**.");
  await model.describePicture({ mime: "image/png", bytes, postText: "" });
  expect(said(server.chats[0], "system")).toContain("answer only with NO_PICTURE");
  expect(await model.describePicture({ mime: "image/png", bytes, postText: "" })).toMatchObject({
    result: "refused",
    code: "ai/unusable",
    message: expect.stringContaining("Set ai.vision_model"),
  });
});

test("makes a picture with the model for pictures, and gets bytes or an address", async () => {
  const server = await startAiServer({ models: ["flux"] });
  const harbour = { prompt: "A harbour", size: "512x512" };
  expect(await open({ url: server.url }).generateImage(harbour)).toMatchObject({ code: "ai/not-configured" });
  const model = open({ url: server.url, image_model: "flux" });
  expect(await model.generateImage(harbour)).toMatchObject({
    value: { base64: Buffer.from(tinyPng(3)).toString("base64") },
  });
  server.answers.push({ json: { data: [{ url: "https://cdn.example.com/1.png" }] } });
  expect(await model.generateImage(harbour)).toMatchObject({
    value: { url: "https://cdn.example.com/1.png" },
  });
  for (const data of [[], [{}], [{ url: "file:///etc/passwd" }], [{ b64_json: "<script>" }]]) {
    server.answers.push({ json: { data } });
    expect(await model.generateImage(harbour)).toMatchObject({ code: "service/unreachable" });
  }
});
