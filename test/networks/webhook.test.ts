/** Publishing to a webhook: at most once, with a delivery id. */
import { expect, test } from "vitest";
import { attempt, networkPost, open, picture } from "../support/networks/open.ts";
import { type StandInAnswer, type StandInRequest, startStandIn } from "../support/networks/stand-in.ts";

async function startReceiver(
  settings: object = {},
  answer: StandInAnswer | ((request: StandInRequest) => StandInAnswer) = { json: {} },
) {
  const received: StandInRequest[] = [];
  const server = await startStandIn((request) => {
    received.push(request);
    return typeof answer === "function" ? answer(request) : answer;
  });
  const given = { network: "webhook", url_env: "PRESS_WEBHOOK", ...settings };
  const logged: string[] = [];
  const onRequest = ({ path }: { path: string }): void => void logged.push(path);
  const network = open(given, `${server.origin}/hook/s3cret?key=t0ken`, { onRequest });
  const bodies = () => received.map(({ body }) => JSON.parse(body.toString("utf8")) as unknown);
  return { server, received, network, logged, bodies };
}

test("sends the post with its media and a delivery id, and no authorization", async () => {
  const { received, network, bodies } = await startReceiver({}, { json: { url: "https://example.com/1" } });
  const post = networkPost({ thread: ["Two"], media: [picture(1, "A bed")] });
  expect(await network.publish(post, attempt())).toEqual({
    state: "published",
    url: "https://example.com/1",
  });
  const [{ headers, url } = { headers: {} as StandInRequest["headers"], url: undefined }] = received;
  expect(url?.search).toBe("?key=t0ken");
  expect(headers.authorization).toBeUndefined();
  expect(headers["x-plancast-delivery"]).toBe(headers["idempotency-key"]);
  const data = Buffer.from(await (await picture(1).open()).arrayBuffer()).toString("base64");
  expect(bodies()).toEqual([
    {
      version: 1,
      id: headers["x-plancast-delivery"],
      text: "Hello",
      thread: ["Two"],
      scheduled_at: "2027-03-01T08:00:00Z",
      media: [{ type: "image/png", alt: "A bed", width: 4, height: 4, data }],
    },
  ]);
});

test("follows a redirect to an address that contains the secret one", async () => {
  const { network, received, logged } = await startReceiver({}, ({ url }) =>
    url.pathname.endsWith("/new")
      ? { json: {} }
      : { status: 308, headers: { location: "/hook/s3cret/new?key=t0ken" } },
  );
  expect(await network.publish(networkPost(), attempt())).toMatchObject({ state: "published" });
  expect(received.map(({ url }) => url.pathname + url.search)).toEqual([
    "/hook/s3cret?key=t0ken",
    "/hook/s3cret/new?key=t0ken",
  ]);
  expect(logged.join()).not.toMatch(/s3cret\?|t0ken/);
});

test("a receiver that redirects in a circle has not got the post", async () => {
  const { network } = await startReceiver({}, ({ url }) => ({
    status: 307,
    headers: { location: url.href },
  }));
  const result = await network.publish(networkPost(), attempt());
  expect(result).toMatchObject({ state: "failed", reason: expect.stringContaining("in a circle") });
  expect(JSON.stringify(result)).not.toMatch(/s3cret|t0ken/);
});

test("a request without an answer is unknown, stays so, and is sent once", async () => {
  const { server, network } = await startReceiver();
  server.watch = (_request, moment) => (moment === "handled" ? "lost-answer" : undefined);
  expect(await network.publish(networkPost(), attempt())).toMatchObject({ state: "unknown" });
  expect(await network.settle(networkPost(), attempt())).toMatchObject({ state: "unknown" });
  expect(server.requests).toHaveLength(1);
});

test("with resend, it may be sent again, with the same delivery id", async () => {
  const { server, network, received } = await startReceiver({ resend: true });
  server.faults.set("/hook/s3cret", ["lost-answer"]);
  expect(await network.settle(networkPost(), attempt())).toEqual({ state: "absent" });
  expect(await network.publish(networkPost(), attempt())).toMatchObject({ state: "published" });
  expect(new Set(received.map(({ headers }) => headers["x-plancast-delivery"])).size).toBe(1);
  expect(received).toHaveLength(2);
});

test("Slack and Discord get their own forms, in which a text notifies nobody", async () => {
  const slack = await startReceiver({ form: "slack" });
  await slack.network.publish(networkPost({ content: "<!channel> & co" }), attempt());
  expect(slack.bodies()).toEqual([{ text: "&lt;!channel&gt; &amp; co" }]);
  expect(await slack.network.publish(networkPost({ media: [picture(1)] }), attempt())).toMatchObject({
    state: "failed",
    retry: false,
  });
  const discord = await startReceiver({ form: "discord" });
  await discord.network.publish(networkPost({ content: "@everyone" }), attempt());
  expect(discord.bodies()).toEqual([{ content: "@everyone", allowed_mentions: { parse: [] } }]);
  expect(discord.received[0]?.url.search).toBe("?key=t0ken&wait=true");
  await discord.network.publish(networkPost({ media: [picture(1, "A bed")] }), attempt());
  const form = discord.received[1]?.body.toString("latin1") ?? "";
  expect(form).toContain('"attachments":[{"id":0,"description":"A bed"}]');
  expect(form).toContain('name="files[0]"');
});

