/** `plancast serve`: runs the embedded service on this machine until it is stopped, with the project's store or in memory. */

import type { Argv } from "yargs";
import { announceServe, embeddedFolder } from "../embedded/open-embedded.ts";
import { loadOrCreateKeys } from "../embedded/routes/api-keys.ts";
import { checkedFailures, pagesOf, startOfClock } from "../embedded/start-service.ts";
import { type EmbeddedOptions, type RunningService, startEmbedded } from "../embedded/start-embedded.ts";
import { RATE_PLAN_LIMITS, RATE_PLAN_NAMES } from "../settings/rate-plans.ts";
import { type FlagsOf, type Run, defineCommand } from "./common/command.ts";
import type { Console } from "./common/console.ts";
import { type GlobalFlags, listOption, portNumber, switchOption, textOption } from "./common/flags.ts";
import { loadProject } from "./common/project.ts";
import type { Abandoned, ExitCode, Shell } from "./common/shell.ts";

const defineFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .option("port", {
      type: "string",
      default: "4010",
      requiresArg: true,
      coerce: portNumber,
      describe: "Port on 127.0.0.1, or 0 for any free port",
    })
    .option("plan", {
      choices: RATE_PLAN_NAMES,
      default: "business" as const,
      describe: `Rate plan with ${RATE_PLAN_LIMITS.replace(/, (?=\d+$)/, " or ")} requests per minute`,
    })
    .option("memory", switchOption("Start empty and keep nothing on disk. Needs no project"))
    .option("clock", textOption("Stop the service's clock at this time, such as 2027-03-01T08:00Z", "TIME"))
    .option(
      "fail",
      listOption("Make these fail: platform=instagram or automation=ID. Repeatable", "NAME=VALUE"),
    )
    .option("stay", switchOption("Keep running after the program that started it ends"))
    .example("$0 serve", "Run a service for plan and apply of this project")
    .example("$0 serve --stay", "The same, until you stop it")
    .example(
      "$0 serve --memory --port 0 --clock 2027-03-01T08:00Z",
      "For tests: start empty, at a fixed time",
    );

type ServeFlags = FlagsOf<typeof defineFlags>;

export const command = defineCommand<ServeFlags>({
  flags: defineFlags,
  run: serve,
});

async function serve(run: Run<ServeFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const options = {
    access: "read-write" as const,
    port: flags.port,
    plan: flags.plan,
    random: shell.randomBytes,
    now: () => shell.clock.now(),
    clockAt: startOfClock(flags.clock),
    failures: checkedFailures(flags.fail),
  };
  const running = flags.memory
    ? await startEmbedded({ ...options, folder: undefined })
    : await serveProject(options, flags, shell);
  tell(running, shell, console);
  const abandoned = await (flags.stay ? stopped(shell) : Promise.race([stopped(shell), shell.abandoned()]));
  if (abandoned !== undefined) console.note(`${ABANDONED[abandoned]} --stay keeps it running.\n`);
  await running.close();
  return 0;
}

/** Why the service stops on its own: a killed test must not leave a server behind. */
const ABANDONED: Readonly<Record<Abandoned, string>> = {
  parent: "The process that started the service has ended, so the service stops.",
  stdin: "The pipe to stdin was closed, so the service stops.",
};

/** Serves the project's own store, so that other commands of the project find it. */
async function serveProject(
  options: Omit<EmbeddedOptions, "folder" | "keys">,
  flags: GlobalFlags,
  shell: Shell,
): Promise<RunningService> {
  const { state } = await loadProject(flags, shell);
  const folder = embeddedFolder(state);
  const keys = await loadOrCreateKeys(folder, shell.randomBytes);
  const running = await startEmbedded({ ...options, folder, keys });
  const retire = await announceServe(state, running);
  return {
    ...running,
    async close() {
      await retire();
      await running.close();
    },
  };
}

/**
 * One line of JSON, so that a script can read the addresses and the keys, which work only for this store. For people,
 * the same in words.
 */
function tell({ url, keys }: RunningService, shell: Shell, console: Console): void {
  const addresses = pagesOf(url);
  shell.stdout.write(`${JSON.stringify({ url, keys, ...addresses })}\n`);
  if (!shell.stdout.isTerminal) return;
  console.note(
    [
      `The embedded service runs at ${url} with the keys above. Ctrl-C stops it.`,
      `Published posts appear at ${addresses.outbox}. When the browser asks, enter any name, and the read key as password.`,
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
