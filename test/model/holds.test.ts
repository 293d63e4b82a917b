import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Hold,
  holdOfPost,
  isActive,
  lineText,
  parseHolds,
  readableHolds,
  withLine,
  withMainHolds,
} from "../../src/model/holds.ts";
import { Failure } from "../../src/model/failure.ts";
import { makeRepository } from "../support/github/repository.ts";

const A = lineText({ hold: "a", only: { client: "acme" }, reason: "Recall" });
const B = lineText({ hold: "b", reason: "Strike", until: "2036-03-01T10:00:00+01:00" });
const NOON = Date.parse("2036-03-01T12:00:00Z");

function file(...lines: readonly string[]): string {
  return lines.reduce(withLine, "");
}

function active(text: string, now = NOON): readonly string[] {
  return parseHolds(text).flatMap((hold) => (isActive(hold, now) ? hold.id : []));
}

test("a hold counts until its time, with its offset, or until its release", () => {
  expect(active(file(A, B), Date.parse("2036-03-01T08:59:59Z"))).toEqual(["a", "b"]);
  expect(active(file(A, B), Date.parse("2036-03-01T09:00:00Z"))).toEqual(["a"]);
  expect(active(file(A, lineText({ release: "a" })))).toEqual([]);
});

test("a release ends no hold below it, and none before its own time", () => {
  const release = lineText({ release: "a" });
  expect(active(file(release, A))).toEqual(["a"]);
  expect(active(file(A, release, A))).toEqual(["a"]);
  // Otherwise such a pair would withhold a post that is due between the two times, and no plan would show it.
  const later = [
    lineText({ hold: "c", reason: "Strike", at: "2036-03-02T00:00:00Z" }),
    lineText({ release: "c", at: "2036-03-03T00:00:00Z" }),
  ];
  expect(active(file(...later))).toEqual(["c"]);
  expect(active(file(...later), Date.parse("2036-03-03T00:00:00Z"))).toEqual([]);
});

test("more holds than anybody makes are refused, because each post is compared with each of them", () => {
  const lines = Array.from({ length: 1_001 }, (_none, index) => lineText({ hold: `h${index}`, reason: "x" }));
  expect(parseHolds(lines.slice(1).join("\n"))).toHaveLength(1_000);
  expect(() => parseHolds(lines.join("\n"))).toThrow("more than 1000 holds");
});

test.each([
  ["a line of the main branch that the checkout lacks", "", "", file(A), ["a"]],
  ["a line that only the checkout has", file(A), "", "", ["a"]],
  ["a line that the checkout removed, and the main branch not", "", file(A), file(A), ["a"]],
  ["a line that the main branch removed", file(A), file(A), "", []],
  ["a release that only the checkout has", file(A, lineText({ release: "a" })), file(A), file(A), []],
])("%s", (_name, mine, base, main, expected) => {
  expect(active(withMainHolds(mine, base, main))).toEqual(expected);
});

test("of a broken file, the lines that can be read are the holds that a repair may end", () => {
  const text = file(A, "<<<<<<< HEAD", B, lineText({ release: "b", at: "2036-01-01T00:00:00Z" }));
  expect(() => parseHolds(text)).toThrow("holds.yaml:3");
  expect(readableHolds(text).map(({ id, released }) => [id, released === undefined])).toEqual([
    ["a", true],
    ["b", false],
  ]);
});

test("any other text is refused with its line, and never ignored", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      try {
        expect(Array.isArray(parseHolds(text))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
        expect(String(error)).toMatch(/plancast\.holds\.yaml:\d+ is not a hold/);
      }
    }),
  );
  for (const line of ["- {}", '- {"hold":"a"}', `${A},`, '- {"hold":"a","reason":"b","until":"2036-03-01"}'])
    expect(() => parseHolds(line)).toThrow(/holds\.yaml:1/);
  expect(() => parseHolds('- {"hold":"a","reason":"b","only":{"date":"soon"}}')).toThrow("not a day");
});

test("a post is not sent while it is held, and not later if it was due meanwhile", () => {
  const posts = ["post_1"];
  const at = "2036-03-01T09:00:00Z";
  const holds: readonly Hold[] = parseHolds(
    file(
      lineText({
        hold: "a",
        only: { client: "acme" },
        reason: "Recall",
        at,
        until: "2036-03-01T11:00:00Z",
        posts,
      }),
    ),
  );
  const of = (id: string, due: string, now: string): string | undefined =>
    holdOfPost(holds, { id, dueAt: Date.parse(due) }, Date.parse(now))?.id;
  expect(of("post_1", "2036-03-01T10:00:00Z", "2036-03-01T10:30:00Z")).toBe("a");
  expect(of("post_1", "2036-03-01T10:00:00Z", "2036-03-01T11:30:00Z")).toBe("a");
  expect(of("post_1", "2036-03-01T11:30:00Z", "2036-03-01T11:31:00Z")).toBeUndefined();
  expect(of("post_2", "2036-03-01T10:00:00Z", "2036-03-01T10:30:00Z")).toBeUndefined();
});

test("git merges the holds of two branches, and a release of one with a hold of the other", async () => {
  const repository = await makeRepository({ ".gitattributes": "plancast.holds.yaml merge=union\n" }, {});
  const { git, project } = repository;
  await project.write("plancast.holds.yaml", file(A));
  repository.push("a");
  git("checkout", "-q", "-b", "other");
  await project.write("plancast.holds.yaml", file(A, B));
  git("commit", "-qam", "b");
  git("checkout", "-q", "main");
  await project.write("plancast.holds.yaml", file(A, lineText({ release: "a" })));
  git("commit", "-qam", "release");
  git("merge", "-q", "other");
  expect(active(await project.read("plancast.holds.yaml"), 0)).toEqual(["b"]);
});
