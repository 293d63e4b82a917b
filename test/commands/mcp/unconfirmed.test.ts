/** An assistant that tries in many ways to publish something that nobody confirmed. It never succeeds. */

import { createHash } from "node:crypto";
import { chmod, cp, readFile, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { afterThisTest } from "../../support/after-test.ts";
import { type Assistant, type ToolAnswer, dataOf, hashIn, startAssistant } from "../../support/assistant.ts";
import { PNG } from "../../support/embedded-service.ts";
import { startForeignService } from "../../support/foreign-service.ts";
import { csv } from "../../support/scenario.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { type World, APRIL, HEADER, KEYS, startWorld } from "./assistant-world.ts";

async function confirmationFile({ settings }: World): Promise<string> {
  const folder = join(settings, "plancast");
  const [name = ""] = (await readdir(folder)).filter((each) => each.startsWith("confirmed-plan-"));
  return join(folder, name);
}

/** A second assistant, started elsewhere or with another environment. */
async function other(
  world: World,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Assistant> {
  return startAssistant({ cwd, env: { ...world.personEnv, ...env }, clock: world.clock });
}

/** Each returns the answer to its last try, which must contain the text. */
const ATTACKS: readonly (readonly [
  name: string,
  says: string,
  attack: (world: World) => Promise<ToolAnswer>,
])[] = [
  ["nobody was asked", "apply/not-confirmed", (world) => world.tryApply()],
  [
    "the person said no",
    "apply/not-confirmed",
    async (world) => {
      expect(await world.confirm(world.hash, { says: false })).toMatchObject({ code: 1 });
      return world.tryApply();
    },
  ],
  [
    "confirm without a terminal",
    "apply/not-confirmed",
    async (world) => {
      const { code, stderr } = await world.confirm(world.hash, { isAtTerminal: false });
      expect([code, stderr]).toEqual([1, expect.stringContaining("run/needs-terminal")]);
      return world.tryApply();
    },
  ],
  [
    "confirm in CI, whose terminal has nobody in front of it",
    "apply/not-confirmed",
    async (world) => {
      const { stderr } = await world.confirm(world.hash, { env: { CI: "true" } });
      expect(stderr).toContain("run/needs-terminal");
      return world.tryApply();
    },
  ],
  [
    "confirm with --yes",
    "apply/not-confirmed",
    async (world) => {
      expect((await world.confirm(world.hash, { args: ["--yes"] })).code).toBe(1);
      return world.tryApply();
    },
  ],
  [
    "a hash that is only the beginning of the confirmed one",
    "the whole hash that plan shows",
    async (world) => {
      await world.confirm();
      return world.tryApply({ hash: world.hash.slice(0, -1) });
    },
  ],
  [
    "the confirmed hash in capitals",
    "the whole hash that plan shows",
    async (world) => {
      await world.confirm();
      return world.tryApply({ hash: world.hash.toUpperCase().replace("SHA", "sha") });
    },
  ],
  [
    "the confirmed hash with a line end",
    "the whole hash that plan shows",
    async (world) => {
      await world.confirm();
      return world.tryApply({ hash: `${world.hash}\n` });
    },
  ],
  [
    "a person who types only a part of the hash",
    "apply/not-confirmed",
    async (world) => {
      expect((await world.confirm(world.hash.slice(0, 20))).stderr).toContain("not the whole hash");
      return world.tryApply();
    },
  ],
  [
    "a calendar that changed after the confirmation",
    "apply/plan-changed",
    async (world) => {
      await world.confirm();
      await world.project.write("calendars/april.csv", APRIL.replace("Spring", "Buy"));
      return world.tryApply();
    },
  ],
  [
    "a picture that changed after the confirmation",
    "apply/plan-changed",
    async (world) => {
      await world.confirm();
      await world.project.write("calendars/a.png", Buffer.concat([PNG, Buffer.from("more")]));
      return world.tryApply();
    },
  ],
  [
    "settings that changed after the confirmation",
    "apply/plan-changed",
    async (world) => {
      await world.confirm();
      const text = await world.project.read("plancast.yaml");
      await world.project.write(
        "plancast.yaml",
        `${text}automations: { after_apply: { id: auto_1, input: x } }\n`,
      );
      return world.tryApply();
    },
  ],
  [
    "a confirmation that expired",
    "apply/not-confirmed",
    async (world) => {
      await world.confirm();
      world.clock.advance(15 * 60_000);
      return world.tryApply();
    },
  ],
  [
    "a clock that was set back",
    "apply/not-confirmed",
    async (world) => {
      await world.confirm();
      world.clock.advance(-60_000);
      return world.tryApply();
    },
  ],
  [
    "a confirmation of a copy of the project",
    "apply/not-confirmed",
    async (world) => {
      const copy = join(await tempFolder(), "copy");
      await cp(world.project.root, copy, { recursive: true });
      expect(await world.confirm(world.hash, { cwd: copy })).toMatchObject({ code: 0 });
      return world.tryApply();
    },
  ],
  [
    "a confirmation with the key of another account",
    "apply/not-confirmed",
    async (world) => {
      const env = { PLANCAST_API_KEY: "sk_two" };
      expect(await world.confirm(world.hash, { env })).toMatchObject({ code: 0 });
      return world.tryApply();
    },
  ],
  [
    "a confirmation for another service",
    "apply/not-confirmed",
    async (world) => {
      const second = await startForeignService({ keys: KEYS, now: world.clock.now });
      afterThisTest(() => second.close());
      const env = { PLANCAST_BASE_URL: second.url };
      expect(await world.confirm(world.hash, { env })).toMatchObject({ code: 0 });
      return world.tryApply();
    },
  ],
  [
    "a confirmation for one calendar, used for all",
    "apply/plan-changed",
    async (world) => {
      const plan = await world.assistant.call("plan", { calendars: ["calendars/april.csv"] });
      expect(plan.text).toMatch(/plancast confirm \S+ calendars\/april\.csv$/m);
      expect((await world.confirm(hashIn(plan), { args: ["calendars/april.csv"] })).code).toBe(0);
      return world.tryApply({ hash: hashIn(plan) });
    },
  ],
  [
    "a plan that another one replaced while the person read it",
    "apply/not-confirmed",
    async (world) => {
      const { stderr } = await world.confirm(`sha256:${"0".repeat(64)}`);
      expect(stderr).toContain("apply/plan-changed");
      return world.tryApply();
    },
  ],
  [
    "a forged confirmation in the checkout",
    "apply/not-confirmed",
    async (world) => {
      await world.confirm();
      const folder = join(world.project.root, "settings");
      await rename(world.settings, folder);
      const second = await other(world, world.project.root, { XDG_CONFIG_HOME: folder });
      return second.call("apply", { hash: world.hash });
    },
  ],
  [
    "a link to a forged confirmation in the checkout",
    "apply/not-confirmed",
    async (world) => {
      await world.confirm();
      const folder = join(world.project.root, "settings");
      await rename(world.settings, folder);
      await symlink(folder, world.settings);
      return world.tryApply();
    },
  ],
  [
    "a link in the place of the confirmation",
    "apply/not-confirmed",
    async (world) => {
      await world.confirm();
      const file = await confirmationFile(world);
      const target = join(world.project.root, "confirmed.json");
      await rename(file, target);
      await symlink(target, file);
      return world.tryApply();
    },
  ],
  [
    "a confirmation that others can write",
    "apply/not-confirmed",
    async (world) => {
      await world.confirm();
      await chmod(await confirmationFile(world), 0o666);
      return world.tryApply();
    },
  ],
  [
    "a confirmation that was made without the key",
    "apply/not-confirmed",
    async (world) => {
      await world.confirm();
      const file = await confirmationFile(world);
      const proof = createHash("sha256").update(world.hash).digest("hex");
      await writeFile(file, JSON.stringify({ version: 1, at: world.clock.now(), proof }), { mode: 0o600 });
      return world.tryApply();
    },
  ],
  [
    "an expired confirmation with a newer time",
    "apply/not-confirmed",
    async (world) => {
      await world.confirm();
      const file = await confirmationFile(world);
      world.clock.advance(60 * 60_000);
      const confirmed: object = JSON.parse(await readFile(file, "utf8"));
      await writeFile(file, JSON.stringify({ ...confirmed, at: world.clock.now() }));
      return world.tryApply();
    },
  ],
  [
    "a project folder that was replaced by a link",
    "mcp/moved",
    async (world) => {
      await world.confirm();
      const { root } = world.project;
      await rename(root, `${root}-moved`);
      afterThisTest(() => rm(`${root}-moved`, { recursive: true, force: true }));
      await symlink(`${root}-moved`, root);
      return world.tryApply();
    },
  ],
  ["--yes as an argument", "Unrecognized key", (world) => world.tryApply({ yes: true })],
  [
    "another project as an argument",
    "Unrecognized key",
    (world) => world.tryApply({ config: "/etc/plancast.yaml" }),
  ],
  [
    "an allowed number of cancellations",
    "Unrecognized key",
    (world) => world.tryApply({ "allow-cancels": 9 }),
  ],
  [
    "a tool that does not exist",
    "confirm not found",
    (world) => world.assistant.call("confirm", { hash: world.hash }),
  ],
  ["a tool with the name of a property", "__proto__", (world) => world.assistant.call("__proto__")],
  [
    "a draft that says that it is ready",
    "Unrecognized key",
    (world) => {
      const post = {
        scheduled_at: "2036-05-01 09:00",
        platforms: ["twitter"],
        content: "x",
        status: "ready",
      };
      return world.assistant.call("write_draft", { calendar: "calendars/may.csv", posts: [post] });
    },
  ],
  [
    "another text for a row that is ready",
    "draft/not-a-draft",
    async (world) => {
      await world.confirm();
      const row = { calendar: "calendars/march.csv", row: "launch", content: "Buy now" };
      return world.assistant.call("write_draft", row);
    },
  ],
];

test.each(ATTACKS)("nothing is published: %s", async (_name, says, attack) => {
  const world = await startWorld();
  const answer = await attack(world);
  expect(answer).toEqual({ isError: true, text: expect.stringContaining(says) });
  expect([...world.service.posts.keys()]).toEqual([]);
  expect(world.service.media.size).toBe(0);
  expect(world.service.runs).toEqual([]);
});

test("a confirmed plan is applied once", async () => {
  const world = await startWorld();
  const confirmed = await world.confirm();
  expect(confirmed).toMatchObject({ code: 0, stdout: expect.stringContaining("once") });
  expect(confirmed.stderr).toContain("the person has confirmed everything");
  const done = await world.tryApply();
  expect(dataOf(done.text)).toMatchObject({ summary: { created: 3, failed: 0 } });
  expect(world.service.scheduled()).toHaveLength(3);
  // The same state as before gives the same plan again.
  for (const { id } of world.service.scheduled()) world.service.cancelByHand(id);
  await world.project.remove("plancast.lock.json");
  await rm(join(world.project.root, ".plancast"), { recursive: true, force: true });
  expect(hashIn(await world.assistant.call("plan"))).toBe(world.hash);
  expect(await world.tryApply()).toEqual({
    isError: true,
    text: expect.stringContaining("apply/not-confirmed"),
  });
  expect(world.service.scheduled()).toEqual([]);
});

test("if several servers have the same confirmation, exactly one applies the plan", async () => {
  const world = await startWorld();
  await world.confirm();
  const all = [
    world.assistant,
    ...(await Promise.all([1, 2, 3].map(() => other(world, world.project.root)))),
  ];
  const answers = await Promise.all(all.map(({ call }) => call("apply", { hash: world.hash })));
  expect(answers.filter(({ isError }) => !isError)).toHaveLength(1);
  expect(world.service.scheduled()).toHaveLength(3);
  expect(world.service.duplicates()).toEqual([]);
});

test("a plan that a guard stops cannot be confirmed", async () => {
  const world = await startWorld();
  await world.confirm();
  await world.tryApply();
  await world.project.write("calendars/march.csv", csv(HEADER));
  const plan = await world.assistant.call("plan");
  expect(plan.text).toContain("A guard stops this plan");
  const { hash } = await world.plan();
  expect((await world.confirm(hash)).stderr).toContain("guard/");
  expect((await world.tryApply({ hash })).isError).toBe(true);
  expect(world.service.scheduled()).toHaveLength(3);
});
