import type { Code } from "../calendar/codes.ts";
import type { Problem } from "../calendar/problem.ts";

/** So many problems of one code in one file are each shown; of more, the first few. A whole column is wrong at once. */
const SHOWN_ALL = 20;
const SHOWN_OF_MORE = 10;

/** One line in the project file mends all of these in a calendar, so one of them is shown. */
const MENDED_AT_ONCE: ReadonlySet<Code> = new Set(["schedule/no-timezone", "schedule/ambiguous-date"]);

/** Longest list of lines, in spans such as `12–40`. */
const MAX_SPANS = 8;

/** Problems of one code in one file that are only counted, by the lines on which they stand. */
export interface MoreAlike extends Pick<Problem, "code" | "severity" | "file"> {
  readonly count: number;
  /** Such as `12–40, 47`. */
  readonly lines: string;
}

/** The problems in their order; where one kind fills a file, the rest of it in one entry behind its first few. */
export function shortenProblems(problems: readonly Problem[]): readonly (Problem | MoreAlike)[] {
  const groups = new Map<string, Problem[]>();
  for (const each of problems) {
    const kind = JSON.stringify([each.file, each.code]);
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [each]);
    else group.push(each);
  }
  const left = new Map<Problem, MoreAlike | undefined>();
  for (const group of groups.values()) {
    const rest = group.slice(shownOf(group));
    for (const [index, each] of rest.entries())
      left.set(each, index === 0 ? moreAlike(rest, each) : undefined);
  }
  return problems.flatMap((each) => (left.has(each) ? (left.get(each) ?? []) : each));
}

/** How many problems of one code in one file are shown each. */
function shownOf(group: readonly Problem[]): number {
  const [first] = group;
  if (first !== undefined && MENDED_AT_ONCE.has(first.code)) return 1;
  return group.length <= SHOWN_ALL ? group.length : SHOWN_OF_MORE;
}

function moreAlike(problems: readonly Problem[], { code, severity, file }: Problem): MoreAlike {
  const lines = problems.flatMap(({ line }) => line ?? []);
  return {
    code,
    severity,
    ...(file === undefined ? {} : { file }),
    count: problems.length,
    lines: spans(lines),
  };
}

/** Line numbers in short: neighbours become one span. */
function spans(lines: readonly number[]): string {
  const found: { first: number; last: number }[] = [];
  for (const line of lines) {
    const open = found.at(-1);
    if (open !== undefined && line <= open.last + 1) open.last = line;
    else found.push({ first: line, last: line });
  }
  const shown = found
    .slice(0, MAX_SPANS)
    .map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`));
  const last = found.at(-1)?.last;
  return found.length <= MAX_SPANS || last === undefined
    ? shown.join(", ")
    : `${shown.join(", ")} and so on up to ${last}`;
}
