import { expect, test } from "vitest";
import { WRITE_FORMAT_NAMES } from "../../src/calendars/all-formats.ts";
import { ONE_IN, convertInTurn } from "./convert-in-turn.ts";
import { linesOf, readCases } from "./measure.ts";

const all = await readCases();
/** The long suite converts the others. */
const cases = all.filter((_, index) => index % ONE_IN === 0);

test("the conversions cover every format", () => {
  expect(WRITE_FORMAT_NAMES.toSorted()).toEqual(["csv", "md", "xlsx", "yaml"]);
});

/** Calendars without errors. */
const converted: string[] = [];

test.each(cases)("$name keeps its posts through every format, with settings for the project", async (own) => {
  const posts = await convertInTurn(own, { ...linesOf(own), calendars: ["*.*"] });
  if (posts !== undefined) converted.push(own.name);
  expect(posts?.after).toEqual(posts?.before);
});

test("most calendars of the corpus can be converted", () => {
  // plancast must refuse some of them, or needs an answer for each row.
  expect(converted.length).toBeGreaterThan(0.8 * cases.length);
});
