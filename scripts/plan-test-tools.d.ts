export interface Tool {
  readonly name: string;
  /** What the tests that need it are about. */
  readonly why: string;
}

export interface Machine {
  /** As in process.platform. */
  readonly platform: string;
  readonly isUbuntu: boolean;
  /** Names of TOOLS. */
  readonly missing: readonly string[];
  readonly managers: readonly ("apt-get" | "brew")[];
  readonly isRoot: boolean;
  readonly sudo: "no" | "with a password" | "without a password";
  readonly isTerminal: boolean;
}

export interface Plan {
  readonly action: "ready" | "install" | "ask" | "stop";
  readonly command: string;
  readonly message: string;
}

export const BROWSER: string;
export const TOOLS: readonly Tool[];
export function planTestTools(machine: Machine): Plan;
