/**
 * The commands for single endpoints of the service, as a table: their flags, and what each action does. The work of an
 * action loads when it runs.
 */

import { Failure } from "../../model/failure.ts";
import type { Command } from "../shell/command.ts";
import {
  type AnyFlags,
  type FlagOptions,
  type FlagsOf,
  type FormatFlag,
  type ProjectRun,
  type Run,
  FORMAT_OPTION,
  HELP_GROUPS,
  YES_OPTION,
  actionPositional,
  listOption,
  namePositional,
  namesPositional,
  outOption,
  rejectNames,
  switchOption,
  textOption,
} from "../shell/command.ts";
import { openProject } from "../project/project.ts";
import type { ExitCode } from "../shell/shell.ts";

interface Endpoint<Given extends FlagOptions> {
  /** What the help says about the actions. */
  readonly about?: string;
  /** The argument after the action. */
  readonly names?: FlagOptions;
  readonly flags: Given;
  readonly examples: Command["examples"];
  readonly forAll?: Command["forAll"];
  readonly actions: Readonly<Record<string, Action<FlagsOf<Given> & FormatFlag>>>;
}

interface Action<Flags> {
  /** What its one name is, such as a post, or `files` for several names. Absent: it takes no name. */
  readonly takes?: string;
  readonly work: (run: ProjectRun<Flags>, name: string, names: readonly string[]) => Promise<ExitCode>;
}

/** The command's own options, before the actions use their values. */
type EndpointRun<Given extends FlagOptions> = Run<FlagsOf<Given> & FormatFlag & AnyFlags>;

function endpoint<const Given extends FlagOptions>(command: string, given: Endpoint<Given>): Command {
  const { about, names = {}, flags, examples, forAll, actions } = given;
  return {
    flags: {
      action: actionPositional(Object.keys(actions), about),
      ...names,
      ...flags,
      format: FORMAT_OPTION,
    },
    examples,
    ...(forAll === undefined ? {} : { forAll }),
    run: async (run: EndpointRun<Given>) => {
      const action = String(run.flags["action"]);
      const { takes, work } = actions[action] ?? neverChosen(action);
      const typed = Object.keys(names).flatMap((name) => run.flags[name] ?? []);
      const words = namesFor(`${command} ${action}`, takes, typed.map(String));
      return work(await openProject(run), words[0] ?? "", words);
    },
  };
}

/** Throws a Failure for names that the action does not take, and for one that is missing. */
function namesFor(line: string, takes: string | undefined, names: readonly string[]): readonly string[] {
  if (takes === undefined) rejectNames(names, line);
  else if (names.length === 0)
    throw new Failure(
      "usage/arguments",
      takes === FILES ? "No file is given." : `plancast ${line} takes one ${takes}.`,
      takes === FILES ? `Run plancast ${line} FILE.` : `Name it: plancast ${line} ID.`,
    );
  return names;
}

/** The parser accepts only the actions of the table. */
function neverChosen(action: string): never {
  throw new Error(`there is no action ${action}`);
}

const FILES = "files";

export const ENDPOINTS = {
  posts: endpoint("posts", {
    names: { id: namePositional("Id of the post to show or cancel") },
    flags: {
      status: {
        type: "string",
        default: "scheduled",
        requiresArg: true,
        describe: "List posts with this status, or all for every post",
      },
      yes: YES_OPTION,
    },
    examples: [
      ["posts list", "List the scheduled posts and their rows"],
      ["posts list --status all", "List posts of every status"],
      ["posts cancel post_81f", "Show the post, ask, then cancel it"],
    ],
    // Cancelling needs the id of a post, which is of one project.
    forAll: { single: ["id"] },
    actions: {
      list: { work: async (run) => (await import("./lists.ts")).listRemotePosts(run) },
      show: { takes: "post", work: async (run, id) => (await import("./lists.ts")).showPost(run, id) },
      cancel: {
        takes: "post",
        work: async (run, id) => (await import("./cancel-post.ts")).cancelNamedPost(run, id),
      },
    },
  }),
  media: endpoint("media", {
    about: "List or upload files, or remove unused ones from the lockfile (prune)",
    names: { file: namesPositional("Files of the project to upload") },
    flags: { type: textOption("List only media of this type, such as image") },
    examples: [
      ["media upload media/launch.png", "Upload the file, unless the service already has it"],
      ["media prune", "Forget media that was deleted on the service"],
    ],
    actions: {
      list: { work: async (run) => (await import("./lists.ts")).listMedia(run) },
      upload: {
        takes: FILES,
        work: async (run, _name, files) => (await import("./media-files.ts")).uploadFiles(run, files),
      },
      prune: { work: async (run) => (await import("./media-files.ts")).pruneMedia(run) },
    },
  }),
  platforms: endpoint("platforms", {
    names: { id: namePositional("Id of the account to disconnect") },
    flags: { yes: YES_OPTION },
    examples: [
      ["platforms list", "List accounts with their ids"],
      ["platforms disconnect acc_3", "Ask, then disconnect the account"],
    ],
    actions: {
      list: { work: async (run) => (await import("./lists.ts")).listPlatforms(run) },
      disconnect: {
        takes: "account",
        work: async (run, id) => (await import("./changes.ts")).disconnectPlatform(run, id),
      },
    },
  }),
  // The service has no endpoint that lists or removes webhooks.
  webhooks: endpoint("webhooks", {
    about: "The only action",
    flags: {
      url: textOption("Public address, or the address that plancast listen prints (required)"),
      event: listOption("Kind of event, such as post.failed (default: all). Repeatable"),
    },
    examples: [
      [
        "webhooks add --url https://hooks.example.com/events/…",
        "Ask the service to report what happens to posts",
      ],
    ],
    actions: { add: { work: async (run) => (await import("./changes.ts")).addWebhook(run) } },
  }),
  automations: endpoint("automations", {
    names: { id: namePositional("Id of the automation to trigger") },
    flags: {
      input: textOption("What the automation works on, such as a web address", "TEXT"),
      yes: YES_OPTION,
    },
    examples: [
      ["automations list", "List automations with their ids"],
      ["automations trigger auto_3 --input https://example.com/new", "Ask, then trigger the automation once"],
    ],
    actions: {
      list: { work: async (run) => (await import("./lists.ts")).listAutomations(run) },
      trigger: {
        takes: "automation",
        work: async (run, id) => (await import("./changes.ts")).triggerAutomation(run, id),
      },
    },
  }),
  ai: endpoint("ai", {
    about: "What to make",
    flags: {
      prompt: textOption("What the text is about, or what the picture shows (required)", "TEXT"),
      platform: textOption("For a text: the network, such as linkedin (required)", "NETWORK"),
      tone: textOption("For a text: the tone, such as casual"),
      size: textOption("For a picture: width and height in pixels, such as 1024x1024"),
      out: outOption("For a picture: the file to write"),
      force: { ...switchOption("Replace an existing file"), group: HELP_GROUPS.output },
    },
    examples: [
      ['ai text --prompt "Our spring sale" --platform linkedin', "Print a text for LinkedIn"],
      ['ai image --prompt "A harbour" --out harbour.png', "Make a picture and save it"],
    ],
    actions: {
      text: { work: async (run) => (await import("./generate.ts")).writeText(run) },
      image: { work: async (run) => (await import("./generate.ts")).makeImage(run) },
    },
  }),
} as const;
