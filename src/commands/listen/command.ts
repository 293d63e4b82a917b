import { defineCommand } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import { type GlobalFlags, portNumber } from "../shared/flags.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { ListenFlags } from "./run.ts";

export const command = defineCommand<ListenFlags>({
  flags: (yargs) =>
    yargs
      .option("port", {
        type: "string",
        default: "4020",
        requiresArg: true,
        coerce: portNumber,
        describe: "Port to listen on; 0 for any that is free",
      })
      .option("host", {
        type: "string",
        default: "127.0.0.1",
        requiresArg: true,
        describe: "Address of this machine to listen on; 0.0.0.0 for all",
      })
      .example("$0 listen", "Prints the address to register with plancast webhooks add"),
  run: listen,
});

async function listen(flags: GlobalFlags & ListenFlags, shell: Shell, console: Console): Promise<ExitCode> {
  const { loadProject } = await import("../shared/project.ts");
  const { receiveEvents } = await import("./run.ts");
  return receiveEvents(await loadProject(flags, shell), flags, shell, console);
}
