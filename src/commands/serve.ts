/** `plancast serve`: runs the embedded service on this machine until it is stopped, with the project's store or in memory. */

import type { Drafter, LanguageModel } from "../service/ai/language-model.ts";
import { accountsOf } from "../embedded/publishing/accounts.ts";
import { Failure } from "../model/failure.ts";
import { DURATION_FORM, durationOf } from "../model/clock.ts";
import { accountNames, openAccounts } from "../networks/open-accounts.ts";
import { publishedLog } from "../report/outcomes/progress.ts";
import { escapeTerminal } from "../report/text/escape.ts";
import type { Project } from "../settings/config.ts";
import { announceServe, databaseOf, embeddedFolder } from "../embedded/open-embedded.ts";
import { openLimits } from "../embedded/store/database.ts";
import type { PostgresLimits } from "../embedded/store/postgres-limits.ts";
import {
  type EmbeddedOptions,
  HOSTS,
  type RunningService,
  startEmbedded,
} from "../embedded/start-embedded.ts";
import { loadOrCreateKeys } from "../embedded/routes/api-keys.ts";
import { checkedFailures, pagesOf, startOfClock } from "../embedded/start-service.ts";
import { RATE_PLAN_LIMITS, RATE_PLAN_NAMES } from "../model/service-interface.ts";
import {
  type FlagsOf,
  type ProjectRun,
  type Run,
  defineCommand,
  defineFlags,
  listOption,
  portNumber,
  switchOption,
  textOption,
} from "./shell/command.ts";
import type { Console } from "./shell/console.ts";
import { effectMs, networkOptions } from "./project/connect.ts";
import { openProjectModel } from "./project/drafting.ts";
import { loadProject } from "./project/project.ts";
import type { Abandoned, ExitCode, Shell } from "./shell/shell.ts";

const FLAGS = defineFlags({
  port: {
    type: "string",
    default: "4010",
    requiresArg: true,
    coerce: portNumber,
    describe: "Port, or 0 for any free port",
  },
  host: {
    choices: HOSTS,
    default: HOSTS[0],
    describe: "Who can connect: this machine, or with 0.0.0.0 (:: also by IPv6) other machines, without TLS",
  },
  plan: {
    choices: RATE_PLAN_NAMES,
    describe: `Rate plan with ${RATE_PLAN_LIMITS.replace(/, (?=\d+$)/, " or ")} requests per minute. Default: that of service.plan, or no limit`,
  },
  late: {
    type: "string",
    default: "2h",
    requiresArg: true,
    describe: "With accounts: how late a post may still be published",
  },
  memory: switchOption("Start empty and keep nothing on disk. Needs no project"),
  clock: textOption("Stop the service's clock at this time, such as 2027-03-01T08:00Z", "TIME"),
  fail: listOption(
    "Make this platform or automation fail: platform=instagram or automation=ID. Repeatable",
    "NAME=VALUE",
  ),
  stay: switchOption("Keep running after the program that started it ends"),
});

type ServeFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["serve", "Run a service that plan and apply of this project use"],
    ["serve --stay", "The same, until you stop it"],
    ["serve --memory --port 0 --clock 2027-03-01T08:00Z", "For tests: start empty, at a fixed time"],
  ],
  run: serve,
});

async function serve(run: Run<ServeFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  shell.prepareForLongRun();
  const options: Omit<EmbeddedOptions, "folder"> = {
    access: "read-write" as const,
    host: flags.host,
    port: flags.port,
    plan: flags.plan,
    random: shell.randomBytes,
    now: () => shell.clock.now(),
    clockAt: startOfClock(flags.clock),
    failures: checkedFailures(flags.fail),
  };
  const { running, accounts } = flags.memory
    ? { running: await startEmbedded({ ...options, folder: undefined }), accounts: [] }
    : await serveProject(options, run);
  if (accounts.length === 0) tellSimulation(running, shell, console);
  else tellAccounts(running, accounts, shell, console);
  if (flags.host !== HOSTS[0])
    console.note(
      "Other machines can connect, and nothing is encrypted. Let only a proxy with TLS reach this port.\n",
    );
  const ends = [stopped(shell), running.lost, ...(flags.stay ? [] : [shell.abandoned()])];
  const end = await Promise.race(ends);
  if (typeof end === "string") console.note(`${ABANDONED[end]} --stay keeps it running.\n`);
  await running.close();
  if (end instanceof Failure) throw end;
  return 0;
}

/** The reasons why the service stops automatically: a killed test must not leave a server behind. */
const ABANDONED: Readonly<Record<Abandoned, string>> = {
  parent: "The process that started the service has ended, so the service stops.",
  stdin: "The pipe to stdin was closed, so the service stops.",
};

