/** The other commands on Postiz and Zernio: pull, doctor, platforms, preview, and the rules for keys. */
import { expect, test } from "vitest";
import { row, sha256 } from "../../support/contract/contract-world.ts";
import { bufferWorld, postizWorld, zernioWorld } from "../../support/contract/worlds.ts";
import { runCommand } from "../../support/run-command.ts";
import { makeProject } from "../../support/project.ts";
import { startMediaHost } from "../../support/media-host.ts";
import { tinyPng } from "../../support/tiny-media.ts";

const SERVICES = [
  ["postiz", () => postizWorld()],
  ["zernio", () => zernioWorld()],
  ["buffer", () => bufferWorld()],
] as const;

const TITLES = { postiz: "Postiz", zernio: "Zernio", buffer: "Buffer" } as const;

test.each(SERVICES)(
  "%s: pull --adopt writes each scheduled post as a row that needs no change",
  async (_name, start) => {
    const { world, addForeign } = await start();
    const at = "2030-02-05T09:00:00.000Z";
    const text = "One & <two>\n\nthree";
    const id = addForeign("Not ours", at);
    addForeign(
      _name === "postiz" ? "One &amp; &lt;two&gt;</p><p></p><p>three" : text,
      "2030-02-06T09:00:00.000Z",
    );
    const pulled = await world.run("pull", "--out", "pulled.yaml", "--adopt", "--yes");
    expect([pulled.code, pulled.stderr.includes("pull/media-untold")]).toEqual([0, _name === "postiz"]);
    const file = await world.project.read("pulled.yaml");
    expect(file).toContain("linkedin/brand");
    expect(file).toContain("One & <two>");
    expect(await world.planned()).toEqual({ keep: 2 });
    const lockfile: unknown = JSON.parse(await world.project.read("plancast.lock.json"));
    // A key of another customer of the service is refused from now on.
    expect(lockfile).toMatchObject({
      accounts: { length: _name === "buffer" ? 6 : 5 },
      posts: expect.anything(),
    });
    expect(JSON.stringify(lockfile)).toContain(id);
    // With GraphQL, also a request that only reads is a POST.
    const writing = world.server.requests.filter(({ method }) => method !== "GET");
    expect(_name === "buffer" ? [] : writing).toEqual([]);
  },
);

test("Zernio: pull writes media as their addresses, and the rows need no change", async () => {
  const { world } = await zernioWorld();
  const host = await startMediaHost();
  const files = [tinyPng(1), tinyPng(2)];
  files.forEach((file, index) => host.serve(`/${index}.png`, file));
  await world.configure(`media: { allow_hosts: ["127.0.0.1:${host.port}"] }`);
  const id = world.server.addForeignPost({
    content: "one",
    scheduledFor: "2030-02-05T09:00:00.000Z",
    platforms: [{ platform: "twitter", accountId: "acc-x" }],
    mediaItems: files.map((_, index) => ({
      type: "image",
      url: host.url(`/${index}.png`),
      altText: `Picture ${index}`,
    })),
  });
  const pulled = await world.run("pull", "--out", "pulled.yaml", "--adopt", "--yes", "--format", "json");
  expect(JSON.parse(pulled.stdout)).toMatchObject({ left_out: [] });
  const text = await world.project.read("pulled.yaml");
  expect(text).toContain(host.url("/1.png"));
  expect(await world.planned()).toEqual({ keep: 1 });
  await world.project.write("pulled.yaml", text.replace("content: one", "content: one, edited"));
  expect((await world.apply()).outcomes).toEqual([`replace post_${id} done`]);
  const { mediaItems = [] } = world.server.posts.get(id) ?? {};
  expect(mediaItems).toMatchObject([{ altText: "Picture 0" }, { altText: "Picture 1" }]);
  expect(mediaItems.map(({ url }) => world.server.files.get(url))).toEqual(files.map(sha256));
  expect(await world.planned()).toEqual({ keep: 1 });
});

function firstComment(text: string) {
  return { platformSpecificData: { firstComment: text } };
}

