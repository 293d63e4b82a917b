import { expect, test } from "vitest";
import { type Converted, ONE_IN, convertInTurn } from "./convert-in-turn.ts";
import { type Case, linesOf, readCases } from "./measure.ts";

const cases = await readCases();

/** convert cannot write a status for each network yet. It refuses such a calendar, and writes nothing. */
const REFUSED: ReadonlySet<string> = new Set(["status-for-each-network"]);

/** Their types are written only for some rows, and the project's settings do not say what a blank type means. */
const REFUSED_IN_PROJECT: ReadonlySet<string> = new Set([
  ...REFUSED,
  "band-stories-and-reels",
  "danish-bike-shop",
]);

function check({ name }: Case, posts: Converted | undefined, refused = REFUSED): void {
  if (refused.has(name))
    expect(posts?.after).toEqual([expect.stringMatching(/^xlsx: plancast would read different posts/)]);
  else expect(posts?.after).toEqual(posts?.before);
}

test.each(cases.filter((_, index) => index % ONE_IN !== 0))(
  "$name keeps its posts through every format, with settings for the project",
  async (own) => {
    const posts = await convertInTurn(own, { ...linesOf(own), calendars: ["*.*"] });
    check(own, posts, REFUSED_IN_PROJECT);
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
