/** Lists the rules and limits of a project, for `plancast rules`. */

import type { RuleSeverity, Config } from "../../settings/config.ts";
import type { Limits } from "../../settings/limits.ts";
import { NETWORKS } from "../networks/networks.ts";
import { limitsOfProject, networkNamed } from "../networks/platform-limits.ts";
import { ALL_RULES } from "./all-rules.ts";
import { severityOf } from "./check-posts.ts";

/** Every rule with its severity in a project, and every network with its limits there. */
export function listRules(config: Pick<Config, "rules" | "limits" | "platforms">): RuleList {
  const limitsOf = limitsOfProject(config);
  const known = NETWORKS.map(({ title, names, checked, sources }): ListedNetwork => ({
    title,
    names,
    limits: limitsOf(names[0])?.limits ?? {},
    own: limitsOf(names[0])?.own ?? {},
    checked,
    sources,
  }));
  const others = Object.keys(config.limits)
    .filter((name) => networkNamed(name) === undefined)
    .map((name): ListedNetwork => {
      const { limits = {}, own = {} } = limitsOf(name) ?? {};
      return { title: name, names: [name], limits, own, sources: [] };
    });
  return {
    rules: ALL_RULES.map((rule) => ({
      code: rule.code,
      severity: severityOf(rule, config.rules),
      usual: rule.severity,
      rule: rule.rule,
    })),
    networks: [...known, ...others],
  };
}

/** A rule in a project. */
export interface ListedRule {
  readonly code: string;
  readonly severity: RuleSeverity;
  /** The default severity. */
  readonly usual: RuleSeverity;
  /** The requirement, as a sentence. */
  readonly rule: string;
}

/** A network, or a platform that only the project knows, with its limits in the project. */
export interface ListedNetwork {
  readonly title: string;
  readonly names: readonly string[];
  readonly limits: Limits;
  /** The limits that the project sets. */
  readonly own: Limits;
  /** Year and month; absent if the project sets all of them. */
  readonly checked?: string;
  readonly sources: readonly string[];
}

/** All rules and limits. */
export interface RuleList {
  readonly rules: readonly ListedRule[];
  readonly networks: readonly ListedNetwork[];
}