test("pull leaves out posts whose row would be another post, and says why", async () => {
  const { world: zernio } = await zernioWorld();
  const target = { platform: "linkedin", accountId: "acc-brand" };
  const other = { platform: "linkedin", accountId: "acc-founder" };
  for (const platforms of [
    [{ ...target, customContent: "Short" }],
    [{ ...target, scheduledFor: "2030-02-07T09:00:00.000Z" }],
    [
      { ...target, ...firstComment("One") },
      { ...other, ...firstComment("Two") },
    ],
    [
      { ...target, ...firstComment("Same") },
      { ...other, ...firstComment("Same") },
    ],
  ])
    zernio.server.addForeignPost({ content: "one", scheduledFor: "2030-02-05T09:00:00.000Z", platforms });
  const { world: postiz } = await postizWorld();
  postiz.server.addForeignPost({ publishDate: "2030-02-05T09:00:00.000Z", intervalInDays: 7 });
  for (const [world, reason, rows] of [
    [zernio, "3 scheduled posts are left out: one of their networks has its own text, media or time", 1],
    [postiz, "1 scheduled post is left out: the service repeats them", 0],
  ] as const) {
    const pulled = await world.run("pull", "--out", "pulled.yaml", "--format", "json");
    expect(pulled.code).toBe(0);
    expect(pulled.stdout + pulled.stderr).toContain(reason);
    expect(JSON.parse(pulled.stdout).rows).toHaveLength(rows);
  }
});

test.each(SERVICES)(
  "%s: doctor lists the accounts, and what differs from the interface",
  async (name, start) => {
    const { world } = await start();
    await world.write(row("a", "01", "linkedin/brand, x", "one"));
    const fine = await world.run("doctor");
    expect([fine.code, fine.stderr]).toEqual([0, ""]);
    expect(fine.stdout.replaceAll(/\s+/g, " ")).toContain(
      `${TITLES[name]}: 5 accounts: linkedin/brand (Garden & Co.)`,
    );
    const answer = { status: 200, body: '{"posts":[{"id":7}]}' };
    world.server.faults.plan(({ path }) =>
      path.endsWith(name === "buffer" ? "/" : "/posts") ? { kind: "answer-before", answer } : undefined,
    );
    const odd = await world.run("doctor");
    expect(odd.code).toBe(1);
    expect(odd.stdout).toContain("does not answer as its published interface says");
    expect((await world.run("plan")).code).toBe(1);
  },
);

test.each(SERVICES)(
  "%s: doctor shows which account to name, and leaves out accounts that are off",
  async (_name, start) => {
    const { world } = await start();
    await world.write(row("a", "01", "linkedin", "one"), row("b", "02", "mastodon", "two"));
    const { stdout } = await world.run("doctor", "--format", "json");
    const { checks } = JSON.parse(stdout);
    expect(checks.find(({ name }: { name: string }) => name === "platforms")).toMatchObject({
      state: "problem",
      message: expect.stringMatching(/Connected: bluesky, linkedin\/brand, linkedin\/founder, twitter\.$/),
      advice: expect.stringContaining(
        "The service has several accounts on linkedin. Name one of them: linkedin/brand, linkedin/founder.",
      ),
    });
  },
);

test.each(SERVICES)("%s: platforms, validate and preview show accounts", async (_name, start) => {
  const { world } = await start();
  await world.write(row("a", "01", "linkedin/brand", "one"), row("b", "02", "linkedin/nobody", "two"));
  const listed = await world.run("platforms", "list");
  expect(listed.stdout).toContain("linkedin/founder");
  expect((await world.run("validate")).code).toBe(0);
  const plan = await world.run("plan");
  expect(plan.code).toBe(1);
  expect(plan.stdout + plan.stderr).toContain("linkedin/nobody");
  await world.write(row("a", "01", "linkedin/brand", "one"));
  expect((await world.run("preview", "--out", "page.html")).code).toBe(0);
  expect(await world.project.read("page.html")).toContain("linkedin/brand");
});

test.each(SERVICES)(
  "%s: a key is not sent to an address that only the checkout names",
  async (_name, start) => {
    const { world } = await start();
    await world.write(row("a", "01", "x", "one"));
    const ran = await runCommand(["plan"], {
      cwd: world.project.root,
      env: {
        PLANCAST_API_KEY: world.server.key,
        CI: "true",
        PLANCAST_MEDIA_ALLOW_HOSTS: "127.0.0.1",
      },
    });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("service/url-not-confirmed");
    expect(world.server.requests).toEqual([]);
  },
);

test.each(SERVICES)("%s: a wrong key is refused, and no output contains it", async (_name, start) => {
  const { world } = await start();
  await world.write(row("a", "01", "x", "one"));
  const key = "sk_wrong_0123456789abcdef";
  world.server.faults.plan(() => ({
    kind: "answer-before",
    answer: { status: 401, body: JSON.stringify({ msg: `Invalid API key ${key}`, error: `Invalid ${key}` }) },
  }));
  const env = { PLANCAST_API_KEY: key, PLANCAST_BASE_URL: world.server.url };
  const ran = await runCommand(["apply", "--yes", "--verbose"], {
    cwd: world.project.root,
    env,
    clock: world.clock,
  });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("service/unauthorized");
  expect(ran.stdout + ran.stderr).not.toContain(key);
});

