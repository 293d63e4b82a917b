/** Any bytes as an answer, lockfile, journal or plan file lead to an error with a code or to a normal run. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LONG_MS, perEffort } from "./effort.ts";
import type { ChaosWorld, Ran } from "./chaos-world.ts";
import { Figures } from "./figures.ts";
import { startStandardScenario } from "./standard-scenario.ts";

const RUNS = Number(process.env["CHAOS_FUZZ"] ?? perEffort({ quick: 4, long: 80, full: 1_000 }));

/** JSON values from the words that services use, so that plancast almost understands them. */
const word = fc.constantFrom(
  "id",
  "post_id",
  "data",
  "posts",
  "items",
  "content",
  "text",
  "platforms",
  "scheduled_at",
  "media_ids",
  "media",
  "status",
  "next",
  "next_cursor",
  "next_url",
  "has_more",
  "total",
  "error",
  "code",
  "message",
  "retry_after",
  "__proto__",
  "constructor",
  "scheduled",
  "published",
  "linkedin",
  "2036-03-01T09:00:00Z",
  "post_1",
  "media_1",
  "",
);
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    word,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(word, tie("value"), { maxKeys: 6 }),
  ),
}));

const body = fc.oneof(
  { weight: 5, arbitrary: json.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "<html><title>Sign in</title></html>", "[", "null", "[null]", "[[]]"),
  },
);
const answer = fc.record({
  status: fc.constantFrom(
    200,
    200,
    200,
    200,
    201,
    204,
    206,
    300,
    304,
    400,
    401,
    403,
    404,
    409,
    418,
    422,
    451,
    500,
    503,
    599,
  ),
  body,
  type: fc.constantFrom(
    "application/json",
    "text/html",
    "application/octet-stream",
    "text/plain; charset=utf-16",
  ),
});

/** No internal faults, and a code for every failure. */
function checkEnd({ code, stdout, stderr }: Ran): void {
  if (/internal\/fault/.test(stdout + stderr)) throw new Error(`exit ${code}\n${stderr}`);
  expect([0, 1, 3]).toContain(code);
  if (code === 1) expect(stdout + stderr).toMatch(/\b[a-z]+\/[a-z-]+\b|"status": "failed"/);
  JSON.parse(stdout);
}

test("plan never writes or crashes, for any answers of the service", { timeout: LONG_MS }, async () => {
  const figures = new Figures("answers");
  const { world, check } = await startStandardScenario();
  const before = JSON.stringify([...world.service.posts]);
  const lockfile = await world.project.read("plancast.lock.json");
  const reads = fc.record({ answer, path: fc.constantFrom(/posts$/, /posts/, /platforms$/, /media$/, /./) });
  const property = fc.asyncProperty(reads, async ({ answer: given, path }) => {
    const { faults } = world.service;
    faults.plan(({ method, path: asked }) =>
      method === "GET" && path.test(asked) ? { kind: "answer-before", answer: given } : undefined,
    );
    figures.count("answers");
    const ran = await world.plan();
    faults.clear();
    checkEnd(ran);
    expect(JSON.stringify([...world.service.posts])).toBe(before);
    expect(await world.project.read("plancast.lock.json")).toBe(lockfile);
  });
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  expect(check().touched).toEqual([]);
  figures.print("fuzz, answers to plan");
});

test("apply schedules each row once after any answers", { timeout: LONG_MS }, async () => {
  const figures = new Figures("answers");
  const at = fc.array(fc.record({ answer, n: fc.integer({ min: 1, max: 16 }) }), {
    minLength: 1,
    maxLength: 3,
  });
  const property = fc.asyncProperty(at, async (answers) => {
    const { world, check } = await startStandardScenario();
    // A write has its effect, whatever its answer says.
    for (const { answer: given, n } of answers) {
      world.service.faults.at(n, { kind: "answer-after", answer: given });
    }
    figures.count("answers", answers.length);
    checkEnd(await world.apply());
    world.service.faults.clear();
    await world.service.whenQuiet();
    world.clock.advance(121_000);
    await world.converge();
    const found = check();
    figures.countViolations(found);
    expect(found.touched).toEqual([]);
    await world.close();
  });
  await fc.assert(property, { numRuns: Math.ceil(RUNS / 2), endOnFailure: true });
  figures.print("fuzz, answers to apply");
});

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
  body.map((text) => Buffer.from(text)),
);

/** The file as it was written, with some bytes changed, cut off or doubled. */
function damaged(text: string): fc.Arbitrary<Buffer> {
  const whole = Buffer.from(text);
  const place = fc.nat({ max: Math.max(0, whole.length - 1) });
  return fc.oneof(
    place.map((end) => whole.subarray(0, end)),
    fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 4 })).map(([from, change]) => {
      const copy = Buffer.from(whole);
      copy.set(change.subarray(0, copy.length - from), from);
      return copy;
    }),
    fc.tuple(place, place).map(([from, to]) => Buffer.concat([whole.subarray(0, to), whole.subarray(from)])),
    fc.constant(Buffer.concat([Buffer.from("<<<<<<< HEAD\n"), whole])),
  );
}

test.each([
  ["lockfile", "plancast.lock.json", undefined],
  ["journal", ".plancast/plancast.lock.json.journal", undefined],
  ["plan file", "saved.json", "saved.json"],
])(
  "any bytes as the %s neither crash plancast nor touch an unmanaged post",
  { timeout: LONG_MS },
  async (what, path, plan) => {
    const figures = new Figures("files");
    const { world, check } = await startStandardScenario();
    const planned = await world.plan();
    await world.applyAndDie(190);
    await world.service.whenQuiet();
    const whole = path === "saved.json" ? planned.stdout : await world.project.read(path);
    const lockfile = await world.project.read("plancast.lock.json");
    const property = fc.asyncProperty(fc.oneof(bytes, damaged(whole)), async (contents) => {
      await world.project.write("plancast.lock.json", lockfile);
      await world.project.write(path, contents);
      figures.count("files");
      const writes = writesOf(world);
      const ran = plan === undefined ? await world.plan() : await world.apply({ args: { plan } });
      checkEnd(ran);
      expect(writesOf(world)).toBe(writes);
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    expect(check().touched).toEqual([]);
    figures.print(`fuzz, ${what}`);
  },
);

function writesOf({ service }: ChaosWorld): number {
  const { creates, cancels, uploads } = service.counters;
  return creates + cancels + uploads;
}
