/** Where each command sends the key: never to an address that only the checkout names. */

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { KEY, KEY_COMMANDS, keyProject, startListener } from "../support/key-commands.ts";
import { makeProject } from "../support/project.ts";
import { type CommandOptions, type CommandResult, runCommand } from "../support/run-command.ts";
import { TestClock } from "../support/test-clock.ts";

const run = (args: readonly string[], options: CommandOptions): Promise<CommandResult> =>
  runCommand(args, { clock: new TestClock(() => false), ...options });

const OTHER = "https://service.example";

async function settings(): Promise<{ readonly XDG_CONFIG_HOME: string }> {
  const { root } = await makeProject({ config: false });
  return { XDG_CONFIG_HOME: root };
}

describe.each(KEY_COMMANDS)("plancast %s %s", (...words) => {
  const args = words.filter((word) => word !== undefined);

  test("never sends the key to an address that only the checkout names", async () => {
    const listener = await startListener();
    const { root } = await keyProject({ url: listener.origin }, listener.origin);
    const keys = { PLANCAST_API_KEY: KEY, ...(await settings()) };
    const places: readonly CommandOptions[] = [
      { cwd: root, env: { ...keys, CI: "true" } },
      { cwd: root, env: { ...keys, CI: "1", PLANCAST_TRUSTED_ORIGINS: `${OTHER}=PLANCAST_API_KEY` } },
      { cwd: root, env: { ...keys, CI: "true" }, terminal: { answer: () => true } },
      { cwd: root, env: keys },
      { cwd: root, env: { ...keys, PLANCAST_TRUSTED_ORIGINS: `${listener.origin}=ACME_KEY` } },
      { cwd: root, env: keys, terminal: { answer: () => false } },
    ];
    for (const options of places) {
      const { code, stdout, stderr } = await run(args, options);
      // Without a plan, plancast still writes the page, and the page says what is missing.
      expect(code).toBe(args[0] === "preview" ? 0 : 1);
      expect(stdout + stderr).toMatch(/The key in PLANCAST_API_KEY was not sent to/);
      expect(stdout + stderr).toContain(listener.origin);
      expect(stdout + stderr).not.toContain(KEY);
    }
    expect(listener.requests).toEqual([]);
  });

  test("never sends the key if the lockfile belongs to another origin", async () => {
    const listener = await startListener();
    const { root } = await keyProject({ url: OTHER }, OTHER);
    const env = { PLANCAST_API_KEY: KEY, PLANCAST_BASE_URL: listener.origin };
    for (const more of [{}, { CI: "true" }]) {
      const { code, stdout, stderr } = await run(args, { cwd: root, env: { ...env, ...more } });
      expect(code).toBe(args[0] === "preview" ? 0 : 1);
      expect(stdout + stderr).toContain("another service");
    }
    expect(listener.requests).toEqual([]);
  });

  test("sends the key to an origin that the environment, a flag or a person confirms", async () => {
    const listener = await startListener();
    const { root } = await keyProject({ url: listener.origin }, listener.origin);
    const key = { PLANCAST_API_KEY: KEY, ...(await settings()) };
    const pair = { PLANCAST_TRUSTED_ORIGINS: `${listener.origin}=PLANCAST_API_KEY` };
    const ways: readonly (readonly [CommandOptions, string?])[] = [
      [{ cwd: root, env: { ...key, CI: "true", PLANCAST_BASE_URL: listener.origin } }],
      [{ cwd: root, env: { ...key, CI: "true", ...pair } }],
      [{ cwd: root, env: { ...key, ...pair } }],
      [{ cwd: root, env: key }, listener.origin],
      [{ cwd: root, env: key, terminal: { answer: (asked) => asked.includes(listener.origin) } }],
    ];
    for (const [options, trusted] of ways) {
      const before = listener.credentials().length;
      await run(trusted === undefined ? args : [...args, "--trust-url", trusted], options);
      expect(listener.credentials().slice(before)).toContain(`Bearer ${KEY}`);
    }
  });
});

