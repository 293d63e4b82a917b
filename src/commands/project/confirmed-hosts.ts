/** The private hosts from which a run may download. */

import { hostsNotIn } from "../../media/allowed-hosts.ts";
import { Failure } from "../../model/failure.ts";
import type { Project } from "../../settings/config.ts";
import { type Env, isCi } from "../../settings/environment.ts";

/** The project, which also allows these hosts. */
export function allowing({ config, ...project }: Project, hosts: readonly string[]): Project {
  const { media } = config;
  return {
    ...project,
    config: { ...config, media: { ...media, allow_hosts: [...media.allow_hosts, ...hosts] } },
  };
}

/**
 * The project with the hosts that PLANCAST_MEDIA_ALLOW_HOSTS allows. Throws a Failure if, in CI, the checkout names
 * others: a pull request could make the runner contact machines of its network.
 */
export function withConfirmedHosts(project: Project, env: Env): Project {
  const confirmed = (env["PLANCAST_MEDIA_ALLOW_HOSTS"] ?? "").split(/[\s,]+/).filter((host) => host !== "");
  const others = hostsNotIn(project.config.media.allow_hosts, confirmed);
  if (others.length === 0 || !isCi(env)) return allowing(project, confirmed);
  throw new Failure(
    "media/url-private",
    `Only media.allow_hosts in ${project.file} allows downloads from ${others.join(", ")}, which may be in your private network. In CI, that is not enough, so nothing was downloaded.`,
    `If your media are there, name the hosts in PLANCAST_MEDIA_ALLOW_HOSTS in the settings of your CI (the Action's input media-allow-hosts). Otherwise remove them from ${project.file}.`,
  );
}
