import type { CheckCode, CheckSeverity } from "./checks.ts";
import type { Limits } from "./limits.ts";

/** A check as a project has it. */
export interface ListedCheck {
  readonly code: CheckCode;
  readonly severity: CheckSeverity;
  /** What it is where the project says nothing. */
  readonly usual: CheckSeverity;
  /** What it checks. */
  readonly rule: string;
}

/** A network, or a platform that only the project knows, with its limits as they count in the project. */
export interface ListedNetwork {
  readonly title: string;
  readonly names: readonly string[];
  readonly limits: Limits;
  /** The limits that are the project's own. */
  readonly own: Limits;
  /** Year and month; absent where all is the project's own. */
  readonly checked?: string;
  readonly sources: readonly string[];
}

/** All that is checked before posting, and against what. */
export interface RuleList {
  readonly checks: readonly ListedCheck[];
  readonly networks: readonly ListedNetwork[];
}
