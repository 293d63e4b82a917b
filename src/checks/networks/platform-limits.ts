/** The limits of a platform in a project: its network's, with the project's own over them. */

import type { Config } from "../../settings/config.ts";
import type { Limits, Network } from "../../settings/limits.ts";
import { NETWORKS } from "./networks.ts";

/** What is known of a platform that rows name. */
export interface PlatformLimits {
  /** The network's title, or the platform's identifier where the network is not known. */
  readonly title: string;
  readonly limits: Limits;
  /** Those of the limits that are the project's own. */
  readonly own: Limits;
}

/** The limits of a platform by its identifier: the network's, with the project's own over them. Undefined without any. */
type LimitsOf = (platform: string) => PlatformLimits | undefined;

/** Looks each platform up once. */
export function limitsOfProject({ limits, platforms }: Pick<Config, "limits" | "platforms">): LimitsOf {
  const found = new Map<string, PlatformLimits | undefined>();
  return (platform) => {
    if (!found.has(platform)) found.set(platform, findLimits(platform, limits, platforms));
    return found.get(platform);
  };
}

function findLimits(
  platform: string,
  overrides: Config["limits"],
  aliases: Config["platforms"],
): PlatformLimits | undefined {
  // A service may call an account anything; what people call it then tells the network.
  const names = [
    platform,
    ...Object.keys(aliases).filter(
      (alias) => foldNetworkName(aliases[alias] ?? "") === foldNetworkName(platform),
    ),
  ];
  const network = names.map(networkNamed).find((each) => each !== undefined);
  const known = new Set([...names, ...(network?.names ?? [])].map(foldNetworkName));
  const entries = Object.entries(overrides).filter(([name]) => known.has(foldNetworkName(name)));
  if (network === undefined && entries.length === 0) return undefined;
  const own = entries.reduce<Limits>((merged, [, each]) => ({ ...merged, ...each }), {});
  return { title: network?.title ?? platform, limits: { ...network?.limits, ...own }, own };
}

/** The network that a name stands for, in any case, blanks and signs left out. */
export function networkNamed(name: string): Network | undefined {
  return NETWORKS.find(({ names }) => names.includes(foldNetworkName(name)));
}

function foldNetworkName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.-]+/g, "");
}
