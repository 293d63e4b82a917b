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
  lazy("init", "Write a project that works at once into this folder", () => import("./init/command.ts")),
  lazy("validate [calendar..]", "Check calendars and media on this machine alone", () => import("./validate.ts")),
  lazy("plan [calendar..]", "Show what apply would do; changes nothing", () => import("./plan/command.ts")),
  lazy("apply [calendar..]", "Upload, create and cancel until the service matches the calendars", () => import("./apply/command.ts")),
  lazy("preview [calendar..]", "Show the posts as they will look, as a page to open in a browser", () => import("./preview/command.ts")),
  lazy("calendar [calendar..]", "Show a month of posts, or write them as a feed to subscribe to", () => import("./calendar.ts")),
  lazy("status [calendar..]", "Show what became of each row: scheduled, published where, failed and why", () => import("./status.ts")),
  lazy("listen", "Receive the service's events in the foreground, and record what became of posts", () => import("./listen.ts")),
  lazy("draft [calendar..]", "Have the service write the texts and make the pictures that rows ask for by a prompt", () => import("./draft/command.ts")),
  lazy("columns <calendar..>", "Show how each column of a calendar is understood, and what is ignored", () => import("./columns.ts")),
  lazy("convert <calendar>", "Write a calendar in another format; the posts stay the same", () => import("./convert.ts")),
  lazy("pull", "Write what is scheduled on the service, and no row says, as a calendar", () => import("./pull.ts")),
  lazy("resolve [key]", "List posts that may or may not be scheduled, or say what became of one", () => import("./resolve.ts")),
  lazy("lockfile <action>", "Accept other accounts, or start fresh on another service", () => import("./lockfile.ts")),
  lazy("posts <action> [id]", "List, show or cancel posts of the service", () => import("./posts.ts")),
  lazy("media <action> [file..]", "List the service's media, upload files, or forget what it no longer has", () => import("./media.ts")),
  lazy("platforms <action> [id]", "List the accounts that the service is connected to, or disconnect one", () => import("./platforms.ts")),
  lazy("ai <action>", "Have the service write one text, or make one picture", () => import("./ai.ts")),
  lazy("automations <action> [id]", "List the service's automations, or trigger one", () => import("./automations.ts")),
  lazy("webhooks <action>", "Register an address that the service sends events to; needs an admin key", () => import("./webhooks.ts")),
  lazy("doctor", "Look at project, key, service and what runs have left; say what is well and what to do", () => import("./doctor.ts")),
  lazy("rules", "List the checks before posting, and the networks' limits with their sources", () => import("./rules.ts")),
  lazy("serve", "Run the embedded service in the foreground, for any client on this machine", () => import("./serve.ts")),
  lazy("ci <step>", "What the GitHub Action runs; docs/run/ci.md tells of it", () => import("./ci/command.ts")),
  lazy("completion <shell>", "Print what a shell needs to complete plancast's commands, flags and calendars", () => import("./completion.ts")),
];
