export interface HostileInput {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly args?: readonly string[];
}

export const INPUTS: Readonly<Record<string, HostileInput>>;

/** Runs the built command on one input. `code` is null where it took too long and was killed. */
export function measure(
  input: HostileInput,
): Promise<{ readonly seconds: number; readonly code: number | null; readonly reported: string }>;
