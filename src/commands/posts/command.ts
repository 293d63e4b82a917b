import { defineCommand } from "../shared/command.ts";
import type { Console } from "../shared/console.ts";
import {
  type GlobalFlags,
  FORMAT_OPTION,
  NO_NAMES,
  YES_OPTION,
  rejectNames,
  requireOneName,
} from "../shared/flags.ts";
import { printProblemsJson } from "../shared/print-problems.ts";
import type { ExitCode, Shell } from "../shared/shell.ts";
import type { PostsFlags } from "./run.ts";

export const command = defineCommand<PostsFlags>({
  flags: (yargs) =>
    yargs
      .positional("action", {
        choices: ["list", "show", "cancel"] as const,
        demandOption: true,
        describe: "What to do",
      })
      .positional("id", {
        type: "string",
        array: true,
        default: NO_NAMES,
        describe: "The post, to show or cancel it",
      })
      .option("status", {
        type: "string",
        default: "scheduled",
        requiresArg: true,
        describe: "List posts of this status; `all` for every post",
      })
      .option("yes", YES_OPTION)
      .option("format", FORMAT_OPTION)
      .example("$0 posts list", "What is scheduled, and which rows it is of")
      .example("$0 posts list --status all", "Every post that the service tells of")
      .example("$0 posts cancel post_81f", "Shows the post, asks, then cancels it"),
  run: posts,
  printFailed: printProblemsJson,
});

async function posts(flags: GlobalFlags & PostsFlags, shell: Shell, console: Console): Promise<ExitCode> {
  const { loadProject } = await import("../shared/project.ts");
  switch (flags.action) {
    case "list": {
      rejectNames(flags.id, "posts list");
      const { listPosts } = await import("./run.ts");
      return listPosts(await loadProject(flags, shell), flags, shell, console);
    }
    case "show": {
      const id = requireOneName(flags.id, "posts show", "post");
      const { showPost } = await import("./run.ts");
      return showPost(await loadProject(flags, shell), id, flags, shell, console);
    }
    case "cancel": {
      const id = requireOneName(flags.id, "posts cancel", "post");
      const { cancelNamedPost } = await import("./run.ts");
      return cancelNamedPost(await loadProject(flags, shell), id, flags, shell, console);
    }
  }
}
