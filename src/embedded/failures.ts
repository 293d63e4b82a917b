/** What is made to fail, so that tests can see how a client takes it: texts such as `platform=instagram`. */
export type Failures = ReadonlySet<string>;

export function platformFails(failures: Failures, platform: string): boolean {
  return failures.has(`platform=${platform}`);
}

export function automationFails(failures: Failures, id: string): boolean {
  return failures.has(`automation=${id}`);
}
