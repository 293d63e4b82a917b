/** `ai:` in plancast.yaml: a language model writes drafts and alt texts, and gets no key that nobody confirmed. */
import { describe, expect, test } from "vitest";
import { AI_KEY, chatAnswer, failure, said, startAiServer } from "../../support/ai-server.ts";
import { HEAD, row } from "../../support/drafts.ts";
import { makeProject } from "../../support/project.ts";
import { startStandIn } from "../../support/networks/stand-in.ts";
import { runCommand, startCommand } from "../../support/run-command.ts";
import { csv } from "../../support/scenario.ts";
import { TestClock } from "../../support/test-clock.ts";
import { tinyPng } from "../../support/tiny-media.ts";

interface World {
  readonly ai?: object;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly key?: string;
  readonly config?: object;
}

async function world({ ai, files, key, config }: World) {
  const server = await startAiServer(key === undefined ? {} : { key });
  const project = await makeProject({
    config: { timezone: "UTC", ai: { url: server.url, model: "qwen3", ...ai }, ...config },
    files,
  });
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCommand(args, { cwd: project.root, env, clock: new TestClock() });
  return { server, project, run };
}

test("draft needs no service, and writes texts as drafts", async () => {
  const files = { "calendars/a.csv": csv(HEAD, row("spring", "bluesky, linkedin")) };
  const { server, project, run } = await world({ files });
  server.answers.push("=SUM(A1)", "For LinkedIn");
  const { code, stdout } = await run(["draft", "--yes"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("Drafted 1 row in 1 calendar.")]);
  const written = await project.read("calendars/a.csv");
  expect(written).toContain("For LinkedIn");
  expect(written).toContain("draft");
  // Spreadsheets run a cell that begins with =.
  expect(written).not.toMatch(/(?:^|,|")=SUM/);
  expect(server.chats.map((chat) => said(chat, "user"))).toEqual(["About spring", "About spring"]);
  expect((await run(["draft", "--yes"])).stdout).toContain("Nothing was written");
  expect(server.chats).toHaveLength(2);
});

test("the question names the model and its server", async () => {
  const { project, server } = await world({ files: { "calendars/a.csv": csv(HEAD, row("a")) } });
  const questions: string[] = [];
  await runCommand(["draft"], {
    cwd: project.root,
    terminal: {
      answer: (question) => {
        questions.push(question);
        return false;
      },
    },
  });
  expect(questions).toEqual([
    `1 request: 1 text for 1 row. qwen3 at ${server.origin} gets the prompts, and may charge for this. Continue? [y/N] `,
  ]);
  expect(server.requests).toEqual([]);
});

test("in CI, a model without a key gets nothing unless the environment names its address", async () => {
  const files = { "calendars/a.csv": csv(HEAD, row("a")) };
  const { server, run } = await world({ files });
  server.answers.push("Hello");
  const ask = (env: Readonly<Record<string, string>>) => run(["draft", "--yes"], { CI: "true", ...env });
  for (const refused of [{}, { PLANCAST_TRUSTED_ORIGINS: "https://models.example.com=NO_KEY" }]) {
    const { code, stderr } = await ask(refused);
    expect([code, stderr]).toEqual([1, expect.stringContaining("service/url-not-confirmed")]);
  }
  const text = await run(["ai", "text", "--prompt", "x", "--platform", "bluesky"], { CI: "true" });
  expect(text.stderr).toContain("service/url-not-confirmed");
  expect(server.requests).toEqual([]);
  expect((await ask({ PLANCAST_TRUSTED_ORIGINS: `${server.origin}=NO_KEY` })).code).toBe(0);
  expect(server.requests).toHaveLength(1);
});

test("a model on another machine gets no prompt until somebody confirms its address", async () => {
  // Nothing listens there, so a request ends with service/unreachable. It is not one of the addresses that count as this machine.
  const origin = "https://0.0.0.0:1";
  const ai = { url: `${origin}/v1` };
  const { project, run } = await world({ files: { "calendars/a.csv": csv(HEAD, row("a")) }, ai });
  const ask = ["ai", "text", "--prompt", "x", "--platform", "bluesky"];
  const unconfirmed = [ask, ["draft", "--yes"], [...ask, "--trust-url", "https://other.example=NO_KEY"]];
  for (const args of unconfirmed) {
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([1, expect.stringContaining("service/url-not-confirmed")]);
  }
  const confirmed = await run([...ask, "--trust-url", `${origin}=NO_KEY`]);
  expect(confirmed.stderr).toContain("service/unreachable");

  const questions: string[] = [];
  const settings = await makeProject({ config: false });
  const answering = (isYes: boolean) => ({
    cwd: project.root,
    env: { XDG_CONFIG_HOME: settings.root },
    clock: new TestClock(),
    terminal: { answer: (question: string) => questions.push(question) > 0 && isYes },
  });
  expect((await runCommand(ask, answering(false))).stderr).toContain("service/url-not-confirmed");
  expect((await runCommand(ask, answering(true))).stderr).toContain("service/unreachable");
  expect((await runCommand(ask, answering(false))).stderr).toContain("service/unreachable");
  expect(questions).toEqual(
    Array(2).fill(expect.stringMatching(/prompts and pictures to https:\/\/0\.0\.0\.0:1 before/)),
  );
});

test.each([
  [failure(401, "Incorrect API key", "invalid_api_key"), "service/unauthorized"],
  [failure(404, "model 'qwen3' not found", null), "ai/not-found"],
  [{ json: { hello: 1 } }, "service/unreachable"],
])("a fault that ends the run is shown once with its code: %#", async (answer, code) => {
  const files = { "calendars/a.csv": csv(HEAD, row("a"), row("b"), row("c")) };
  const { server, run } = await world({ files });
  server.answers.push(answer);
  const ended = await run(["draft", "--yes"]);
  expect([ended.code, ended.stdout]).toEqual([1, expect.stringContaining(code)]);
  expect(ended.stdout).toContain("2 not requested");
  expect(server.requests).toHaveLength(1);
});

test("an endless rate limit of the model ends after some minutes, and the wait names its server", async () => {
  const { server, project } = await world({ files: {} });
  server.answers.push(...Array.from({ length: 100 }, () => failure(429, "Slow down.", null)));
  const clock = new TestClock();
  const before = clock.now();
  const ask = ["ai", "text", "--prompt", "x", "--platform", "bluesky"];
  const { code, stderr } = await runCommand(ask, { cwd: project.root, clock });
  expect(stderr).toContain(`because the rate limit of the language model at ${server.origin} refused one`);
  const said = stderr.replaceAll(/\s+/g, " ");
  // The waits are partly random, so the last one may end more than half a minute later.
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(/Slow down\. plancast tried again for [56] minutes/),
  ]);
  expect(clock.now() - before).toBeLessThan(6 * 60_000);
});

