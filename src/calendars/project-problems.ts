import type { Problem } from "../model/problem.ts";

/** A project file that cannot be used, with everything that is wrong with it. */
export class ProjectProblems extends Error {
  readonly problems: readonly Problem[];
  /** One line of the project file, without its line end, to show beside a problem. */
  readonly sourceLine: (line: number) => string | undefined;

  constructor(problems: readonly Problem[], sourceLine: (line: number) => string | undefined) {
    super(problems.map((each) => each.message).join("\n"));
    this.name = "ProjectProblems";
    this.problems = problems;
    this.sourceLine = sourceLine;
  }
}
