/** What the environment says about where a command runs. */

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * A variable that a project or a list may name: only capitals. Anything else may be a key in the wrong place, and
 * messages repeat the name.
 */
export const VARIABLE_NAME = /^[A-Z][A-Z0-9_]{0,99}$/;

/** Whether the command runs in CI: then nobody can answer a question, and the checkout may be a stranger's. */
export function isCi({ CI: value }: Env): boolean {
  return value !== undefined && !/^(|false)$/i.test(value.trim());
}