describe("on a terminal", () => {
  test("asks once per key and origin, shows both, and does not save the key", async () => {
    const listener = await startListener();
    const { root } = await keyProject({ url: listener.origin });
    const env = { PLANCAST_API_KEY: KEY, ...(await settings()) };
    const asked: string[] = [];
    const terminal = { answer: (question: string) => asked.push(question) > 0 };
    await run(["posts", "list"], { cwd: root, env, terminal });
    await run(["platforms", "list"], { cwd: root, env, terminal });
    await run(["media", "list"], { cwd: root, env });
    expect(asked).toEqual([
      expect.stringMatching(
        new RegExp(`^Your key in PLANCAST_API_KEY has not been sent to ${listener.origin} before`),
      ),
    ]);
    expect(listener.credentials()).toHaveLength(3);
    const kept = join(env.XDG_CONFIG_HOME, "plancast", "confirmed-keys.json");
    expect(await readFile(kept, "utf8")).not.toContain(KEY);
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    await run(["posts", "list"], { cwd: root, env: { ...env, PLANCAST_API_KEY: "sk_other" }, terminal });
    expect(asked).toHaveLength(2);
    await run(["posts", "list"], { cwd: root, env: { ...env, CI: "true" }, terminal });
    expect(listener.credentials()).toHaveLength(4);
  });

  test("answers are not saved in the checkout, so plancast asks again", async () => {
    const listener = await startListener();
    const project = await keyProject({ url: listener.origin });
    const env = { PLANCAST_API_KEY: KEY, XDG_CONFIG_HOME: join(project.root, ".config") };
    const before = Object.keys(await project.tree());
    let asked = 0;
    const terminal = { answer: () => (asked += 1) > 0 };
    const first = await run(["posts", "list"], { cwd: project.root, env, terminal });
    await run(["posts", "list"], { cwd: project.root, env, terminal });
    expect(asked).toBe(2);
    expect(first.stderr).toContain("cannot save this answer");
    expect(Object.keys(await project.tree())).toEqual(before);
  });

  test("doctor asks once although it opens the service several times, even after a no", async () => {
    const listener = await startListener();
    const { root } = await keyProject({ url: listener.origin, shape: { list: "data" } });
    const env = { PLANCAST_API_KEY: KEY, XDG_CONFIG_HOME: join(root, ".config") };
    for (const isYes of [true, false]) {
      let asked = 0;
      const terminal = { answer: () => (asked += 1) > 0 && isYes };
      await run(["doctor"], { cwd: root, env, terminal });
      expect(asked).toBe(1);
    }
  });
});

describe("service.key_env", () => {
  const SECRETS = { GITHUB_TOKEN: "ghs_1", AWS_SECRET_ACCESS_KEY: "aws_1", ACME_KEY: "sk_acme" };

  test.each(Object.keys(SECRETS))(
    "sends no variable that nobody confirmed for the origin: %s",
    async (name) => {
      const listener = await startListener();
      const { root } = await keyProject({ url: listener.origin, key_env: name });
      const env = { ...SECRETS, ...(await settings()), PLANCAST_API_KEY: KEY };
      const places: readonly CommandOptions["env"][] = [
        { ...env, CI: "true", PLANCAST_BASE_URL: listener.origin },
        { ...env, CI: "true", PLANCAST_TRUSTED_ORIGINS: `${listener.origin}=PLANCAST_API_KEY` },
        { ...env, CI: "true", PLANCAST_TRUSTED_ORIGINS: `${OTHER}=${name}` },
        { ...env, PLANCAST_BASE_URL: listener.origin },
      ];
      for (const env of places) {
        const { code, stderr } = await run(["posts", "list"], { cwd: root, env: env ?? {} });
        expect([code, stderr]).toEqual([1, expect.stringContaining(`The key in ${name} was not sent to`)]);
        const flag = await run(["plan", "--trust-url", listener.origin], { cwd: root, env: env ?? {} });
        expect(flag.code).toBe(1);
      }
      expect(listener.requests).toEqual([]);
    },
  );

  test("sends the variable that a pair, a flag or a person confirms for exactly this origin", async () => {
    const listener = await startListener();
    const { root } = await keyProject({ url: listener.origin, key_env: "ACME_KEY" });
    const env = { ...SECRETS, ...(await settings()) };
    const pair = `${listener.origin}=ACME_KEY`;
    const asked: string[] = [];
    await run(["posts", "list"], { cwd: root, env: { ...env, CI: "1", PLANCAST_TRUSTED_ORIGINS: pair } });
    await run(["posts", "list", "--trust-url", pair], { cwd: root, env });
    await run(["posts", "list"], {
      cwd: root,
      env,
      terminal: { answer: (question) => asked.push(question) > 0 },
    });
    expect(listener.credentials()).toEqual(["Bearer sk_acme", "Bearer sk_acme", "Bearer sk_acme"]);
    expect(asked).toEqual([expect.stringContaining("key in ACME_KEY")]);
  });

  test("the error names a variable that is not set, and no other replaces it", async () => {
    const listener = await startListener();
    const { root } = await keyProject({ url: listener.origin, key_env: "ACME_KEY" });
    const env = { PLANCAST_API_KEY: KEY, PLANCAST_BASE_URL: listener.origin };
    const { code, stderr } = await run(["posts", "list"], { cwd: root, env });
    expect([code, stderr]).toEqual([1, expect.stringContaining("the environment variable ACME_KEY")]);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(
      "ACME_KEY (service.key_env) is empty. PLANCAST_API_KEY is set, but this project does not use it.",
    );
    const without = await run(["posts", "list"], { cwd: root, env: { PLANCAST_BASE_URL: listener.origin } });
    expect(without.stderr).not.toContain("PLANCAST_API_KEY");
    expect(listener.requests).toEqual([]);
  });

  test("a key instead of the variable's name is refused, and the message does not repeat it", async () => {
    const { root } = await keyProject({ url: OTHER, key_env: "sk_live_s3cr3t" });
    const { code, stdout, stderr } = await run(["plan"], { cwd: root });
    expect([code, stderr]).toEqual([1, expect.stringContaining("service.key_env")]);
    expect(stdout + stderr).not.toContain("s3cr3t");
  });

  test("a key from a file counts as PLANCAST_API_KEY, whatever variable the checkout names", async () => {
    const listener = await startListener();
    const project = await keyProject({ url: listener.origin, key_env: "GITHUB_TOKEN" });
    const { root } = await makeProject({ config: false, files: { key: KEY } });
    const args = ["posts", "list", "--api-key-file", join(root, "key")];
    const cwd = project.root;
    await run(args, { cwd, env: { ...SECRETS, CI: "1" } });
    expect(listener.requests).toEqual([]);
    await run(args, { cwd, env: { ...SECRETS, CI: "1", PLANCAST_BASE_URL: listener.origin } });
    expect(listener.credentials()).toEqual([`Bearer ${KEY}`]);
  });
});

