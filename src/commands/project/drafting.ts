/** Who writes drafts for a command: the language model of `ai:` in plancast.yaml, otherwise the service. */

import { type Drafter, type LanguageModel, openModel } from "../../service/ai/language-model.ts";
import { parseUrl } from "../../model/address.ts";
import type { Wait } from "../../model/clock.ts";
import { waitText } from "../../report/outcomes/progress.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import type { ServiceFiles } from "../../service/connect/open-service.ts";
import type { AiSettings } from "../../settings/config.ts";
import type { ProjectRun } from "../shell/command.ts";
import {
  type CheckedService,
  serviceOptions,
  withLocalRunLock,
  withRunLock,
  withService,
} from "./connect.ts";

/** An open connection to what writes drafts. */
export interface Drafting {
  readonly drafter: Drafter & Partial<Pick<LanguageModel, "describePicture">>;
  /** Throws a Failure if the service has other accounts than before. */
  readonly checkAccounts: () => Promise<void>;
  readonly requests: () => number;
  /** Where it may keep pictures that it made. */
  readonly files: ServiceFiles;
  /** What a person should know before they agree, escaped. */
  readonly note: string;
}

/** Does work with the drafter, and closes it in any case. */
export function withDrafting<T>(run: ProjectRun, work: (drafting: Drafting) => Promise<T>): Promise<T> {
  const { ai } = run.project.config;
  return ai === undefined
    ? withService(run, "read-write", (opened) => work(byService(opened)))
    : withModel(run, ai, work);
}

/** Like `withDrafting`, while no other run in this checkout changes the project. */
export function withLockedDrafting<T>(
  run: ProjectRun,
  command: string,
  work: (drafting: Drafting) => Promise<T>,
): Promise<T> {
  const { ai } = run.project.config;
  return ai === undefined
    ? withRunLock(run, { command, access: "read-write" }, (opened) => work(byService(opened)))
    : withLocalRunLock(run, command, () => withModel(run, ai, work));
}

function byService({ service, checkAccounts, requests, files }: CheckedService): Drafting {
  return { drafter: service, checkAccounts, requests, files, note: "The service may charge for this." };
}

async function withModel<T>(
  run: ProjectRun,
  ai: AiSettings,
  work: (drafting: Drafting) => Promise<T>,
): Promise<T> {
  const model = await openProjectModel(run, ai);
  const { origin, host } = new URL(ai.url);
  try {
    return await work({
      drafter: model,
      checkAccounts: () => Promise.resolve(),
      requests: () => model.requests,
      // Pictures have their own addresses, and never get the key.
      files: { host, authorization: () => undefined },
      note: `${escapeTerminal(ai.model)} at ${escapeTerminal(origin)} gets the prompts, and may charge for this.`,
    });
  } finally {
    await model.close();
  }
}

/** Throws a Failure like openModel. */
export function openProjectModel(run: ProjectRun, ai: AiSettings): Promise<LanguageModel> {
  const { env, confirmation, clock, random, userAgent, stop, onRequest } = serviceOptions(run);
  const { project, console } = run;
  const server = `the language model at ${parseUrl(ai.url)?.origin}`;
  const onWait = (wait: Wait): void =>
    console.note(`${waitText(wait, project.config.timezone ?? "UTC", server)}.\n`);
  return openModel(ai, { project, env, confirmation, clock, random, userAgent, stop, onRequest, onWait });
}