test("Discord counts everything that is sent as one text, and refusals say so before anything is sent", async () => {
  const { network, received } = await startReceiver({ form: "discord" });
  const parts = { thread: ["b".repeat(1000)], comment: "c" };
  expect(await network.publish(networkPost({ content: "a".repeat(996), ...parts }), attempt())).toEqual({
    state: "failed",
    reason: "the text has 2001 characters, and the server accepts at most 2000",
    retry: false,
  });
  const media = [{ ...picture(1), bytes: 10_000_001 }];
  expect(await network.publish(networkPost({ media }), attempt())).toMatchObject({
    reason: "the files have 10000001 bytes, and the server accepts at most 10MB",
  });
  expect(received).toHaveLength(0);
  await network.publish(networkPost({ content: "a".repeat(995), ...parts }), attempt());
  expect(received).toHaveLength(1);
});

const LONG = { code: 50035, message: "Invalid Form Body" };

test.each<[string, object, number, unknown, object]>([
  [
    "Discord's field",
    { form: "discord" },
    400,
    {
      ...LONG,
      errors: { content: { _errors: [{ code: "X", message: "Must be 2000 or fewer in length." }] } },
    },
    { reason: "HTTP 400: content: Must be 2000 or fewer in length", retry: false },
  ],
  [
    "Discord's older form",
    { form: "discord" },
    400,
    { embeds: ["0"], content: ["Must be 2000 or fewer in length."] },
    { reason: "HTTP 400: embeds: 0; content: Must be 2000 or fewer in length" },
  ],
  [
    "a nested field",
    { form: "discord" },
    400,
    { ...LONG, errors: { attachments: { 0: { description: { _errors: [{ message: "Too long" }] } } } } },
    { reason: "HTTP 400: attachments.0.description: Too long" },
  ],
  [
    "Discord's code",
    { form: "discord" },
    400,
    { code: 50006, message: "Cannot send an empty message" },
    { reason: "HTTP 400: Cannot send an empty message", retry: false },
  ],
  [
    "Discord's removed webhook",
    { form: "discord" },
    404,
    { code: 10015, message: "Unknown Webhook" },
    {
      reason: expect.stringMatching(/^HTTP 404: Unknown Webhook\. If this stays so, make a new address/),
      retry: true,
      isSignInRefused: true,
    },
  ],
  [
    "Slack's code",
    { form: "slack" },
    410,
    "channel_is_archived",
    { reason: expect.stringMatching(/^HTTP 410: the channel is archived\. If/), retry: true },
  ],
  [
    "Slack's text",
    { form: "slack" },
    400,
    "no_text\n",
    { reason: "HTTP 400: the text is empty", retry: false },
  ],
  ["another word", { form: "slack" }, 400, "surprise", { retry: false }],
  ["a page", { form: "discord" }, 400, "<title>Bad</title>", { reason: 'HTTP 400 with a page ("Bad")' }],
])("a refusal in words: %s", async (_what, settings, status, said, expected) => {
  const answer = typeof said === "string" ? { status, text: said } : { status, json: said };
  const { network } = await startReceiver(settings, answer);
  expect(await network.publish(networkPost(), attempt())).toMatchObject({ state: "failed", ...expected });
});

test("its address appears in no result and no log", async () => {
  const { network, logged, server } = await startReceiver(
    {},
    { status: 404, json: { error: "no /hook/s3cret?key=t0ken" } },
  );
  const result = await network.publish(networkPost(), attempt());
  expect(result).toMatchObject({ state: "failed", retry: true, isSignInRefused: true });
  expect(server.requests).toHaveLength(1);
  expect(JSON.stringify([result, logged, await network.check()])).not.toMatch(/s3cret|t0ken/);
});

test("no long part of its address is in a result", async () => {
  const secrets = ["5f0a2c1e-7777-4444", "lo/ng+t0ken"];
  const server = await startStandIn(() => ({
    status: 404,
    json: { error: `The webhook "POST ${secrets[0]}" with ${secrets[1]} is not registered` },
  }));
  const address = `${server.origin}/webhook/${secrets[0]}?key=${encodeURIComponent(secrets[1] ?? "")}`;
  const network = open({ network: "webhook", url_env: "HOOK" }, address, {});
  const result = await network.publish(networkPost(), attempt());
  expect(result).toMatchObject({ state: "failed", reason: expect.stringContaining("is not registered") });
  expect(JSON.stringify(result)).not.toMatch(/5f0a2c1e|t0ken/);
});

test("an address without https is refused, and not repeated", () => {
  expect(() => open({ network: "webhook", url_env: "HOOK" }, "http://hooks.example.com/s3cret")).toThrow(
    /The address in HOOK is not an https address/,
  );
});