test("control characters of a model reach neither the calendar nor the terminal", async () => {
  const { server, project, run } = await world({ files: { "calendars/a.csv": csv(HEAD, row("a")) } });
  server.answers.push("Hello \u001b[31mred\u0007");
  const { code, stdout } = await run(["draft", "--yes"]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("ai/unusable")]);
  expect(stdout + (await project.read("calendars/a.csv"))).not.toMatch(/[^\P{Cc}\n]/u);
});

describe("the key of the model", () => {
  const files = { "calendars/a.csv": csv(HEAD, row("a")) };
  const ai = { key_env: "MODEL_KEY" };

  test("goes only to an origin that the environment or a person confirmed", async () => {
    const { server, project, run } = await world({ files, ai, key: AI_KEY });
    for (const env of [
      { CI: "true" },
      {},
      { PLANCAST_TRUSTED_ORIGINS: "https://api.openai.com=MODEL_KEY" },
    ]) {
      const { code, stdout, stderr } = await run(["draft", "--yes"], { ...env, MODEL_KEY: AI_KEY });
      expect([code, stderr]).toEqual([1, expect.stringContaining("service/url-not-confirmed")]);
      expect(stdout + stderr).not.toContain(AI_KEY);
    }
    expect(server.requests).toEqual([]);
    const no = { cwd: project.root, env: { MODEL_KEY: AI_KEY }, terminal: { answer: () => false } };
    expect((await runCommand(["draft"], no)).stderr).toContain("you did not confirm it");
    expect(server.requests).toEqual([]);
    const trusted = { MODEL_KEY: AI_KEY, CI: "true", PLANCAST_TRUSTED_ORIGINS: `${server.origin}=MODEL_KEY` };
    expect((await run(["draft", "--yes"], trusted)).code).toBe(0);
  });

  test("a missing key says which variable to set, before anything is sent", async () => {
    const { server, run } = await world({ files, ai, key: AI_KEY });
    const { code, stderr } = await run(["draft", "--yes"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("service/unauthorized")]);
    expect(stderr).toContain("MODEL_KEY");
    expect(server.requests).toEqual([]);
  });

  test.each([
    ["http://models.example.com/v1", "is plain http"],
    ["https://user:secret@models.example.com/v1", "must be an address"],
    ["https://models.example.com/v1?key=secret", "must be an address"],
    ["ftp://models.example.com", "must be an address"],
  ])("refuses %s without repeating a secret in it", async (url, why) => {
    const { run } = await world({ files, ai: { url } });
    const { code, stdout, stderr } = await run(["draft", "--yes"]);
    expect(code).toBe(1);
    expect((stdout + stderr).replaceAll(/\s+/g, " ")).toContain(why);
  });
});

