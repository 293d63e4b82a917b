import { expect, test } from "vitest";
import { type Converted, ONE_IN, convertInTurn } from "./convert-in-turn.ts";
import { type Case, linesOf, readCases } from "./measure.ts";

const cases = await readCases();

/** convert cannot write a status for each network yet. It refuses such a calendar, and writes nothing. */
const REFUSED: ReadonlySet<string> = new Set(["status-for-each-network"]);

function check({ name }: Case, posts: Converted | undefined): void {
  if (REFUSED.has(name))
    expect(posts?.after).toEqual([expect.stringMatching(/^xlsx: plancast would read different posts/)]);
  else expect(posts?.after).toEqual(posts?.before);
}

test.each(cases.filter((_, index) => index % ONE_IN !== 0))(
  "$name keeps its posts through every format, with settings for the project",
  async (own) => {
    const posts = await convertInTurn(own, { ...linesOf(own), calendars: ["*.*"] });
    check(own, posts);
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
    check(own, posts);
  },
);
