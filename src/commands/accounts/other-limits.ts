/** Compares what a server allows with what the project checks posts for. */

import { limitsOfProject } from "../../checks/networks/network-names.ts";
import type { AccountCheck, ServerLimits } from "../../networks/network.ts";
import type { CheckedAccount } from "../../report/status/network-accounts.ts";
import type { Config } from "../../settings/config.ts";

/** The answer of the network. It contains only the limits that differ from the project's limits. */
export function withOtherLimits(
  check: AccountCheck,
  platform: string,
  config: Pick<Config, "limits" | "platforms">,
): CheckedAccount {
  if (check.state === "failed") return check;
  const { limits: server = {}, ...account } = check;
  const { text, media } = limitsOfProject(config)(platform)?.limits ?? {};
  const isOtherText = server.text !== undefined && server.text !== text;
  const isOtherMedia = server.media !== undefined && server.media !== media;
  if (!isOtherText && !isOtherMedia) return account;
  const different = (limits: ServerLimits): ServerLimits => ({
    ...(isOtherText && limits.text !== undefined ? { text: limits.text } : {}),
    ...(isOtherMedia && limits.media !== undefined ? { media: limits.media } : {}),
  });
  return { ...account, limits: { server: different(server), checked: different({ text, media }) } };
}
