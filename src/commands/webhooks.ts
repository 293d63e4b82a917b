/** `plancast webhooks add`: registers an address for events. The service has no endpoint that lists or removes webhooks. */

import { Failure } from "../model/failure.ts";
import { EVENT_KINDS } from "../model/service-interface.ts";
import { parseUrl } from "../model/address.ts";
import { webhookWording, writeOutcomeDocument } from "../report/outcomes/write-outcome.ts";
import {
  type FlagsOf,
  type ProjectRun,
  FORMAT_OPTION,
  actionPositional,
  defineCommand,
  defineFlags,
  listOption,
  requireFlag,
  textOption,
} from "./shell/command.ts";
import { withService } from "./project/connect.ts";
import { printProblemsJson } from "./shell/report-problems.ts";
import { openProject } from "./project/project.ts";
import { reportWrite } from "./project/service-records.ts";
import type { ExitCode } from "./shell/shell.ts";

const FLAGS = defineFlags({
  action: actionPositional(["add"], "The only action"),
  url: textOption("Public address, or the address that plancast listen prints (required)"),
  event: listOption("Kind of event, such as post.failed (default: all). Repeatable"),
  format: FORMAT_OPTION,
});

type WebhooksFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    [
      "webhooks add --url https://hooks.example.com/events/…",
      "Ask the service to report what happens to posts",
    ],
  ],
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
