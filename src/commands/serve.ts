import { command, wholeNumber, type GlobalFlags } from "./command.ts";
import type { ExitCode, Shell } from "./shell.ts";

export interface ServeFlags {
  readonly port: number;
  readonly plan: "free" | "pro" | "business";
}

export const serveCommand = command<ServeFlags>({
  command: "serve",
  describe: "Run the embedded service in the foreground, for any client on this machine",
  flags: (yargs) =>
    yargs
      .option("port", {
        type: "string",
        default: "4010",
        requiresArg: true,
        coerce: wholeNumber,
        describe: "Port on 127.0.0.1; 0 for any that is free",
      })
      .option("plan", {
        choices: ["free", "pro", "business"] as const,
        default: "business" as const,
        describe: "Requests a minute: 30, 120 or 600",
      })
      .example("$0 serve", "Listens on 127.0.0.1:4010; plan and apply in this project then use it")
      .example("$0 serve --port 0 --plan free", "Any free port, 30 requests a minute"),
  run: serve,
});

async function serve(flags: GlobalFlags & ServeFlags, shell: Shell): Promise<ExitCode> {
  const { startEmbedded } = await import("../embedded/start-embedded.ts");
  const { keptKeys } = await import("../embedded/kept-keys.ts");
  const { announceServe } = await import("../embedded/discovery.ts");
  const { embeddedFolder } = await import("../embedded/open-embedded.ts");
  const { loadProject } = await import("./load-project.ts");
  const { root } = await loadProject(flags, shell);
  const folder = embeddedFolder(root);
  const running = await startEmbedded({
    folder,
    keys: await keptKeys(folder, shell.randomBytes),
    access: "read-write",
    port: flags.port,
    plan: flags.plan,
    random: shell.randomBytes,
    now: () => shell.clock.now(),
  });
  const retire = await announceServe(root, running);
  // One line of JSON, so that a script can read the address and the keys, which are good for this project's store alone.
  shell.stdout.write(`${JSON.stringify({ url: running.url, keys: running.keys })}\n`);
  await stopped(shell);
  await retire();
  await running.close();
  return 0;
}

function stopped({ stop }: Shell): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener("abort", () => resolve(), { once: true });
  });
}