test("if the file of a key cannot be read, the message names the file but shows no text that may be the key", async () => {
  const { root } = await keyProject({ url: OTHER });
  const read = async (file: string): Promise<string> =>
    (await run(["posts", "list", "--api-key-file", file], { cwd: root })).stderr.replaceAll(/\s+/g, " ");
  for (const file of ["/nope", "./nope", "nope.txt"])
    expect(await read(file)).toContain(`The file of --api-key-file (${file}) cannot be read (ENOENT).`);
  expect(await read("sk_live_s3cr3t")).not.toContain("s3cr3t");
});

test.each([301, 302, 307, 308])("a redirect to another origin gets no key", async () => {
  const [listener, other] = [await startListener(), await startListener()];
  listener.redirect = `${other.origin}/v1/posts`;
  const { root } = await keyProject({});
  const env = { PLANCAST_API_KEY: KEY, PLANCAST_BASE_URL: listener.origin };
  for (const args of KEY_COMMANDS) await run(args, { cwd: root, env });
  expect(listener.credentials().length).toBeGreaterThan(10);
  expect(other.requests).toEqual([]);
});

test("a lockfile with conflict markers, or of a newer version, still shows its origin", async () => {
  const listener = await startListener();
  const project = await keyProject({});
  const env = { PLANCAST_API_KEY: KEY, PLANCAST_BASE_URL: listener.origin };
  const texts = [
    `{\n<<<<<<< ours\n  "origin": "${OTHER}",\n=======\n  "origin": "${listener.origin}",\n>>>>>>> theirs\n}\n`,
    `{"version":99,"origin":"${OTHER}"}`,
    `{"origin":"${listener.origin}","posts":{},"origin":"${OTHER}"}`,
  ];
  for (const text of texts) {
    await project.write("plancast.lock.json", text);
    const { stderr } = await run(["posts", "list"], { cwd: project.root, env });
    expect(stderr).toContain("another service");
  }
  expect(listener.requests).toEqual([]);
});

test("an invalid list of trusted origins stops the command, and the message does not repeat it", async () => {
  const listener = await startListener();
  const { root } = await keyProject({});
  const env = { PLANCAST_API_KEY: KEY, PLANCAST_BASE_URL: listener.origin };
  const trusted = { PLANCAST_TRUSTED_ORIGINS: `https://a.example=${KEY}` };
  const { code, stdout, stderr } = await run(["posts", "list"], { cwd: root, env: { ...env, ...trusted } });
  expect([code, stderr]).toEqual([1, expect.stringContaining("PLANCAST_TRUSTED_ORIGINS")]);
  expect(stdout + stderr).not.toContain(KEY);
  expect(listener.requests).toEqual([]);
});
