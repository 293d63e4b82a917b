/** What is made to fail, so that tests can see how a client takes it. */
export interface Failures {
  /** Identifiers of platforms that refuse whatever is published there. */
  readonly platforms: ReadonlySet<string>;
  /** Ids of automations whose runs fail. */
  readonly automations: ReadonlySet<string>;
}

export const NO_FAILURES: Failures = { platforms: new Set(), automations: new Set() };
