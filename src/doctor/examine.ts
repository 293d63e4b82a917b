/** Gathers the facts. Everything is looked at although something else does not work, and nothing is written. */
import { join } from "node:path";
import { checkCalendars } from "../check-calendars.ts";
import type { Clock } from "../calendar/clock.ts";
import { configSchema, EMBEDDED, type Project } from "../calendar/config.ts";
import { countRememberedOf, hashCacheOf } from "../open-hash-cache.ts";
import type { OpenOptions } from "../open-service.ts";
import { readProjectText } from "../read/project.ts";
import { ProjectProblems } from "../read/project-problems.ts";
import { SELECT_ALL, selectCalendars } from "../select-calendars.ts";
import { resultOrFailure } from "./attempt.ts";
import { examineService, originOf } from "./examine-service.ts";
import { examineState } from "./examine-state.ts";
import type { Facts } from "./facts.ts";

export interface Examination extends Pick<
  OpenOptions,
  "env" | "apiKeyFile" | "random" | "randomBytes" | "userAgent" | "stop" | "onRequest" | "onWait"
> {
  /** Throws a Failure or ProjectProblems where there is no project that can be used. */
  readonly readProject: () => Promise<Project>;
  readonly clock: Clock;
  /** Absolute path of the folder that the command runs in. */
  readonly cwd: string;
  readonly node: Facts["node"];
}

export async function examine(options: Examination): Promise<Facts> {
  const { clock, env, cwd } = options;
  const project = await projectOrFault(options);
  const isRead = !(project instanceof Error);
  const asked = isRead ? project : projectOf(env, cwd);
  return {
    now: clock.now(),
    node: options.node,
    project,
    projectText: isRead ? await textOf(project) : undefined,
    calendars: isRead ? await resultOrFailure(() => calendarsOf(project, clock)) : undefined,
    service: asked && (await examineService(asked, options)),
    state: isRead
      ? await examineState(project, await resultOrFailure(() => originOf(project, env)))
      : undefined,
    remembered: isRead ? ((await countRememberedOf(project)) ?? "unusable") : undefined,
  };
}

async function projectOrFault({ readProject }: Examination): Promise<Facts["project"]> {
  try {
    return await resultOrFailure(readProject);
  } catch (error) {
    if (error instanceof ProjectProblems) return error;
    throw error;
  }
}

/** It has just been read; whatever is in the way now, it is only a place to point at. */
async function textOf({ root, file }: Project): Promise<Facts["projectText"]> {
  const decoded = await readProjectText(join(root, file));
  return "problem" in decoded ? undefined : { file, text: decoded.text };
}

/** What is known of the service without a project file: where it is, if the environment says so. */
function projectOf(env: Examination["env"], cwd: string): Project | undefined {
  const url = env["PLANCAST_BASE_URL"];
  if (url === undefined || url === "" || url === EMBEDDED) return undefined;
  return { root: cwd, file: "plancast.yaml", config: configSchema.parse({}) };
}

/** As `validate` does, but nothing that it learns of media files is kept. */
async function calendarsOf(project: Project, clock: Clock) {
  const selection = await selectCalendars(project, SELECT_ALL, project.root);
  return checkCalendars(project, selection, clock, { hashes: hashCacheOf(project, clock) });
}
