import { expect, test } from "vitest";
import { type Converted, ONE_IN, convertInTurn } from "./convert-in-turn.ts";
import { linesOf, readCases } from "./measure.ts";

const cases = await readCases();

function check(posts: Converted | undefined): void {
  expect(posts?.after).toEqual(posts?.before);
}

test.each(cases.filter((_, index) => index % ONE_IN !== 0))(
  "$name keeps its posts through every format, with settings for the project",
  async (own) => {
    const posts = await convertInTurn(own, { ...linesOf(own), calendars: ["*.*"] });
    check(posts);
  },
);

test.each(cases)(
  "$name keeps its posts through every format, with settings for its own file",
  async (own) => {
    const { only, platforms, ...ofFiles } = linesOf(own);
    const rest = only === undefined ? [] : [{ files: "converted/**", only }];
    const calendars = [
      ...own.files.map((files) => ({ files, ...ofFiles, ...(only === undefined ? {} : { only }) })),
      ...rest,
    ];
    const posts = await convertInTurn(own, { calendars, ...(platforms === undefined ? {} : { platforms }) });
    check(posts);
  },
);
