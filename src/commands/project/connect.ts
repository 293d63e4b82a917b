/**
 * Opens the project's service for a command, and closes it after the work. The shell provides time, randomness and the
 * log of requests. Commands that change something also take the run lock here.
 */

import { type Wait, durationMs } from "../../model/clock.ts";
import { Failure } from "../../model/failure.ts";
import type { MediaFile } from "../../model/post.ts";
import type { AccountOptions } from "../../networks/open-accounts.ts";
import { GITHUB_SETTINGS } from "../../problems/connection-texts.ts";
import { REPOSITORY_NOTE, embeddedNote, waitText } from "../../report/outcomes/progress.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import { advice } from "../../report/text/wrap.ts";
import { addressIn } from "../../service/connect/configured-address.ts";
import {
  type OpenOptions,
  type OpenedService,
  type ServiceAccess,
  openService,
} from "../../service/connect/open-service.ts";
import type { RequestLog } from "../../service/records.ts";
import type { FullService, PostDraft, ReadFullService } from "../../service/service.ts";
import { type Project, EMBEDDED, REPOSITORY } from "../../settings/config.ts";
import { type Env, isCi } from "../../settings/environment.ts";
import { refuseOtherAccounts } from "../../sync/state/accounts.ts";
import { checkLockfileOrigin } from "../../sync/state/lockfile.ts";
import { readState } from "../../sync/state/project-state.ts";
import {
  type LockOptions,
  acquireRunLock,
  acquireSharedRunLock,
  withoutWaiting,
} from "../../sync/state/run-lock.ts";
import { USER_AGENT } from "../../model/version.ts";
import type { ProjectRun, Run } from "../shell/command.ts";
import { readCompared } from "./base.ts";
import { keyConfirmation } from "./confirmations.ts";

/** Waits for the service's rate limit are shown. */
export function connect(run: ProjectRun, access: ServiceAccess): Promise<OpenedService> {
  const { project } = run;
  return openService({
    ...serviceOptions(run),
    project,
    access,
    lists: access === "read-only" ? run.lists : undefined,
    onWait: (wait) => run.console.note(`${waitText(wait, project.config.timezone ?? "UTC")}.\n`),
  });
}

/** Says what publishes, if the service is the embedded one. */
export function noteEmbedded(
  { shell, console }: Run,
  { config }: Project,
  service: { readonly origin: string } | undefined,
): void {
  if (service?.origin === REPOSITORY) console.note(terminalText(advice(REPOSITORY_NOTE, console.errorStyle)));
  if (service?.origin !== EMBEDDED) return;
  console.note(
    terminalText(advice(embeddedNote(isCi(shell.env), Object.keys(config.accounts)), console.errorStyle)),
  );
}

/**
 * Throws a Failure if the service is the embedded one: in CI, its posts disappear with the job.
 * @param isOneOfSeveral whether the job runs other projects, too
 */
export function refuseEmbedded({ config }: Project, env: Env, isOneOfSeveral = false): void {
  if (addressIn({ config }, env) !== EMBEDDED) return;
  throw new Failure(
    "ci/embedded",
    "The project uses the embedded service, which disappears with this job. Nothing would be published.",
    isOneOfSeveral
      ? "Set service.url in its plancast.yaml. To leave it out until then, add its folder to the input projects, after `!`."
      : `On GitHub, add the variable PLANCAST_BASE_URL and the secret PLANCAST_API_KEY ${GITHUB_SETTINGS}. The workflow passes them on, as base-url and api-key.`,
  );
}

/** Inputs for opening a service of any project: the environment, time, randomness, and the log of requests. */
export function serviceOptions(run: Run): Omit<OpenOptions, "project" | "access" | "onWait"> {
  const { flags, shell, console, givenKey } = run;
  return {
    env: shell.env,
    apiKeyFile: flags["api-key-file"],
    givenKey,
    isOneOfSeveral: run.lists !== undefined,
    confirmation: keyConfirmation(run),
    checkLockfile: checkLockfileOrigin,
    clock: shell.clock,
    random: shell.random,
    randomBytes: shell.randomBytes,
    connections: shell.connections,
    userAgent: USER_AGENT,
    stop: shell.stop,
    onRequest: (log) => {
      if (flags.verbose) console.note(requestLine(log));
    },
    // Loaded on demand: most runs use another service.
    openEmbedded: async (project, access, clock, random) => {
      const { databaseOf, openEmbedded } = await import("../../embedded/open-embedded.ts");
      return openEmbedded(project, access, clock, random, databaseOf(shell.env, project));
    },
    openRepository: async (project, clock, random) => {
      const { openScheduleService } = await import("../../repository/schedule-service.ts");
      const { schedule: compared } = run.compared ?? (await readCompared(project, shell.env));
      return openScheduleService({ project, clock, random, compared });
    },
  };
}

/** Shorter waits for a network are not shown, in ms. */
const LONG_WAIT_MS = 60_000;

/**
 * Inputs for requests to the networks of `accounts:`.
 * @param patienceMs longest wait for a network's limit. Default: an hour
 */
