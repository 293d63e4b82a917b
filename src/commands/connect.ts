/** Opens the project's service for a command: time, randomness and the log of requests come from the shell. */
import type { Project } from "../calendar/config.ts";
import { openService, type OpenedService, type OpenOptions, type ServiceAccess } from "../open-service.ts";
import { escapeTerminal } from "../report/escape-terminal.ts";
import { waitText } from "../report/wait-text.ts";
import type { RequestLog } from "../service/request-log.ts";
import { VERSION } from "../version.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import type { Shell } from "./shell.ts";

export interface Connection {
  readonly project: Project;
  readonly access: ServiceAccess;
  /** Told who waits, for what, until when; a note unless given. */
  readonly onWait?: (text: string) => void;
}

export function connect(
  connection: Connection,
  flags: GlobalFlags,
  shell: Shell,
  console: Console,
): Promise<OpenedService> {
  const { project, access } = connection;
  const showWait = connection.onWait ?? ((text) => console.note(`${text}.\n`));
  return openService({
    ...serviceOptions(flags, shell, console),
    project,
    access,
    onWait: (wait) => showWait(waitText(wait, project.config.timezone ?? "UTC")),
  });
}

/** What a service is opened with, whatever the project: the environment, time, randomness, and where requests are told. */
export function serviceOptions(
  flags: GlobalFlags,
  shell: Shell,
  console: Console,
): Omit<OpenOptions, "project" | "access" | "onWait"> {
  return {
    env: shell.env,
    apiKeyFile: flags["api-key-file"],
    clock: shell.clock,
    random: shell.random,
    randomBytes: shell.randomBytes,
    userAgent: `plancast/${VERSION}`,
    stop: shell.stop,
    onRequest: (log) => {
      if (flags.verbose) console.note(requestLine(log));
    },
  };
}

function requestLine({ method, path, status, fault, ms, remaining }: RequestLog): string {
  const left = remaining === undefined ? "" : `, ${remaining} left`;
  return `${escapeTerminal(`${method} ${path} ${status ?? fault} ${ms} ms${left}`)}\n`;
}
