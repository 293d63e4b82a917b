/** The one place that reads a service's key: after the lockfile's origin is checked, and only if the key may go there. */

import { type KeyUse, DEFAULT_KEY_VARIABLE } from "../../problems/key-texts.ts";
import type { Project } from "../../settings/config.ts";
import { type Env, isCi } from "../../settings/environment.ts";
import { checkedKey, readApiKey } from "../http/api-key.ts";
import { OriginKey } from "../http/origin-key.ts";
import { decideOrigin, notConfirmed, parseTrustUrls, parseTrustedOrigins } from "./confirm-origin.ts";

/** What confirms that a key may be sent, besides the environment. */
export interface Confirmation {
  /** Values of --trust-url. */
  readonly trustUrls: readonly string[];
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  /** Whether a person has confirmed this key for this origin before. */
  readonly isRemembered: (origin: string, key: string, project: Project) => Promise<boolean>;
  /** Asks a person, and remembers a yes. */
  readonly ask: (use: KeyUse, key: string, project: Project) => Promise<boolean>;
}

export interface KeyOptions {
  readonly project: Project;
  readonly env: Env;
  /** Names a file that holds the key, instead of a variable. */
  readonly apiKeyFile: string | undefined;
  /** A key that the caller was given for this project, such as the Action's input; goes before every variable. */
  readonly givenKey?: string | undefined;
  readonly confirmation: Confirmation;
  /** Throws a Failure if the project's lockfile belongs to another origin. */
  readonly checkLockfile: (project: Project, origin: string) => Promise<void>;
}

/** Throws a Failure where there is no key, or it must not go to the origin. */
export async function obtainKey(
  origin: string,
  namedBy: KeyUse["namedBy"],
  options: KeyOptions,
): Promise<OriginKey> {
  const { project, env, confirmation, checkLockfile } = options;
  await checkLockfile(project, origin);
  const { text, variable } = await readKey(options);
  const use: KeyUse = { origin, namedBy, variable };
  const decision = decideOrigin(use, {
    byEnvironment: parseTrustedOrigins(env["PLANCAST_TRUSTED_ORIGINS"]),
    byFlag: parseTrustUrls(confirmation.trustUrls),
    isCi: isCi(env),
    canAsk: confirmation.canAsk,
    isRemembered: await confirmation.isRemembered(origin, text, project),
  });
  switch (decision.kind) {
    case "send":
      return OriginKey.confirmed(origin, text, decision.by);
    case "ask":
      if (await confirmation.ask(use, text, project)) return OriginKey.confirmed(origin, text, "person");
      throw notConfirmed(use, "declined", project.file);
    case "refuse":
      throw notConfirmed(use, decision.why, project.file);
    default:
      return decision satisfies never;
  }
}

/** What a person hands over for this run goes before the variable that the project names. */
async function readKey({
  project,
  env,
  apiKeyFile,
  givenKey,
}: KeyOptions): Promise<{ readonly text: string; readonly variable: string }> {
  if (apiKeyFile !== undefined) return { text: await readApiKey(apiKeyFile), variable: DEFAULT_KEY_VARIABLE };
  if (givenKey !== undefined)
    return { text: checkedKey(givenKey, "The input api-key"), variable: DEFAULT_KEY_VARIABLE };
  const variable = project.config.service.key_env ?? DEFAULT_KEY_VARIABLE;
  return { text: checkedKey(env[variable], variable, variable), variable };
}
