/** `plancast posts cancel`: shows the post, asks, cancels it, and records that in the lockfile. */

import { utcTime } from "../../model/canonical.ts";
import { Failure, ignoreFailure } from "../../model/failure.ts";
import { type PostOwner, ownersIn } from "../../model/lockfile.ts";
import { cancelWording } from "../../report/outcomes/write-outcome.ts";
import {
  notCancellableText,
  ownerText,
  postDocument,
  postSummary,
  rowDocument,
} from "../../report/status/service-lists.ts";
import { terminalText } from "../../report/text/escape.ts";
import { advice } from "../../report/text/wrap.ts";
import { isStillScheduled, matchesStatus, publicationOf } from "../../service/answers/post.ts";
import type { OpenedService } from "../../service/connect/open-service.ts";
import type { Cancelled, PostRecord } from "../../service/records.ts";
import type { CancelResult, ReadFullService } from "../../service/service.ts";
import { cancelPost } from "../../sync/apply/run-change.ts";
import { OpenState, readState } from "../../sync/state/project-state.ts";
import { withRunLock } from "../project/connect.ts";
import { reportWrite } from "../project/service-records.ts";
import { type FormatFlag, type ProjectRun, confirmChange } from "../shell/command.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";
import { noSuchPost } from "./lists.ts";

type CancelFlags = FormatFlag & { readonly yes: boolean };

export function cancelNamedPost(run: ProjectRun<CancelFlags>, id: string): Promise<ExitCode> {
  const { project, shell, console } = run;
  return withRunLock(
    run,
    { command: "posts cancel", access: "read-write" },
    async ({ service, checkAccounts }) => {
      const read = await readState(project, service.origin);
      const { lockfile } = read;
      const post = await service.readPost(id);
      if (post === undefined) throw noSuchPost(id);
      const owner = ownersIn(lockfile).get(post.id);
      if (post.status !== undefined && matchesStatus(post.status, "cancelled"))
        return report(run, post.id, { result: "done", value: "already-gone" }, owner);
      checkScheduled(post);
      await checkAccounts();
      if (owner !== undefined)
        console.alert(terminalText(advice(recreateWarning(owner), console.errorStyle)));
      const zone = project.config.timezone ?? "UTC";
      const words = postSummary(postDocument(post, owner), zone, console.errorStyle);
      if (!(await confirmChange(`Cancel ${words}?`, run))) return shell.stop.aborted ? 130 : 1;
      const state = await OpenState.open(project, lockfile, read, utcTime(shell.clock.now()));
      const gone = await cancelAndClose(owner?.key ?? "", post.id, service, state, shell);
      if (gone.result === "done" && gone.value !== "cancelled")
        await refuseOver(post.id, gone.value, service);
      return report(run, post.id, gone, owner);
    },
  );
}

function checkScheduled(post: PostRecord): void {
  const publication = publicationOf(post);
  const isOnNoNetwork = publication.results.every(({ state }) => state === "scheduled");
  if (isStillScheduled(post.status) && isOnNoNetwork) return;
  throw new Failure(
    "apply/already-published",
    notCancellableText(post, publication),
    "Only posts that are scheduled can be cancelled. Remove a published post on its network.",
  );
}

/**
 * Throws a Failure if the post was due during the cancel: it is not cancelled, but published or failed, perhaps
 * differently on each network.
 */
async function refuseOver(id: string, end: Cancelled, service: ReadFullService): Promise<void> {
  const post = await service.readPost(id).catch(ignoreFailure);
  if (post === undefined || (post.status !== undefined && matchesStatus(post.status, "cancelled"))) return;
  const hasFailed = publicationOf(post).results.some(
    ({ state }) => state === "failed" || state === "expired",
  );
  if (end === "already-gone" || hasFailed) checkScheduled(post);
}

async function cancelAndClose(
  key: string,
  id: string,
  service: OpenedService["service"],
  state: OpenState,
  { clock }: Shell,
): Promise<CancelResult> {
  try {
    return await cancelPost(key, id, { service, state, clock });
  } finally {
    await state.close();
  }
}

function recreateWarning(owner: PostOwner): string {
  if (owner.isRetiring)
    return `It is the older post of a row in ${ownerText(owner)}. Its replacement is scheduled, so the next apply would cancel it anyway.`;
  return `It belongs to a row of this project (${ownerText(owner)}). The next apply creates it again unless you delete the row or set its status to skip.`;
}

function report(
  run: ProjectRun<CancelFlags>,
  id: string,
  gone: CancelResult,
  owner: PostOwner | undefined,
): ExitCode {
  const end = gone.result === "done" ? gone.value : undefined;
  const exit = reportWrite(run, gone, {
    outcome: {
      post_id: id,
      post: end,
      row: rowDocument(owner),
      ...(end === "published" ? { status: "failed" as const } : {}),
    },
    wording: cancelWording(id, end),
    next: "plancast posts list shows which posts are still scheduled.",
  });
  return end === "published" ? 1 : exit;
}
