/** Single changes on the service that no calendar describes: an account, an automation, a webhook. */

import { parseUrl } from "../../model/address.ts";
import { Failure } from "../../model/failure.ts";
import { EVENT_KINDS } from "../../model/service-interface.ts";
import { shellArgument } from "../../model/text.ts";
import {
  disconnectWording,
  triggerDocument,
  triggerWording,
  webhookWording,
} from "../../report/outcomes/write-outcome.ts";
import type { ConnectedAccountDocument } from "../../report/documents/service.ts";
import { accountDocument, accountName } from "../../report/status/service-lists.ts";
import { oneLine } from "../../report/text/style.ts";
import { isDown } from "../../service/answers/other-records.ts";
import type { ReadFullService } from "../../service/service.ts";
import { withRunLock, withService } from "../project/connect.ts";
import { reportWrite } from "../project/service-records.ts";
import { type FormatFlag, type ProjectRun, confirmChange, requireFlag } from "../shell/command.ts";
import type { ExitCode } from "../shell/shell.ts";

interface YesFlag {
  readonly yes: boolean;
}

export function disconnectPlatform(run: ProjectRun<FormatFlag & YesFlag>, id: string): Promise<ExitCode> {
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
        outcome: account,
        wording: disconnectWording(accountName(account)),
        next: "plancast platforms list shows which accounts are still connected.",
      });
    },
  );
}

async function accountOf(id: string, service: ReadFullService): Promise<ConnectedAccountDocument> {
  const { items } = await service.listAccounts();
  const account = items.find((each) => each.id === id);
  if (account !== undefined) return accountDocument(account, isDown(account));
  const ids = items.flatMap((each) => each.id ?? []).slice(0, 20);
  throw new Failure(
    "service/not-found",
    `The service has no connected account "${id}". Connected: ${ids.length === 0 ? "none with an id" : ids.join(", ")}.`,
    "plancast platforms list shows the accounts.",
  );
}

export async function triggerAutomation(
  run: ProjectRun<FormatFlag & YesFlag & { readonly input: string | undefined }>,
  id: string,
): Promise<ExitCode> {
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
    const outcome = triggerDocument(id, input, written);
    return reportWrite(run, written, { outcome, wording: triggerWording(outcome) });
  });
}

export async function addWebhook(
  run: ProjectRun<FormatFlag & { readonly url: string | undefined; readonly event: readonly string[] }>,
): Promise<ExitCode> {
  const { flags } = run;
  const url = requireFlag(flags.url, "webhooks add", "url", "https://hooks.example.com/events/…");
  const { host, href } = addressOf(url);
  const asked = eventsOf(flags.event);
  return withService<ExitCode>(run, "admin", async ({ service }) => {
    const written = await service.addWebhook({ url: href, events: asked });
    const registered = written.result === "done" ? written.value : undefined;
    // If the service returns the events, these count.
    const { id, events = asked } = registered ?? {};
    return reportWrite(run, written, {
      outcome: { webhook_id: id, url: href, events },
      wording: webhookWording(host, id, events),
    });
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