const ALT_HEAD = ["id", "scheduled_at", "platforms", "content", "media", "alt", "status"];
function altRow(id: string, media: string, alt = "", status = "ready"): string[] {
  return [id, "2036-03-01 10:00", "mastodon", `Text of ${id}`, media, alt, status];
}

describe("alt texts", () => {
  const pictures = Object.fromEntries(
    ["a", "b", "c"].map((name, index) => [`calendars/${name}.png`, tinyPng(index)]),
  );
  const video = Buffer.from("0000001866747970697336d0000002006973366d", "hex");

  test("fill only blank places, in their order, and do not change the status", async () => {
    const rows = [
      altRow("one", "a.png"),
      altRow("several", "a.png, b.png, c.png", "| Mine |"),
      altRow("done", "b.png", "Mine"),
      altRow("skipped", "b.png", "", "skip"),
      altRow("service", "media_81"),
    ];
    const { server, project, run } = await world({
      files: { ...pictures, "calendars/a.csv": csv(ALT_HEAD, ...rows) },
    });
    const last = Buffer.from(tinyPng(2)).toString("base64");
    server.answerTo = (chat) => {
      if (said(chat, "user").includes("Text of one")) return "A red bed";
      return JSON.stringify(chat).includes(last) ? "A last\nbed" : "A first | bed";
    };
    const dry = await run(["draft", "--alt", "--dry-run"]);
    expect(dry.stdout).toContain("3 requests: 3 alt texts for 2 rows.");
    const { code, stdout } = await run(["draft", "--alt", "--yes"]);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("compare them with the pictures");
    const written = await project.read("calendars/a.csv");
    expect(written).toContain('"A red bed","ready"');
    expect(written).toMatch(/"\s*A first \| bed \|\| Mine \|\| A last bed","ready"/);
    expect(written).toContain('"media_81","","ready"');
    expect(server.chats.every((chat) => said(chat, "user").includes("Text of"))).toBe(true);
    expect((await run(["draft", "--alt", "--yes"])).stdout).toContain("Nothing was written");
  });

  test("in YAML, as a text or in a list", async () => {
    const calendar = `posts:
  - { id: one, scheduled_at: 2036-03-01 10:00, platforms: mastodon, content: One, media: a.png }
  - id: two
    scheduled_at: 2036-03-01 10:00
    platforms: mastodon
    content: Two
    media: [a.png, b.png]
    alt: ["", Mine]
  - id: three # stays
    scheduled_at: 2036-03-02 10:00
    platforms: mastodon
    content: Three
    media:
      - { file: a.png, alt: Mine }
      - file: b.png # the bed
      - c.png
`;
    const { server, project, run } = await world({ files: { ...pictures, "calendars/a.yaml": calendar } });
    server.answerTo = (chat) => (/One|Two/.exec(said(chat, "user"))?.[0] === "One" ? "First" : "Second");
    expect((await run(["draft", "--alt", "--yes"])).code).toBe(0);
    const written = await project.read("calendars/a.yaml");
    expect(written).toMatch(/alt: "?First/);
    expect(written).toMatch(/alt: \["?Second"?, "?Mine"?\]/);
    expect(written).toContain(`  - id: three # stays
    scheduled_at: 2036-03-02 10:00
    platforms: mastodon
    content: Three
    media:
      - { file: a.png, alt: Mine }
      - file: b.png # the bed
        alt: Second
      - { file: c.png, alt: Second }
`);
  });

  test("name the files that no model can describe, and continue with the others", async () => {
    const rows = [
      altRow("gone", "d.png"),
      altRow("film", "f.mp4"),
      altRow("text", "t.png"),
      altRow("good", "a.png"),
    ];
    const files = { ...pictures, "calendars/f.mp4": video, "calendars/t.png": "no picture" };
    const { server, project, run } = await world({
      files: { ...files, "calendars/a.csv": csv(ALT_HEAD, ...rows) },
    });
    server.answers.push("A bed");
    const { code, stderr } = await run(["draft", "--alt", "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toContain("media/missing");
    expect(stderr).toContain("ai/picture");
    expect(await project.read("calendars/a.csv")).toContain('"a.png","A bed"');
    expect(server.chats).toHaveLength(1);
  });

  test("replace an existing one only with --again and its row", async () => {
    const rows = [altRow("one", "a.png", "Old"), altRow("two", "b.png", "Kept")];
    const { server, project, run } = await world({
      files: { ...pictures, "calendars/a.csv": csv(ALT_HEAD, ...rows) },
    });
    server.answers.push("New");
    expect((await run(["draft", "--alt", "--yes", "--again", "one"])).code).toBe(0);
    expect(await project.read("calendars/a.csv")).toMatch(/"New"[^]*"Kept"/);
    expect((await run(["draft", "--alt", "--yes", "--again", "three"])).stderr).toContain("usage/not-found");
  });

  test("a model that cannot read pictures, and a model that declines", async () => {
    const rows = [altRow("one", "a.png"), altRow("two", "b.png")];
    const { server, run } = await world({
      files: { ...pictures, "calendars/a.csv": csv(ALT_HEAD, ...rows) },
    });
    server.answers.push(
      failure(400, "this model does not support image input", null),
      chatAnswer(null, { message: { content: null, refusal: "No faces." } }),
    );
    const { code, stdout } = await run(["draft", "--alt", "--yes", "--format", "json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).undrafted).toMatchObject([
      { kind: "alt", code: "ai/unusable", message: expect.stringContaining("does not support image input") },
      { kind: "alt", code: "ai/unusable", message: expect.stringContaining("No faces.") },
    ]);
  });

  test("need ai: in plancast.yaml", async () => {
    const { root } = await makeProject({ config: {}, files: { "calendars/a.csv": csv(ALT_HEAD) } });
    const { code, stderr } = await runCommand(["draft", "--alt"], { cwd: root });
    expect([code, stderr]).toEqual([1, expect.stringContaining("ai/not-configured")]);
  });

  test("do not drop texts that an earlier run kept", async () => {
    const head = [...HEAD.slice(0, 4), "★", "media"];
    const files = { "calendars/a.csv": csv(head, row("a", "twitter", "About a", "a.png")), ...pictures };
    const { server, project, run } = await world({ files, config: { columns: { "★": "content" } } });
    server.answers.push("=no place for a formula", "A bed");
    expect((await run(["draft", "--yes"])).stdout).toContain("write/not-written");
    const { code, stdout } = await run(["draft", "--alt", "--yes"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 answer kept for the next run")]);
    expect(await project.read(".plancast/drafts.log")).toContain("=no place");
  });
});

test("plancast ai uses the model, too", async () => {
  const { server, run } = await world({ files: {}, ai: { image_model: "qwen3" } });
  server.answers.push("A text");
  expect((await run(["ai", "text", "--prompt", "Sale", "--platform", "bluesky"])).stdout).toBe("A text\n");
  const made = await run(["ai", "image", "--prompt", "A harbour", "--out", "harbour.png"]);
  expect([made.code, made.stdout]).toEqual([0, "Saved harbour.png.\n"]);
  expect(server.images).toEqual([{ model: "qwen3", prompt: "A harbour", size: "1024x1024", n: 1 }]);
});

test("serve answers its AI endpoints with the model, and runs without one that has no key", async () => {
  const config = { service: { url: "embedded" } };
  const { server, project } = await world({
    files: {},
    config,
    ai: { image_model: "qwen3", key_env: "MODEL_KEY" },
    key: AI_KEY,
  });
  const start = (env: Record<string, string>) =>
    startCommand(["serve", "--port", "0"], { cwd: project.root, env });
  const ask = async (serving: ReturnType<typeof start>, path: string, json: object) => {
    await serving.waitFor(/"url"/);
    const { url, keys } = JSON.parse(serving.stdout().split("\n")[0] ?? "");
    const headers = { authorization: `Bearer ${keys.write}`, "content-type": "application/json" };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(json) });
    return [response.status, await response.json()];
  };
  const without = start({});
  const asked = { prompt: "Sale", platform: "bluesky" };
  expect(await ask(without, "/ai/text", asked)).toEqual([
    502,
    { error: { code: "platform_error", message: expect.stringContaining("MODEL_KEY") } },
  ]);
  expect(without.stderr()).toContain("service/unauthorized");
  without.stop();
  await without.ended;
  const serving = start({ MODEL_KEY: AI_KEY, PLANCAST_TRUSTED_ORIGINS: `${server.origin}=MODEL_KEY` });
  server.answers.push("A text", "picture", chatAnswer(""));
  expect(await ask(serving, "/ai/text", asked)).toEqual([
    200,
    { content: "A text", platform: "bluesky", tone: "casual" },
  ]);
  expect(await ask(serving, "/ai/image", { prompt: "A harbour" })).toMatchObject([201, { type: "image" }]);
  expect(await ask(serving, "/ai/text", asked)).toMatchObject([
    502,
    { error: { message: expect.stringContaining("empty") } },
  ]);
});

test("if a model's server redirects elsewhere, plancast sends nothing there", async () => {
  const thief = await startStandIn(() => ({ json: {} }));
  const bent = await startStandIn(() => ({ status: 308, headers: { location: `${thief.origin}/x` } }));
  const files = { "calendars/a.csv": csv(HEAD, row("a")) };
  const { run } = await world({ files, ai: { url: `${bent.origin}/v1` } });
  expect((await run(["draft", "--yes"])).stdout).toContain("service/unreachable");
  expect(thief.requests).toEqual([]);
});