test.each([
  ["postiz", "http://postiz.example.com", "plain http"],
  ["zernio", "http://192.168.1.5:5000", "plain http"],
  ["postiz", "https://me:secret@postiz.example.com", "user name or password"],
])("%s at %s is refused", async (type, url, why) => {
  const project = await makeProject({ config: { service: { type, url } } });
  await project.write("calendars/a.csv", "id,scheduled_at,platforms,content\na,2036-01-01T09:00:00Z,x,Hi\n");
  const ran = await runCommand(["plan"], { cwd: project.root, env: { PLANCAST_API_KEY: "key" } });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain(why);
  expect(ran.stdout + ran.stderr).not.toContain("secret");
});

test("settings that only plancast's own interface has are refused", async () => {
  const project = await makeProject({
    config: { service: { type: "zernio", url: "https://zernio.com/api", shape: { list: "posts" } } },
  });
  const ran = await runCommand(["validate"], { cwd: project.root });
  expect(ran.code).toBe(1);
  expect(ran.stdout + ran.stderr).toContain("service.type");
});

test("names of accounts from the service are escaped, and never name another account", async () => {
  const { world } = await postizWorld(
    {},
    {
      integrations: [
        { id: "a", identifier: "linkedin", name: "\u001b[31mRed\u0007", profile: "../../x", disabled: false },
        { id: "b", identifier: "linkedin", name: "__proto__", profile: "__proto__", disabled: false },
        { id: "c", identifier: "linkedin", name: "x".repeat(10_000), profile: "", disabled: false },
        { id: "d", identifier: "Evil\nNetwork", name: "", profile: "", disabled: false },
      ],
    },
  );
  await world.write(row("a", "01", "linkedin/__proto__", "one"));
  for (const args of [["platforms", "list"], ["doctor"], ["plan"]]) {
    const { stdout, stderr } = await world.run(...args);
    for (const raw of ["\u001b", "\u0007", "Evil\n"]) expect(stdout + stderr).not.toContain(raw);
  }
  await world.apply();
  expect(world.server.scheduled().map(({ integration }) => integration)).toEqual(["b"]);
});

test.each([
  ["linkedn/brand", 'Did you mean "linkedin/brand"?'],
  ["linkedin / brand", 'Did you mean "linkedin/brand"?'],
  ["linkdin / the founder", 'Did you mean "linkedin/the-founder"?'],
  [
    "x / instgram",
    '"instgram" in "x / instgram" is not a network that plancast knows. Did you mean "instagram"?',
  ],
])("the misspelt account %s leads to an account, and not to a setting for a network", async (typed, text) => {
  const { world } = await zernioWorld();
  await world.write(row("a", "01", typed, "one"));
  const { code, stdout } = await world.run("validate");
  expect([code, stdout.replaceAll(/\s+/g, " ")]).toEqual([1, expect.stringContaining(text)]);
});

test("a column whose name is an account may mark its posts, and a filter for a network finds its accounts", async () => {
  const { world } = await zernioWorld();
  const table =
    "scheduled_at,LinkedIn/Brand,LinkedIn/Founder,content\n2030-02-01T09:00:00Z,yes,,one\n2030-02-02T09:00:00Z,x,yes,two\n";
  await world.project.write("calendar.csv", table);
  const asked = await world.run("validate");
  expect([asked.code, asked.stdout.replaceAll(/\s+/g, " ")]).toEqual([
    1,
    expect.stringContaining("columns/unknown"),
  ]);
  await world.configure(
    'columns: { "LinkedIn/Brand": "platforms:linkedin/brand", "LinkedIn/Founder": "platforms:linkedin/founder" }',
  );
  expect(await world.planned()).toEqual({ create: 2 });
  const counted = async (only: string) =>
    JSON.parse((await world.run("plan", "--format", "json", "--only", only)).stdout).summary.create;
  expect(await counted("platform=linkedin")).toBe(2);
  expect(await counted("platform=linkedin/founder")).toBe(1);
  expect(await counted("platform=x")).toBe(0);
});

test("a column can hold the text for one account", async () => {
  const { world, scheduled } = await postizWorld();
  await world.project.write(
    "calendar.csv",
    "id,scheduled_at,platforms,content,content:linkedin/brand\n" +
      'a,2030-02-01T09:00:00Z,"x, linkedin/brand",for all,for the brand\n' +
      ',2030-02-03T09:00:00Z,"bluesky; LinkedIn/Founder",without an id,\n',
  );
  await world.apply();
  expect(scheduled()).toEqual([
    "brand for the brand",
    "bsky without an id",
    "founder without an id",
    "x for all",
  ]);
  expect(await world.planned()).toEqual({ keep: 4 });
});
