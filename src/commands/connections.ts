/**
 * What the service is connected to. `plancast platforms` lists the accounts or disconnects one. `plancast automations`
 * lists the automations or triggers one. `plancast webhooks` registers an address for events; the service has no
 * endpoint that lists or removes webhooks.
 */

import type { Argv } from "yargs";
import { Failure } from "../model/failure.ts";
import { EVENT_KINDS } from "../model/service-interface.ts";
import { shellArgument } from "../model/text.ts";
import { parseUrl } from "../model/address.ts";
import {
  disconnectWording,
  triggerDocument,
  triggerWording,
  webhookWording,
  writeOutcomeDocument,
} from "../report/outcomes/write-outcome.ts";
import {
  type ServiceAccount,
  accountDocument,
  accountName,
  accountsText,
  automationsText,
} from "../report/status/service-lists.ts";
import { oneLine } from "../report/text/style.ts";
import type { ReadFullService } from "../service/service.ts";
import { withRunLock, withService } from "./project/connect.ts";
import { openProject } from "./project/project.ts";
import { reportWrite, showRead } from "./project/service-records.ts";
import { type FlagsOf, type ProjectRun, type Run, confirmChange, defineCommand } from "./shell/command.ts";
import {
  type GlobalFlags,
  FORMAT_OPTION,
  YES_OPTION,
  listOption,
  namePositional,
  rejectName,
  requireFlag,
  requireName,
  textOption,
  actionPositional,
} from "./shell/flags.ts";
import { printProblemsJson } from "./shell/report-problems.ts";
import type { ExitCode } from "./shell/shell.ts";

const platformsFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .positional("action", actionPositional(["list", "disconnect"]))
    .positional("id", namePositional("Id of the account to disconnect"))
    .option("yes", YES_OPTION)
    .option("format", FORMAT_OPTION)
    .example("$0 platforms list", "List accounts with their ids")
    .example("$0 platforms disconnect acc_3", "Ask, then disconnect the account");

type PlatformsFlags = FlagsOf<typeof platformsFlags>;

export const platforms = defineCommand<PlatformsFlags>({
  flags: platformsFlags,
  run: runPlatforms,
  printFailed: printProblemsJson,
});

async function runPlatforms(run: Run<PlatformsFlags>): Promise<ExitCode> {
  const { flags } = run;
  if (flags.action === "list") {
    rejectName(flags.id, "platforms list");
    return listPlatforms(await openProject(run));
  }
  const id = requireName(flags.id, "platforms disconnect", "account");
  return disconnectPlatform(await openProject(run), id);
}

function listPlatforms(run: ProjectRun<PlatformsFlags>): Promise<ExitCode> {
  const { console } = run;
  return showRead(run, async (service) => {
    const { items, doubt } = await service.listAccounts();
    return {
      document: () => ({ version: 1, whole: doubt === undefined, platforms: items.map(accountDocument) }),
      text: () => accountsText({ items, doubt }, console.style),
      next: items.length === 0 ? undefined : "use these names in the calendars. plancast plan checks them.",
    };
  });
}

function disconnectPlatform(run: ProjectRun<PlatformsFlags>, id: string): Promise<ExitCode> {
  const { shell, console } = run;
  return withRunLock(
    run,
    { command: "platforms disconnect", access: "admin" },
    async ({ service, checkAccounts }) => {
      await checkAccounts();
      const account = await accountOf(id, service);
      const words = oneLine(accountName(account), console.errorStyle);
      const question = `Disconnect ${words}? The service can then no longer publish the posts that are scheduled for it.`;
      if (!(await confirmChange(question, run))) return shell.stop.aborted ? 130 : 1;
      const written = await service.disconnectPlatform(id);
      return reportWrite(run, written, {
        outcome: { ...accountDocument(account), ...writeOutcomeDocument(written) },
        wording: disconnectWording(accountName(account)),
        next: "plancast platforms list shows which accounts are still connected.",
      });
    },
  );
}

async function accountOf(id: string, service: ReadFullService): Promise<ServiceAccount> {
  const { items } = await service.listAccounts();
  const account = items.find((each) => each.id === id);
  if (account !== undefined) return account;
  const ids = items.flatMap((each) => each.id ?? []).slice(0, 20);
  throw new Failure(
    "service/not-found",
    `The service has no connected account "${id}". Connected: ${ids.length === 0 ? "none with an id" : ids.join(", ")}.`,
    "plancast platforms list shows the accounts.",
  );
}

const automationsFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .positional("action", actionPositional(["list", "trigger"]))
    .positional("id", namePositional("Id of the automation to trigger"))
    .option("input", textOption("What the automation works on, such as a web address", "TEXT"))
    .option("yes", YES_OPTION)
    .option("format", FORMAT_OPTION)
    .example("$0 automations list", "List automations with their ids")
    .example(
      "$0 automations trigger auto_3 --input https://example.com/new",
      "Ask, then trigger the automation once",
    );

type AutomationsFlags = FlagsOf<typeof automationsFlags>;

export const automations = defineCommand<AutomationsFlags>({
  flags: automationsFlags,
  run: runAutomations,
  printFailed: printProblemsJson,
});

async function runAutomations(run: Run<AutomationsFlags>): Promise<ExitCode> {
  const { flags } = run;
  if (flags.action === "list") {
    rejectName(flags.id, "automations list");
    return listAutomations(await openProject(run));
  }
  const id = requireName(flags.id, "automations trigger", "automation");
  return triggerAutomation(await openProject(run), id);
}

function listAutomations(run: ProjectRun<AutomationsFlags>): Promise<ExitCode> {
  const { console } = run;
  return showRead(run, async (service) => {
    const { items, doubt } = await service.listAutomations();
    const listed = (): object[] => items.map(({ id, name }) => ({ id, name }));
    return {
      document: () => ({ version: 1, whole: doubt === undefined, automations: listed() }),
      text: () => automationsText({ items, doubt }, console.style),
    };
  });
}

async function triggerAutomation(run: ProjectRun<AutomationsFlags>, id: string): Promise<ExitCode> {
  const { flags, shell, console } = run;
  const { input } = flags;
  if (input === undefined || input.trim() === "") {
    throw new Failure(
      "usage/arguments",
      "The automation needs an input.",
      `Run plancast automations trigger ${shellArgument(id)} --input https://…`,
    );
  }
  return withService<ExitCode>(run, "read-write", async ({ service, checkAccounts }) => {
    await checkAccounts();
    const question = oneLine(`Trigger ${id} with ${JSON.stringify(input)}?`, console.errorStyle);
    if (!(await confirmChange(question, run))) return shell.stop.aborted ? 130 : 1;
    const written = await service.triggerAutomation(id, input);
    const triggered = { id, input, written };
    const outcome = triggerDocument(triggered);
    return reportWrite(run, written, { outcome, wording: triggerWording(triggered) });
  });
}

const webhooksFlags = (yargs: Argv<GlobalFlags>) =>
  yargs
    .positional("action", actionPositional(["add"], "The only action"))
    .option("url", textOption("Public address, or the address that plancast listen prints (required)"))
    .option("event", listOption("Kind of event, such as post.failed (default: all). Repeatable"))
    .option("format", FORMAT_OPTION)
    .example(
      "$0 webhooks add --url https://hooks.example.com/events/…",
      "Ask the service to report what happens to posts",
    );

type WebhooksFlags = FlagsOf<typeof webhooksFlags>;

export const webhooks = defineCommand<WebhooksFlags>({
  flags: webhooksFlags,
  run: async (run) => addWebhook(await openProject(run)),
  printFailed: printProblemsJson,
});

async function addWebhook(run: ProjectRun<WebhooksFlags>): Promise<ExitCode> {
  const { flags } = run;
  const url = requireFlag(flags.url, "webhooks add", "url", "https://hooks.example.com/events/…");
  const { host, href } = addressOf(url);
  const asked = eventsOf(flags.event);
  return withService<ExitCode>(run, "admin", async ({ service }) => {
    const written = await service.addWebhook({ url: href, events: asked });
    const registered = written.result === "done" ? written.value : undefined;
    // If the service returns the events, these count.
    const { id, events = asked } = registered ?? {};
    const outcome = { webhook_id: id, url: href, events, ...writeOutcomeDocument(written) };
    return reportWrite(run, written, { outcome, wording: webhookWording(host, id, events) });
  });
}

/** Throws a Failure if --event was given without a name. */
function eventsOf(given: readonly string[]): readonly string[] {
  const kinds = new Set(given.flatMap((each) => each.split(",")).map((each) => each.trim()));
  kinds.delete("");
  if (given.length === 0) return EVENT_KINDS;
  if (kinds.size > 0) return [...kinds];
  throw new Failure(
    "usage/arguments",
    "--event needs a kind of event.",
    `Choose one of ${EVENT_KINDS.join(", ")}, or leave out --event for all.`,
  );
}

/** Throws a Failure for an invalid web address, and for an address with a password. */
function addressOf(text: string): URL {
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
  if (url !== undefined && url.username === "" && url.password === "") return url;
  throw new Failure(
    "usage/arguments",
    "--url must be an http or https address without a user name or password.",
    "Give the address that plancast listen prints, or the public address that leads to it.",
  );
}
