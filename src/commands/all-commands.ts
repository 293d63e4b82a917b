/**
 * All commands, one line each, in the order in which the help shows them: the words after `plancast` in yargs' form, the
 * description, and the module, which is loaded only when somebody names the command.
 */

import type { Command } from "./common/command.ts";

/** A command before it is loaded. */
export interface RegisteredCommand {
  /** The word after `plancast`. */
  readonly name: string;
  /** The name with its positional arguments, in yargs' form: `plan [calendar..]`. */
  readonly words: string;
  readonly describe: string;
  /** Loads the command and gives it to `work`, whatever the type of its flags. */
  readonly use: <Result>(
    work: <Flags>(loaded: Command<Flags>) => Result | Promise<Result>,
  ) => Promise<Result>;
}

function lazy<Flags>(
  words: string,
  describe: string,
  load: () => Promise<{ readonly command: Command<Flags> }>,
): RegisteredCommand {
  const [name = words] = words.split(" ");
  return { name, words, describe, use: async (work) => work((await load()).command) };
}

// prettier-ignore
export const COMMANDS: readonly RegisteredCommand[] = [
  lazy("init", "Start a project in this folder", () => import("./init/command.ts")),
  lazy("validate [calendar..]", "Check calendars and media on this machine, without the service", () => import("./validate.ts")),
  lazy("plan [calendar..]", "Show what apply would change; changes nothing", () => import("./plan/command.ts")),
  lazy("apply [calendar..]", "Make the service match the calendars: upload, create and cancel", () => import("./apply/command.ts")),
  lazy("preview [calendar..]", "Write a page that shows the posts as they will look", () => import("./preview/command.ts")),
  lazy("calendar [calendar..]", "Show a month of posts, or write them as a feed to subscribe to", () => import("./calendar.ts")),
  lazy("status [calendar..]", "Show the status of each row's post: scheduled, published or failed, and why", () => import("./status.ts")),
  lazy("listen", "Receive the service's events and record what happens to posts", () => import("./listen.ts")),
  lazy("draft [calendar..]", "Let the service write texts and make pictures from the prompts in rows", () => import("./draft/command.ts")),
  lazy("columns <calendar..>", "Show how plancast reads each column of a calendar", () => import("./columns.ts")),
  lazy("convert <calendar>", "Write a calendar in another format; the posts stay the same", () => import("./convert.ts")),
  lazy("pull", "Write a calendar of posts on the service that no row covers", () => import("./pull.ts")),
  lazy("resolve [key]", "List posts whose creation is uncertain, or say what happened to one", () => import("./resolve.ts")),
  lazy("lockfile <action>", "Record other accounts in the lockfile, or remove it to start fresh", () => import("./lockfile.ts")),
  lazy("posts <action> [id]", "List, show or cancel posts of the service", () => import("./posts.ts")),
  lazy("media <action> [file..]", "List or upload the service's media, or forget deleted media", () => import("./media.ts")),
  lazy("platforms <action> [id]", "List the connected accounts, or disconnect one", () => import("./platforms.ts")),
  lazy("ai <action>", "Let the service write one text or make one picture", () => import("./ai.ts")),
  lazy("automations <action> [id]", "List the service's automations, or trigger one", () => import("./automations.ts")),
  lazy("webhooks <action>", "Register an address for the service's events; needs an admin key", () => import("./webhooks.ts")),
  lazy("doctor", "Check the project, key, service and saved state", () => import("./doctor.ts")),
  lazy("rules", "List the rules for posts, and the networks' limits with their sources", () => import("./rules.ts")),
  lazy("serve", "Run the embedded service for any client on this machine", () => import("./serve.ts")),
  lazy("ci <step>", "Run a step of the GitHub Action; see docs/run/ci.md", () => import("./ci/command.ts")),
  lazy("completion <shell>", "Print a script that completes commands, flags and calendars in your shell", () => import("./completion.ts")),
];
