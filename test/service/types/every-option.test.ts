/**
 * Every option that a service carries, with each of its values, from the catalogue: what arrives is what the row says. A new
 * option is tested as soon as it is in the tables.
 */
import { expect, test } from "vitest";
import { CARRIED_BY_POSTIZ, CARRIED_BY_ZERNIO, type Carried } from "../../../src/model/options/carried.ts";
import { type OptionFacts, optionFacts, splitOption } from "../../../src/model/options/catalogue.ts";
import type { ContractWorld } from "../../support/contract/contract-world.ts";
import { sha256 } from "../../support/contract/contract-world.ts";
import { postizWorld, zernioWorld } from "../../support/contract/worlds.ts";
import { tinyMp4, tinyPng } from "../../support/tiny-media.ts";

const COVER = tinyPng(3);

/** What people write for a value of each kind. */
function samples({ kind, values = {} }: OptionFacts): readonly string[] {
  switch (kind) {
    case "choice":
      return Object.keys(values);
    case "choices":
      return [...Object.keys(values).slice(0, 1), Object.keys(values).slice(0, 2).join(", ")];
    case "flag":
      return ["yes", "no"];
    case "list":
    case "handles":
      return ["acme", "acme, garden"];
    case "language":
      return ["de"];
    case "languages":
      return ["de, en"];
    case "address":
      return ["https://example.com/a"];
    case "media":
      return ["cover.png"];
    case "data":
      return ['[{"value":"garden"}]'];
    case "text":
      return ["A text"];
  }
}

/** What the service must get. Written without the code that sends. */
function expected(own: Carried[string], { kind }: OptionFacts, value: string): unknown {
  if (own.words !== undefined) return own.words[value];
  if (kind === "flag") return value === "yes";
  if (kind === "data") return JSON.parse(value);
  if (!["choices", "list", "handles", "languages"].includes(kind)) return value;
  return value
    .split(", ")
    .map((each) => (own.keys === undefined ? each : Object.fromEntries(own.keys.map((key) => [key, each]))));
}

interface Case {
  readonly id: string;
  readonly platform: string;
  readonly name: string;
  readonly value: string;
  readonly own: Carried[string];
  readonly facts: OptionFacts;
}

function casesOf(carried: Carried): readonly Case[] {
  return Object.entries(carried).flatMap(([name, own]) => {
    const { platform = "", option = "" } = splitOption(name) ?? {};
    const facts = optionFacts(platform, option);
    if (facts === undefined) throw new Error(`The catalogue does not have ${name}.`);
    return samples(facts)
      .filter((value) => own.words === undefined || Object.hasOwn(own.words, value))
      .map((value, index) => ({ id: `${name}-${index}`, platform, name, value, own, facts }));
  });
}

/** What plancast.yaml must say so that the network accepts posts. */
function neededOptions(cases: readonly Case[]): object {
  const needed: Record<string, Record<string, string>> = {};
  for (const { platform, name, value, own } of cases)
    if (own.needed === true) (needed[platform] ??= {})[name.slice(platform.length + 1)] ??= value;
  return needed;
}

/** One row for each value. */
function rowsOf(cases: readonly Case[]): readonly object[] {
  return cases.map(({ id, platform, name, value }, index) => ({
    id,
    scheduled_at: `2030-02-${String(1 + (index % 27)).padStart(2, "0")}T09:${String(index % 60).padStart(2, "0")}:00Z`,
    platforms: [platform],
    content: id,
    media: ["clip.mp4"],
    options: { [platform]: { [name.slice(platform.length + 1)]: value } },
  }));
}

const FILES = { "cover.png": COVER, "clip.mp4": tinyMp4() };
const RULES = {
  "row/same-minute": "off",
  "options/type": "off",
  "options/story-text": "off",
  "media/required": "off",
};

async function schedule(
  { project, run, apply, planned }: ContractWorld,
  service: object,
  cases: readonly Case[],
) {
  const options = neededOptions(cases);
  const settings = { timezone: "UTC", calendars: ["calendar.yaml"], service, rules: RULES, options };
  await project.write("plancast.yaml", JSON.stringify(settings));
  await project.write("calendar.yaml", JSON.stringify(rowsOf(cases)));
  const ran = await apply(0).catch(async (error: unknown) => {
    throw new Error((await run("plan")).stdout.slice(0, 4_000), { cause: error });
  });
  expect(ran.outcomes).toHaveLength(cases.length);
  expect(await planned()).toEqual({ keep: cases.length });
}

const POSTIZ_NAMES: Readonly<Record<string, string>> = { twitter: "x", warpcast: "wrapcast" };

test("Postiz gets every option with each of its values", async () => {
  const cases = casesOf(CARRIED_BY_POSTIZ);
  const integrations = [...new Set(cases.map(({ platform }) => platform))].map((platform) => ({
    id: `int-${platform}`,
    identifier: POSTIZ_NAMES[platform] ?? platform,
    name: platform,
    profile: platform,
    disabled: false,
  }));
  const { world } = await postizWorld(FILES, { integrations });
  await schedule(world, { type: "postiz", url: world.server.url }, cases);
  const sent = new Map(
    world.server.scheduled().map((post) => [world.server.publishedText(post), post.settings]),
  );
  for (const { id, own, facts, value } of cases) {
    const field = own.as === "" ? undefined : sent.get(id)?.[own.as];
    if (facts.kind === "media") {
      const { id: medium = "" } = (field ?? {}) as { id?: string };
      expect([id, world.server.media.get(medium)?.sha256]).toEqual([id, sha256(COVER)]);
    } else expect([id, field]).toEqual([id, expected(own, facts, value)]);
  }
  expect(sent.size).toBe(cases.length);
});

test("Zernio gets every option with each of its values", async () => {
  const cases = casesOf(CARRIED_BY_ZERNIO);
  const accounts = [...new Set(cases.map(({ platform }) => platform))].map((platform) => ({
    _id: `acc-${platform}`,
    platform,
    username: platform,
    displayName: platform,
    isActive: true,
  }));
  const { world } = await zernioWorld(FILES, { accounts });
  await schedule(world, { type: "zernio", url: world.server.url }, cases);
  const sent = new Map(
    world.server
      .scheduled()
      .map(({ content, platforms: [target] }) => [content, target?.platformSpecificData]),
  );
  for (const { id, own, facts, value } of cases) {
    const field: unknown = own.as === "" ? undefined : sent.get(id)?.[own.as];
    if (facts.kind === "media")
      expect([id, String(field)]).toEqual([id, expect.stringMatching(/^https?:\/\//)]);
    else expect([id, field]).toEqual([id, expected(own, facts, value)]);
  }
  expect(sent.size).toBe(cases.length);
});
