/** `plancast accounts`: secrets stay out of plancast.yaml and of every output. */
import { expect, test } from "vitest";
import { readProject } from "../../src/calendars/project.ts";
import { Failure } from "../../src/model/failure.ts";
import { openAccounts } from "../../src/networks/open-accounts.ts";
import { systemClock } from "../../src/service/system-clock.ts";
import { BLUESKY_PASSWORD, startBluesky } from "../support/networks/bluesky.ts";
import { MASTODON_TOKEN, startMastodon } from "../support/networks/mastodon.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";

const START = `# Our garden
service: { url: embedded }

timezone: UTC # times
`;

interface Typed {
  readonly [question: string]: string;
}

/** Answers questions by their first words. Answers all others with a blank line. */
function person(typed: Typed, says: boolean, asked: string[]) {
  const type = (question: string): string =>
    Object.entries(typed).find(([start]) => question.startsWith(start))?.[1] ?? "";
  const answer = (question: string): boolean => {
    asked.push(question);
    return says;
  };
  return { type, answer };
}

async function startProject(config = START) {
  const project = await makeProject({ config });
  const home = await makeProject();
  const asked: string[] = [];
  const run = (args: readonly string[], env: Record<string, string> = {}, typed?: Typed, says = true) =>
    runCommand(["accounts", ...args], {
      cwd: project.root,
      env: { HOME: home.root, ...env },
      ...(typed === undefined ? {} : { terminal: person(typed, says, asked) }),
    });
  return { project, run, asked };
}

