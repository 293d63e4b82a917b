import { command, NO_NAMES, type GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import { FORMAT_OPTION, rejectNames, requireOneName, printProblemsJson, YES_OPTION } from "./remote-flags.ts";
import type { ExitCode, Shell } from "./shell.ts";

export interface PostsFlags {
  readonly action: "list" | "show" | "cancel";
  readonly id: string[];
  readonly status: string;
  readonly yes: boolean;
  readonly format: "text" | "json";
}

export const postsCommand = command<PostsFlags>({
  command: "posts <action> [id..]",
  describe: "List, show or cancel posts of the service",
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
  const { loadProject } = await import("./load-project.ts");
  switch (flags.action) {
    case "list": {
      rejectNames(flags.id, "posts list");
      const { listPosts } = await import("./read-posts.ts");
      return listPosts(await loadProject(flags, shell), flags, shell, console);
    }
    case "show": {
      const id = requireOneName(flags.id, "posts show", "post");
      const { showPost } = await import("./read-posts.ts");
      return showPost(await loadProject(flags, shell), id, flags, shell, console);
    }
    case "cancel": {
      const id = requireOneName(flags.id, "posts cancel", "post");
      const { cancelNamedPost } = await import("./cancel-named-post.ts");
      return cancelNamedPost(await loadProject(flags, shell), id, flags, shell, console);
    }
  }
}
