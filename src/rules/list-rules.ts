import { CHECKS } from "../calendar/checks.ts";
import type { Config } from "../calendar/config.ts";
import type { ListedNetwork, RuleList } from "../calendar/rule-list.ts";
import { ALL_RULES } from "./all-checks.ts";
import { severityOf } from "./check-posts.ts";
import { NETWORKS } from "./networks.ts";
import { limitsOfProject, networkNamed } from "./platform-limits.ts";

/** Every check with its severity in a project, and every network with its limits there. */
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
    checks: ALL_RULES.map(({ code }) => ({
      code,
      severity: severityOf(code, config.rules),
      usual: severityOf(code, {}),
      rule: CHECKS[code].rule,
    })),
    networks: [...known, ...others],
  };
}
