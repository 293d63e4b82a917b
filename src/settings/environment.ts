/** What the environment says about where a command runs. */

export type Env = Readonly<Record<string, string | undefined>>;

/** Whether the command runs in CI: then nobody can be asked, and the checkout may be a stranger's. */
export function isCi({ CI: value }: Env): boolean {
  return value !== undefined && !/^(|false)$/i.test(value.trim());
}
