/**
 * The built command in a hostile checkout sends the key to nobody that the checkout names. Needs `npm run build`, and
 * `script`. Here is one command for each place; `keys.long.test.ts` starts all commands in all places, and
 * `test/commands/keys.test.ts` runs them in this process.
 */

import { expect, test } from "vitest";
import { KEY, keyProject, startListener } from "../support/key-commands.ts";
import { runInTerminal } from "../support/run-in-terminal.ts";
import { expectNoKeySent } from "./key-processes.ts";

test.each([
  ["plan", "in CI"],
  ["doctor", "outside of CI"],
  ["apply --yes", "where the environment names a different origin than the lockfile"],
] as const)("plancast %s sends no key to an origin that nobody confirmed: %s", (line, place) =>
  expectNoKeySent(line, [place]),
);

test("on a terminal, a person is asked once, and the answer no sends nothing", async () => {
  const listener = await startListener();
  const { root } = await keyProject({ url: listener.origin });
  const home = await keyProject({});
  const options = { cwd: root, columns: 100, env: { PLANCAST_API_KEY: KEY, HOME: home.root } };
  const ask = (typed: string): Promise<string> =>
    runInTerminal(["posts", "list"], { ...options, answer: { to: "[y/N]", typed } });
  expect(await ask("n")).toContain(`has not been sent to ${listener.origin} before`);
  expect(listener.requests).toEqual([]);
  const inCi = await runInTerminal(["posts", "list"], { ...options, env: { ...options.env, CI: "1" } });
  expect(inCi).not.toContain("[y/N]");
  expect(listener.requests).toEqual([]);
  await ask("y");
  expect(listener.credentials()).toEqual([`Bearer ${KEY}`]);
  expect(await runInTerminal(["posts", "list"], options)).not.toContain("[y/N]");
  expect(listener.credentials()).toHaveLength(2);
});
