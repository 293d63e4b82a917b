import type { Annotation } from "../report/annotations.ts";
import type { ExitCode } from "./shell.ts";

/** What a step of the GitHub Action came to, before it is told. */
export interface CiResult {
  readonly exit: ExitCode;
  /** Whatever is to be shown beside the calendars. */
  readonly annotations: readonly Annotation[];
  /** What happened, in so many UTF-16 units at most; the numbers first. `whole`: where all of it is. */
  readonly markdown: (maxLength: number, whole: string) => string;
  /** Outputs of the step. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Whether a comment is begun for it; one that is there is brought up to date in any case. */
  readonly isNews: boolean;
}