export function networkOptions(
  run: Run,
  project: Project,
  patienceMs?: number,
): Omit<AccountOptions, "stop"> {
  const { env, confirmation, clock, random, userAgent, onRequest } = serviceOptions(run);
  const timeoutMs = durationMs(project.config.service.timeout);
  const timezone = project.config.timezone ?? "UTC";
  const onWait = (wait: Wait, origin: string): void => {
    if (wait.ms >= LONG_WAIT_MS) run.console.note(`${waitText(wait, timezone, new URL(origin).host)}\n`);
  };
  return {
    project,
    env,
    confirmation,
    clock,
    random,
    userAgent,
    onRequest,
    timeoutMs,
    onWait,
    patienceMs,
  };
}

/** How long after its start a request to a network may still have an effect, in ms: until its timeout, and then on its way. */
export function effectMs({ config }: Pick<Project, "config">): number {
  return durationMs(config.service.timeout) + durationMs(config.safety.settle);
}

function requestLine({ method, path, status, fault, ms, remaining }: RequestLog): string {
  const left = remaining === undefined ? "" : `, ${remaining} left`;
  return `${escapeTerminal(`${method} ${path} ${status ?? fault} ${ms} ms${left}`)}\n`;
}

/** A service for work that may write. */
export interface CheckedService extends OpenedService {
  /**
   * Throws a Failure if the key leads to accounts that are not in the lockfile. Asks the service once, however often it is
   * called. Every write calls it too. Call it before asking a person, or before writing the lockfile.
   */
  readonly checkAccounts: () => Promise<void>;
}

/** Opens the service for some work, and closes it in any case. */
export async function withService<T>(
  run: ProjectRun,
  access: ServiceAccess,
  work: (opened: CheckedService) => Promise<T>,
): Promise<T> {
  const opened = await connect(run, access);
  let checked: Promise<void> | undefined;
  const check = async (): Promise<void> => {
    const { lockfile } = await readState(run.project, opened.service.origin);
    await refuseOtherAccounts(opened.service, lockfile);
  };
  const checkAccounts = (): Promise<void> => (checked ??= check());
  try {
    return await work({ ...opened, service: beforeWrites(opened.service, checkAccounts), checkAccounts });
  } finally {
    await opened.close();
  }
}

/** All methods that change something on the service: a new one does not compile until it is checked below. */
type Writes = Omit<FullService, keyof ReadFullService>;

/** A service that calls `check` before each write. Reading is unchanged. */
function beforeWrites(service: FullService, check: () => Promise<void>): FullService {
  const first = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    await check();
    return write();
  };
  const update = service.updatePost?.bind(service);
  const publish = service.publishFile?.bind(service);
  const writes: Writes = {
    createPost: (draft, beforeSend) => first(() => service.createPost(draft, beforeSend)),
    cancelPost: (id) => first(() => service.cancelPost(id)),
    uploadMedia: (file) => first(() => service.uploadMedia(file)),
    ...(publish === undefined ? {} : { publishFile: (file: MediaFile) => first(() => publish(file)) }),
    ...(update === undefined
      ? {}
      : { updatePost: (id: string, draft: PostDraft) => first(() => update(id, draft)) }),
    disconnectPlatform: (id) => first(() => service.disconnectPlatform(id)),
    generateText: (request) => first(() => service.generateText(request)),
    generateImage: (request) => first(() => service.generateImage(request)),
    triggerAutomation: (id, input) => first(() => service.triggerAutomation(id, input)),
    addWebhook: (request) => first(() => service.addWebhook(request)),
  };
  return { ...service, ...writes };
}

/** Work that changes the service or the lockfile. */
interface LockedWork {
  /** The command as people type it after `plancast`. */
  readonly command: string;
  readonly access: ServiceAccess;
}

/**
 * Does work with the service while no other run changes it or the lockfile. Throws a Failure immediately if one does.
 */
export async function withRunLock<T>(
  run: ProjectRun,
  { command, access }: LockedWork,
  work: (opened: CheckedService) => Promise<T>,
): Promise<T> {
  return withLocalRunLock(run, command, (lockOptions) =>
    withService(run, access, async (opened) => {
      if (opened.share !== undefined) await acquireSharedRunLock(opened.share.lease, lockOptions);
      return work(opened);
    }),
  );
}

/**
 * Does work while no other run in this checkout changes the lockfile. Throws a Failure immediately if one does.
 * @param command as people type it after `plancast`
 */
export async function withLocalRunLock<T>(
  { project, shell }: ProjectRun,
  command: string,
  work: (lockOptions: LockOptions) => Promise<T>,
): Promise<T> {
  const lockOptions = withoutWaiting(command, shell);
  const lock = await acquireRunLock(project.state, lockOptions);
  try {
    return await work(lockOptions);
  } finally {
    await lock.release();
  }
}

/** How many requests were sent; undefined if the schedule is a file of the repository. */
export function readsOf(opened: OpenedService | undefined): number | undefined {
  return opened?.service.origin === REPOSITORY ? undefined : (opened?.requests() ?? 0);
}
