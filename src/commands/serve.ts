/** `plancast serve`: runs the embedded service on this machine until it is stopped, with the project's store or in memory. */

import type { Argv } from "yargs";
import { announceServe, embeddedFolder } from "../embedded/open-embedded.ts";
import { CONTROL_PATH, DESCRIPTION_PATH, OUTBOX_PATH } from "../embedded/publishing/paths.ts";
import { loadOrCreateKeys } from "../embedded/routes/api-keys.ts";
import { invalidFailureReason } from "../embedded/routes/control.ts";
import { type EmbeddedOptions, type RunningService, startEmbedded } from "../embedded/start-embedded.ts";
import { isoInstant } from "../model/canonical.ts";
import { Failure } from "../model/failure.ts";
import { RATE_PLAN_LIMITS, RATE_PLAN_NAMES } from "../settings/rate-plans.ts";
import { type FlagsOf, type Run, defineCommand } from "./common/command.ts";
import type { Console } from "./common/console.ts";
import { type GlobalFlags, listOption, portNumber, switchOption, textOption } from "./common/flags.ts";
import { loadProject } from "./common/project.ts";
import type { ExitCode, Shell } from "./common/shell.ts";

const defineFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .option("port", {
      type: "string",
      default: "4010",
      requiresArg: true,
      coerce: portNumber,
      describe: "Port on 127.0.0.1; 0 for any that is free",
    })
    .option("plan", {
      choices: RATE_PLAN_NAMES,
      default: "business" as const,
      describe: `Requests a minute: ${RATE_PLAN_LIMITS.replace(/, (?=\d+$)/, " or ")}`,
    })
    .option("memory", switchOption("Start empty and keep nothing on disk; needs no project"))
    .option(
      "clock",
      textOption("Time at which the service's clock stands until it is moved, such as 2027-03-01T08:00Z"),
    )
    .option(
      "fail",
      listOption("What is to fail: platform=instagram, automation=ID. May be given several times"),
    )
    .example("$0 serve", "Listens on 127.0.0.1:4010; plan and apply in this project then use it")
    .example("$0 serve --port 0 --plan free", "Any free port, 30 requests a minute")
    .example(
      "$0 serve --memory --port 0 --clock 2027-03-01T08:00Z",
      "For tests: empty, at a time of its own",
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
  await stopped(shell);
  await running.close();
  return 0;
}

/** Serves the project's own store, so that the project's other commands find it. */
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
 * One line of JSON, so that a script can read the addresses and the keys, which are good for this store alone. People
 * are told in words as well.
 */
function tell({ url, keys }: RunningService, shell: Shell, console: Console): void {
  const { origin } = new URL(url);
  const addresses = {
    outbox: origin + OUTBOX_PATH,
    openapi: origin + DESCRIPTION_PATH,
    control: origin + CONTROL_PATH,
  };
  shell.stdout.write(`${JSON.stringify({ url, keys, ...addresses })}\n`);
  if (!shell.stdout.isTerminal) return;
  console.note(
    [
      `The embedded service answers at ${url}, to the keys above, until Ctrl-C.`,
      `What it publishes shows at ${addresses.outbox}; the browser asks for a name (any) and a password (the read key).`,
      "",
    ].join("\n"),
  );
}

/** Unix time, ms; undefined for a clock that goes as the machine's does. Throws a Failure for what is no time. */
function startOfClock(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = isoInstant(text, undefined);
  if (time !== undefined) return time;
  throw new Failure(
    "usage/arguments",
    `--clock ${JSON.stringify(text)} is not a time with \`Z\` or an offset.`,
    "Write it such as 2027-03-01T08:00Z.",
  );
}

function checkedFailures(texts: readonly string[]): readonly string[] {
  for (const text of texts) {
    const problem = invalidFailureReason(text);
    if (problem === undefined) continue;
    throw new Failure("usage/arguments", `--fail ${JSON.stringify(text)} cannot be done: it ${problem}.`);
  }
  return texts;
}

function stopped({ stop }: Shell): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener("abort", () => resolve(), { once: true });
  });
}
