/** The limits of a platform in a project: those of its network, overridden by the project. */

import type { Config } from "../../settings/config.ts";
import type { Limits, Network } from "../../settings/limits.ts";
import { NETWORKS } from "./networks.ts";

/** Facts about a platform that rows name. */
export interface PlatformLimits {
  /** The platform's identifier. */
  readonly platform: string;
  /** The network's title, or the platform's identifier if the network is unknown. */
  readonly title: string;
  readonly limits: Limits;
  /** The limits that the project sets. */
  readonly own: Limits;
}

/**
 * The limits of a platform by its identifier: those of its network, overridden by the project. Undefined without any.
 */
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
  // A service may give an account any name. Then the alias that people use shows the network.
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
  return { platform, title: network?.title ?? platform, limits: { ...network?.limits, ...own }, own };
}

/** The network with this name. Case, blanks and punctuation do not count. */
export function networkNamed(name: string): Network | undefined {
  return NETWORKS.find(({ names }) => names.includes(foldNetworkName(name)));
}

function foldNetworkName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.-]+/g, "");
}