/** Serves the project's own store, so that other commands of the project find it. */
async function serveProject(
  options: Omit<EmbeddedOptions, "folder" | "keys">,
  run: Run<ServeFlags>,
): Promise<{ readonly running: RunningService; readonly accounts: readonly string[] }> {
  const { flags, shell } = run;
  const project = await loadProject(flags, shell);
  const { state } = project;
  const folder = embeddedFolder(state);
  const keys = await loadOrCreateKeys(folder, shell.randomBytes);
  const database = databaseOf(shell.env, project);
  const limits = database && (await openLimits(database));
  const real = await publishingOf(run, project, limits);
  const { project: title, timezone } = project.config;
  const model = await modelOf({ ...run, project });
  const running = await startEmbedded({
    ...options,
    ...real,
    plan: options.plan ?? project.config.service.plan,
    drafter: model,
    folder,
    database,
    limits,
    keys,
    title,
    timezone,
  }).catch(async (error: unknown) => {
    await Promise.all((real.publishing?.accounts ?? []).map(({ network }) => network.close()));
    await model?.close();
    await limits?.close();
    throw error;
  });
  const retire = await announceServe(state, running);
  const close = async (): Promise<void> => {
    await retire();
    await running.close();
    await model?.close();
    await limits?.close();
  };
  return {
    running: { ...running, close },
    accounts: accountNames(project.config.accounts).map(({ name }) => name),
  };
}

/** The language model behind the AI endpoints. A model without a usable key does not stop the service. */
async function modelOf(run: ProjectRun): Promise<(Drafter & Pick<LanguageModel, "close">) | undefined> {
  const { ai } = run.project.config;
  if (ai === undefined) return undefined;
  try {
    return await openProjectModel(run, ai);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, hint = "" } = error;
    run.console.note(
      `The service runs without its language model. ${escapeTerminal(`${message} ${hint}`)} (${code})\n`,
    );
    const unavailable = { result: "refused", code, message, fatal: true } as const;
    return {
      generateText: () => Promise.resolve(unavailable),
      generateImage: () => Promise.resolve(unavailable),
      close: () => Promise.resolve(),
    };
  }
}

/** Where the service publishes, if the project has accounts. Throws a Failure for flags that only fit a simulation. */
async function publishingOf(
  run: Run<ServeFlags>,
  project: Project,
  limits: PostgresLimits | undefined,
): Promise<Pick<EmbeddedOptions, "accounts" | "publishing">> {
  const { flags, console } = run;
  const names = accountNames(project.config.accounts);
  const lateMs = durationOf(flags.late);
  if (lateMs === undefined)
    throw new Failure("usage/arguments", `--late must be ${DURATION_FORM}.`, "For example: --late 30m.");
  if (names.length === 0) return {};
  const simulating = flags.clock !== undefined ? "--clock" : flags.fail.length > 0 ? "--fail" : undefined;
  if (simulating !== undefined)
    throw new Failure(
      "usage/arguments",
      `${simulating} does not work here: ${project.file} has accounts, so this service publishes for real.`,
      "To try things out, add --memory: it uses no accounts and publishes nothing.",
    );
  const stop = new AbortController();
  const accounts = await openAccounts({
    ...networkOptions(run, project),
    stop: stop.signal,
    sharedCount: limits && ((name) => limits.count(name)),
  });
  const settleMs = effectMs(project);
  const onNews = publishedLog((text) => console.note(text));
  let told = "";
  const onStoreTrouble = (reason: string): void => {
    // It is tried again several times a second, and each reason is shown once.
    if (reason !== told)
      console.note(
        `The store cannot be read, so nothing is published until it can: ${escapeTerminal(reason)}\n`,
      );
    told = reason;
  };
  const publishing = { accounts, lateMs, settleMs, stop, onNews, onStoreTrouble };
  return { accounts: accountsOf(names), publishing };
}

/**
 * One line of JSON, so that a script can read the address. Without the keys, because with them anybody who can read this
 * output, such as the log of the machine, could publish on the accounts. Commands of the project find the keys themselves.
 */
function tellAccounts(
  { url }: RunningService,
  accounts: readonly string[],
  shell: Shell,
  console: Console,
): void {
  shell.stdout.write(`${JSON.stringify({ url, accounts })}\n`);
  if (!shell.stdout.isTerminal) return;
  const names = escapeTerminal(accounts.join(", "));
  console.note(
    `The service publishes on ${names}. Run plancast apply in this folder. Ctrl-C stops the service.\n` +
      `See the posts at ${pagesOf(url).page}. The password is a key in .plancast/embedded/keys.json.\n`,
  );
}

/**
 * One line of JSON, so that a script can read the addresses and the keys, which work only for this store. The same in
 * words, for people.
 */
function tellSimulation({ url, keys }: RunningService, shell: Shell, console: Console): void {
  const addresses = pagesOf(url);
  shell.stdout.write(`${JSON.stringify({ url, keys, ...addresses })}\n`);
  if (!shell.stdout.isTerminal) return;
  console.note(
    [
      `The embedded service runs at ${url} with the keys above. Ctrl-C stops it.`,
      `See the posts at ${addresses.page}. When the browser asks, enter any name, and the admin key as password.`,
      "",
    ].join("\n"),
  );
}

function stopped({ stop }: Shell): Promise<undefined> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve(undefined);
    else stop.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
