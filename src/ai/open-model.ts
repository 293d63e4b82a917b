/** Opens the language model of a project: checks its address, and that its key may go there. */

import { limitsOfProject } from "../checks/networks/network-names.ts";
import { durationMs } from "../model/clock.ts";
import { Failure } from "../model/failure.ts";
import { type KeyOptions, confirmKey, isNamedOutside } from "../service/connect/obtain-key.ts";
import { type RequestKey, addressFault } from "../service/http/key.ts";
import type { AiSettings } from "../settings/ai.ts";
import { isCi } from "../settings/environment.ts";
import { LanguageModel, type ModelOptions } from "./language-model.ts";

type OpenModelOptions = Pick<KeyOptions, "project" | "env" | "confirmation"> &
  Omit<ModelOptions, "settings" | "key" | "limitsOf" | "timeoutMs">;

/** Throws a Failure if the address or the key cannot be used, or the key must not go to the address. */
export async function openModel(settings: AiSettings, options: OpenModelOptions): Promise<LanguageModel> {
  const { project, env: _env, confirmation: _confirmation, ...given } = options;
  checkAddress(settings.url);
  return new LanguageModel({
    ...given,
    settings,
    key: await keyOf(settings, options),
    timeoutMs: durationMs(settings.timeout),
    limitsOf: limitsOfProject(project.config),
  });
}

/** The address is not repeated, because it may hold a secret. */
function checkAddress(url: string): void {
  const fault = addressFault(url);
  if (fault === undefined) return;
  throw new Failure(
    "ai/address",
    `The address of the language model (ai.url) ${fault.what}.`,
    "Write it like http://localhost:11434/v1, or https://api.example.com/v1. Put a key into the variable that ai.key_env names.",
  );
}

/** Models on this machine need none. */
const NO_KEY: RequestKey = { authorization: () => undefined, text: "" };

async function keyOf({ url, key_env: variable }: AiSettings, options: OpenModelOptions): Promise<RequestKey> {
  const { origin } = new URL(url);
  if (variable === undefined) {
    // On a terminal, the question before the first request names the address.
    if (isCi(options.env) && !isNamedOutside(origin, options))
      throw notConfirmed(origin, options.project.file);
    return NO_KEY;
  }
  const key = (options.env[variable] ?? "").trim();
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) {
    const what = key === "" ? "is empty" : "is not one line of printable ASCII without spaces";
    throw new Failure(
      "ai/no-key",
      `${variable}, the key of the language model (ai.key_env), ${what}.`,
      `Put the key into the environment variable ${variable}. A model on this machine usually needs no key. In that case, remove ai.key_env.`,
    );
  }
  return confirmKey({ origin, namedBy: "checkout", variable }, key, options);
}

function notConfirmed(origin: string, file: string): Failure {
  return new Failure(
    "ai/url-not-confirmed",
    `plancast sent nothing to ${origin}: only ${file} names this address of a language model (ai.url), and a pull request can change it.`,
    `If you trust this address with your prompts and pictures, add \`${origin}=NO_KEY\` to PLANCAST_TRUSTED_ORIGINS in the settings of your CI.`,
  );
}
