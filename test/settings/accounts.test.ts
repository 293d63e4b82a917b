/** `accounts:` of plancast.yaml. */
import { expect, test } from "vitest";
import { accountNames } from "../../src/networks/open-accounts.ts";
import { account } from "../support/networks/open.ts";
import { makeProject } from "../support/project.ts";
import { runCommand } from "../support/run-command.ts";

const BLUESKY = { network: "bluesky", handle: "garden.test", password_env: "BLUESKY_APP_PASSWORD" };

async function messagesOf(accounts: string): Promise<string> {
  const { root } = await makeProject({
    files: { "plancast.yaml": `service: { url: embedded }\naccounts:\n${accounts}` },
  });
  const { stdout, stderr } = await runCommand(["validate"], { cwd: root });
  return stdout + stderr;
}

test.each([
  ["  a: { network: blusky }", /`accounts.a.network` must be `bluesky`, `mastodon` or `webhook`/],
  ["  a: { network: bluesky, handle: x.test }", /`accounts.a.password_env` must be text/],
  ["  a: { network: bluesky, handle: x.test, password_env: A_B, hande: y }", /Did you mean `?handle/],
  ["  a: { network: bluesky, handle: x.test, password_env: abcd-efgh-ijkl }", /in capitals/],
  ["  a: { network: mastodon, token_env: A_B, server: social.example }", /an address such as/],
  ["  A B: { network: webhook, url_env: A_B }", /a name in lower case/],
])("a faulty account is an error at its place: %s", async (accounts, expected) => {
  expect(await messagesOf(`${accounts}\n`)).toMatch(expected);
});

test("a secret in plancast.yaml is refused, and not repeated", async () => {
  const output = await messagesOf("  a: { network: bluesky, handle: x.test, password: abcd-s3cret }\n");
  expect(output).toMatch(/does not belong in plancast.yaml/);
  expect(output).not.toContain("s3cret");
});

test("posts name an account by its network, or with its name if there are several", () => {
  const two = { a: account(BLUESKY), b: account({ ...BLUESKY, handle: "b.test" }) };
  const press = account({ network: "webhook", url_env: "PRESS_WEBHOOK" });
  expect(accountNames({ ...two, press }).map(({ platform }) => platform)).toEqual([
    "bluesky/a",
    "bluesky/b",
    "webhook",
  ]);
});

test("an account gets a new id only if its handle or server changes", () => {
  expect(idOf({ ...BLUESKY, password_env: "OTHER_PASSWORD" })).toBe(idOf(BLUESKY));
  expect(idOf({ ...BLUESKY, handle: "@Garden.test" })).toBe(idOf(BLUESKY));
  expect(idOf({ ...BLUESKY, handle: "other.test" })).not.toBe(idOf(BLUESKY));
  expect(idOf({ ...BLUESKY, server: "https://pds.example" })).not.toBe(idOf(BLUESKY));
});

function idOf(settings: object): string | undefined {
  return accountNames({ a: account(settings) })[0]?.id;
}
