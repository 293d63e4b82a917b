import type { Code } from "../calendar/codes.ts";
import type { Problem } from "../calendar/problem.ts";

/** So many problems of one code in one file are each shown; of more, the first few. A whole column is wrong at once. */
const SHOWN_ALL = 20;
const SHOWN_OF_MORE = 10;

/** So many problems that say the same are each shown; of more, the first. Who has read one has read them all. */
const SHOWN_OF_SAME = 3;

/** One line in the project file mends all of these in a calendar, so one of them is shown. */
const FIXED_BY_ONE_SETTING: ReadonlySet<Code> = new Set(["schedule/no-timezone", "schedule/ambiguous-date"]);

/** Longest list of lines, in spans such as `12–40`. */
const MAX_SPANS = 8;

/** Problems of one code in one file that are only counted, by the lines on which they stand. */
export interface SimilarProblems extends Pick<Problem, "code" | "severity" | "file"> {
  readonly count: number;
  /** Such as `12–40, 47`. */
  readonly lines: string;
}

/** The problems in their order; where one kind fills a file, the rest of it in one entry behind its first few. */
export function shortenProblems(problems: readonly Problem[]): readonly (Problem | SimilarProblems)[] {
  const left = new Set<Problem>();
  const behind = new Map<Problem, SimilarProblems>();
  const shorten = (group: readonly Problem[], shown: number): void => {
    const last = group[shown - 1];
    const rest = group.slice(shown);
    if (last === undefined || rest.length === 0) return;
    behind.set(last, similarProblems(rest, last));
    for (const each of rest) left.add(each);
  };
  for (const same of groupsBy(problems, ({ file, code, message }) => [file, code, message]))
    shorten(same, same.length <= SHOWN_OF_SAME ? same.length : 1);
  const others = problems.filter((each) => !left.has(each) && !behind.has(each));
  for (const alike of groupsBy(others, ({ file, code }) => [file, code])) shorten(alike, shownOf(alike));
  return problems.flatMap((each) => {
    const more = behind.get(each);
    if (left.has(each)) return [];
    return more === undefined ? [each] : [each, more];
  });
}

function groupsBy(
  problems: readonly Problem[],
  kindOf: (problem: Problem) => readonly unknown[],
): Iterable<readonly Problem[]> {
  const groups = new Map<string, Problem[]>();
  for (const each of problems) {
    const kind = JSON.stringify(kindOf(each));
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [each]);
    else group.push(each);
  }
  return groups.values();
}

/** How many problems of one code in one file are shown each. */
function shownOf(group: readonly Problem[]): number {
  const [first] = group;
  if (first !== undefined && FIXED_BY_ONE_SETTING.has(first.code)) return 1;
  return group.length <= SHOWN_ALL ? group.length : SHOWN_OF_MORE;
}

function similarProblems(problems: readonly Problem[], { code, severity, file }: Problem): SimilarProblems {
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