test("add asks, tests the typed secret, and writes everything but the secret", async () => {
  const { origin } = await startBluesky();
  const { project, run, asked } = await startProject();
  const typed = { Network: "Bluesky", Handle: "@garden.test", Address: origin, Paste: BLUESKY_PASSWORD };
  const { code, stdout, stderr } = await run(["add"], {}, typed);
  expect([code, stderr]).toEqual([0, expect.stringContaining("app password")]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("Set BLUESKY_APP_PASSWORD to the secret");
  // Nobody but the person has named the address so far.
  expect(asked).toEqual([
    `Your password in BLUESKY_APP_PASSWORD has not been sent to ${origin} before. Send it there from now on? [y/N] `,
  ]);
  expect(await project.read("plancast.yaml")).toBe(`${START}
accounts:
  bluesky:
    network: bluesky
    handle: "@garden.test"
    server: ${origin}
    password_env: BLUESKY_APP_PASSWORD
`);
  expect(stdout + stderr).not.toContain(BLUESKY_PASSWORD);
  const listed = await run(["list"], { BLUESKY_APP_PASSWORD: BLUESKY_PASSWORD });
  expect(listed.stdout).toMatch(/bluesky +bluesky +http\S+ +BLUESKY_APP_PASSWORD is set/);
});

test("add accepts a second account of a network, with its own name and its own variable", async () => {
  const { origin } = await startMastodon();
  const { project, run } = await startProject(
    `accounts:\n  mastodon: { network: mastodon, server: ${origin}, token_env: MASTODON_TOKEN }\n`,
  );
  const { code, stdout } = await run(
    ["add", "press"],
    { PRESS_MASTODON_TOKEN: MASTODON_TOKEN },
    { Network: "mastodon", Address: origin },
  );
  expect([code, stdout.replaceAll(/\s+/g, " ")]).toEqual([
    0,
    expect.stringContaining("no longer name only mastodon: write mastodon/mastodon for your first account"),
  ]);
  expect(await project.read("plancast.yaml")).toContain("token_env: PRESS_MASTODON_TOKEN");
});

test.each<[string, Typed, boolean]>([
  ["a wrong secret", { Paste: "not-the-password" }, true],
  ["no secret", { Paste: "" }, true],
  ["a no to the server", { Paste: BLUESKY_PASSWORD }, false],
  ["an answer that is no handle", { Handle: "garden test", Paste: BLUESKY_PASSWORD }, true],
])("%s writes nothing", async (_what, typed, says) => {
  const { origin } = await startBluesky();
  const { project, run } = await startProject();
  const all = { Network: "bluesky", Handle: "garden.test", Address: origin, ...typed };
  const { code, stdout, stderr } = await run(["add"], {}, all, says);
  expect(code).toBe(1);
  expect(stdout + stderr).not.toMatch(/not-the-password|abcd-efgh-secret/);
  expect(await project.read("plancast.yaml")).toBe(START);
});

test("without a terminal, add says what to do", async () => {
  const { run } = await startProject();
  expect(await run(["add"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("run/needs-terminal"),
  });
});

test("check signs in to each account, publishes nothing, and exits with 1 if one fails", async () => {
  const [bluesky, mastodon] = [await startBluesky(), await startMastodon()];
  const { run } = await startProject(`accounts:
  a: { network: bluesky, handle: garden.test, password_env: BSKY, server: ${bluesky.origin} }
  b: { network: mastodon, server: ${mastodon.origin}, token_env: MASTO }
`);
  const trusted = { PLANCAST_TRUSTED_ORIGINS: `${bluesky.origin}=BSKY ${mastodon.origin}=MASTO` };
  const good = await run(["check", "--format", "json"], {
    ...trusted,
    BSKY: BLUESKY_PASSWORD,
    MASTO: MASTODON_TOKEN,
  });
  expect([good.code, JSON.parse(good.stdout)]).toMatchObject([
    0,
    {
      version: 1,
      accounts: [
        { name: "a", platform: "bluesky", secret: "set", check: { state: "ready", name: "@garden.test" } },
        { name: "b", check: { state: "ready", name: "@garden" } },
      ],
    },
  ]);
  const bad = await run(["check"], { ...trusted, BSKY: BLUESKY_PASSWORD, MASTO: "wrong-token" });
  // In the table, a long reason could be cut.
  expect([bad.code, bad.stdout]).toEqual([1, expect.stringMatching(/^b failed: HTTP 401/m)]);
  expect(bad.stdout + bad.stderr).not.toMatch(/wrong-token|secret\b.*abcd/);
  expect(bluesky.records.size + mastodon.statuses.length).toBe(0);
  const one = await run(["check", "a"], { ...trusted, BSKY: BLUESKY_PASSWORD });
  expect(one.code).toBe(0);
  const misspelt = await run(["check", "c"], trusted);
  expect([misspelt.code, misspelt.stderr]).toEqual([1, expect.stringContaining("usage/not-found")]);
});

test.each([
  ["seconds", () => "86400"],
  ["a time", (now: number) => String(Math.round(now / 1000) + 86_400)],
])("a sign-in limit that ends in %s of a day ends check at once, with the time", async (_what, resetAt) => {
  const bluesky = await startBluesky();
  bluesky.signIns.limit = {
    "ratelimit-limit": "30",
    "ratelimit-remaining": "0",
    "ratelimit-reset": resetAt(Date.now()),
  };
  const { run } = await startProject(
    `accounts:\n  a: { network: bluesky, handle: garden.test, password_env: BSKY, server: ${bluesky.origin} }\n`,
  );
  const env = { PLANCAST_TRUSTED_ORIGINS: `${bluesky.origin}=BSKY`, BSKY: BLUESKY_PASSWORD };
  const { code, stdout } = await run(["check"], env);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect([code, stdout.replaceAll(/\s+/g, " ")]).toEqual([
    1,
    expect.stringContaining(`It opens again at ${tomorrow}`),
  ]);
  expect(bluesky.requests).toHaveLength(1);
});

test("check and add show the line for a server with its own limits, until the project has that line", async () => {
  const { origin } = await startMastodon({ characters: 5000 });
  const { project, run } = await startProject();
  const added = await run(["add"], {}, { Network: "mastodon", Address: origin, Paste: MASTODON_TOKEN });
  const advice =
    "The server of mastodon allows `{ text: 5000 }`, and plancast checks posts for `{ text: 500 }`. To check for the server's limits, add to plancast.yaml, under `limits:`: `mastodon: { text: 5000 }`";
  expect([added.code, added.stdout.replaceAll(/\s+/g, " ")]).toEqual([0, expect.stringContaining(advice)]);
  const env = { MASTODON_TOKEN, PLANCAST_TRUSTED_ORIGINS: `${origin}=MASTODON_TOKEN` };
  const before = await run(["check"], env);
  expect([before.code, before.stdout.replaceAll(/\s+/g, " ")]).toEqual([0, expect.stringContaining(advice)]);
  await project.write(
    "plancast.yaml",
    `${await project.read("plancast.yaml")}limits:\n  mastodon: { text: 5000 }\n`,
  );
  const after = await run(["check"], env);
  expect([after.code, after.stdout]).toEqual([0, expect.not.stringContaining("limits")]);
});

test("a secret may be in a file that the environment names, and no message repeats its path", async () => {
  const { origin } = await startBluesky();
  const { project, run } = await startProject(
    `accounts:\n  a: { network: bluesky, handle: garden.test, password_env: BSKY, server: ${origin} }\n`,
  );
  const files = await makeProject({ files: { good: `${BLUESKY_PASSWORD}\n`, empty: "" } });
  const check = (name: string, more: Record<string, string> = {}) =>
    run(["check"], {
      BSKY_FILE: `${files.root}/${name}`,
      PLANCAST_TRUSTED_ORIGINS: `${origin}=BSKY`,
      ...more,
    });
  expect(await check("good")).toMatchObject({ code: 0, stdout: expect.stringMatching(/BSKY is set +ready/) });
  // The variable has priority.
  expect(await check("good", { BSKY: "wrong" })).toMatchObject({ code: 1 });
  for (const name of ["empty", "missing"]) {
    const { code, stdout, stderr } = await check(name);
    expect([code, stdout.replaceAll(/\s+/g, " ")]).toEqual([
      1,
      expect.stringMatching(/The file that BSKY_FILE names.+\(service\/no-key\)/),
    ]);
    expect(stdout + stderr).not.toContain(files.root);
  }
  await project.write("plancast.yaml", START);
  const typed = { Network: "bluesky", Handle: "garden.test", Address: origin, Environment: "BSKY" };
  const added = await run(["add"], { BSKY_FILE: `${files.root}/good` }, typed);
  expect([added.code, added.stderr]).toEqual([0, expect.not.stringContaining("Paste it here")]);
});

test("in CI, check sends no secret to a server that only plancast.yaml names, and shows all other accounts", async () => {
  const [{ origin, requests }, mastodon] = [await startBluesky(), await startMastodon()];
  const { run } = await startProject(
    `accounts:
  a: { network: bluesky, handle: garden.test, password_env: BSKY, server: ${origin} }
  b: { network: webhook, url_env: PRESS }
  c: { network: mastodon, server: ${mastodon.origin}, token_env: MASTO }
`,
  );
  const { code, stdout } = await run(["check", "--format", "json"], {
    BSKY: BLUESKY_PASSWORD,
    MASTO: MASTODON_TOKEN,
    PLANCAST_TRUSTED_ORIGINS: `${mastodon.origin}=MASTO`,
    CI: "true",
  });
  expect([code, JSON.parse(stdout)]).toMatchObject([
    1,
    {
      accounts: [
        {
          name: "a",
          check: { state: "failed", reason: expect.stringContaining("(service/url-not-confirmed)") },
        },
        { name: "b", check: { state: "failed", reason: expect.stringContaining("(service/no-key)") } },
        { name: "c", check: { state: "ready" } },
      ],
    },
  ]);
  expect(requests).toEqual([]);
});

test("add asks again after an answer that cannot be right, and after a wrong secret", async () => {
  const { origin } = await startBluesky();
  const { project, run } = await startProject();
  const answers = [
    "twitter",
    "bluesky",
    "garden test",
    "garden.test",
    "bsky.social",
    origin,
    "lower",
    "BSKY",
  ];
  const secrets = ["wrong", BLUESKY_PASSWORD];
  const home = await makeProject();
  const type = (question: string): string =>
    (question.startsWith("Paste") ? secrets.shift() : answers.shift()) ?? "";
  const { code, stderr } = await runCommand(["accounts", "add"], {
    cwd: project.root,
    env: { HOME: home.root },
    terminal: { type, answer: () => true },
  });
  expect(code, stderr).toBe(0);
  expect(answers).toEqual([]);
  expect(stderr.match(/Please\s+answer\s+again\./g)).toHaveLength(4);
  expect(await project.read("plancast.yaml")).toContain("password_env: BSKY");
  expect((await run(["list"])).stdout).toContain("BSKY is missing");
});

test("in a job, publish names all missing secrets and addresses at once", async () => {
  const project = await makeProject({
    config: `service: { url: repository }
accounts:
  a: { network: bluesky, handle: garden.test, password_env: BSKY }
  b: { network: webhook, url_env: PRESS }
  c: { network: mastodon, server: https://m.example, token_env: MASTO }
`,
  });
  const read = await readProject(`${project.root}/plancast.yaml`);
  const env = { GITHUB_ACTIONS: "true", CI: "true", MASTO: "token" };
  const confirmation = {
    trustUrls: [],
    canAsk: false,
    isRemembered: () => Promise.resolve(false),
    ask: () => Promise.resolve(false),
  };
  const opening = openAccounts({
    stop: new AbortController().signal,
    project: read,
    env,
    confirmation,
    clock: systemClock,
    random: Math.random,
    timeoutMs: 1_000,
    userAgent: "test",
    onRequest: () => undefined,
  });
  const failure: unknown = await opening.catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "service/no-key" });
  if (!(failure instanceof Failure)) throw new Error("There is no failure.");
  const { message, hint } = failure;
  expect(message).toMatch(/BSKY.+is empty.+PRESS.+is empty.+MASTO was not sent/);
  expect(hint).toContain("Add the secrets BSKY, PRESS.");
  expect(hint).toContain("`https://bsky.social=BSKY,https://m.example=MASTO`");
});
