/**
 * All commands, one line each, in the groups and the order of the help. A line has the name, the description, and the
 * module, which is loaded only if the arguments name the command.
 */

import type { ENDPOINTS } from "./endpoints/endpoints.ts";
import type { Command } from "./shell/command.ts";

/** A command before it is loaded. */
export interface RegisteredCommand {
  /** The word after `plancast`. */
  readonly name: string;
  /** One line of the help: at most 62 characters. */
  readonly describe: string;
  readonly load: () => Promise<Command>;
}

function lazy(
  name: string,
  describe: string,
  load: () => Promise<{ readonly command: Command }>,
): RegisteredCommand {
  return { name, describe, load: async () => (await load()).command };
}

function endpoint(name: keyof typeof ENDPOINTS, describe: string): RegisteredCommand {
  const load = async (): Promise<Command> => (await import("./endpoints/endpoints.ts")).ENDPOINTS[name];
  return { name, describe, load };
}

interface CommandGroup {
  readonly title: string;
  readonly commands: readonly RegisteredCommand[];
}

/** In the order in which people meet them. */
// prettier-ignore
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: "Start", commands: [
    lazy("init", "Start a project, with a sample or your own calendar", () => import("./init/command.ts")),
    lazy("columns", "Show how plancast reads the columns of your spreadsheet", () => import("./columns.ts")),
    lazy("convert", "Convert a calendar to CSV, YAML or XLSX", () => import("./convert.ts")),
    lazy("pull", "Import scheduled posts that no row covers", () => import("./pull.ts")),
    lazy("fetch", "Copy sheets of Google or the web into the project", () => import("./fetch.ts")),
    lazy("draft", "Write texts and make pictures from prompts in rows", () => import("./draft/command.ts")),
  ] },
  { title: "Check", commands: [
    lazy("validate", "Check calendars and media on this machine", () => import("./validate.ts")),
    lazy("plan", "Show what apply would change", () => import("./plan/command.ts")),
    lazy("preview", "Make a web page that shows the posts as they will look", () => import("./preview/command.ts")),
    lazy("approvals", "Write what your client approved into the calendars", () => import("./approvals.ts")),
    lazy("calendar", "Show a month of posts, or export an iCalendar feed", () => import("./calendar.ts")),
    lazy("rules", "List the rules for posts and the limits of each network", () => import("./rules.ts")),
  ] },
  { title: "Publish", commands: [
    lazy("apply", "Schedule, replace and cancel posts to match the calendars", () => import("./apply/command.ts")),
    lazy("hold", "Stop posts at once, until a time or until somebody releases", () => import("./hold/command.ts")),
    lazy("release", "End a hold, so that apply schedules its posts again", () => import("./release.ts")),
    lazy("confirm", "Let an assistant apply a plan once, after you read it", () => import("./confirm/command.ts")),
    lazy("publish", "Publish what is due, from the schedule in the repository", () => import("./publish/command.ts")),
    lazy("resolve", "Clear up posts that may or may not exist on the service", () => import("./resolve.ts")),
    lazy("lockfile", "Merge lockfiles, accept other accounts, or start again", () => import("./lockfile.ts")),
  ] },
  { title: "Follow", commands: [
    lazy("status", "Show which posts are scheduled, published or failed", () => import("./status/command.ts")),
    lazy("watch", "Send alerts about failed, late or removed posts, each once", () => import("./watch/command.ts")),
    lazy("listen", "Receive the service's events and record them", () => import("./listen.ts")),
    endpoint("webhooks", "Register an address for the service's events"),
  ] },
  { title: "Account", commands: [
    lazy("accounts", "Add, list or check accounts on which serve publishes", () => import("./accounts/command.ts")),
    endpoint("platforms", "List the connected accounts, or disconnect one"),
    endpoint("posts", "List, show or cancel posts on the service"),
    endpoint("media", "List or upload media, or forget deleted media"),
    endpoint("ai", "Let the service write one text or make one picture"),
    endpoint("automations", "List the service's automations, or trigger one"),
  ] },
  { title: "Tools", commands: [
    lazy("doctor", "Check the project, key, service and saved state", () => import("./doctor.ts")),
    lazy("serve", "Run a service on this machine: publish, or try things out", () => import("./serve.ts")),
    lazy("store", "Copy, compact or describe the store of serve", () => import("./store.ts")),
    lazy("ci", "Run a step of the GitHub Action (see docs/run/ci.md)", () => import("./ci/command.ts")),
    lazy("mcp", "Let an assistant plan posts (Model Context Protocol)", () => import("./mcp.ts")),
    lazy("completion", "Print a script for completion in your shell", () => import("./completion.ts")),
  ] },
];

export const COMMANDS: readonly RegisteredCommand[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);
