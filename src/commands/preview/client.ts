/** `plancast preview --for-client`: writes a page on which a client approves posts. Works without the service. */

import * as assets from "plancast:page";
import { checkCalendars, listPosts } from "../../calendars/check.ts";
import { selectCalendars } from "../../calendars/select.ts";
import { utcTime } from "../../model/canonical.ts";
import { durationMs } from "../../model/clock.ts";
import type { ListedPost } from "../../model/post.ts";
import { hasErrors, rowName } from "../../model/problem.ts";
import { type Only, parseConditions } from "../../model/row-filter.ts";
import { foldName } from "../../model/text.ts";
import { type DaySpan, clientPosts, makeClientPage } from "../../preview/client-page.ts";
import { embeddedMediaUrls, shownFiles } from "../../preview/page-media.ts";
import { previewHtml } from "../../preview/preview-html.ts";
import { listSome } from "../../problems/plan-texts.ts";
import { problemsSummary } from "../../report/problems/problems-text.ts";
import { escapeTerminal } from "../../report/text/escape.ts";
import { plural } from "../../report/text/numbers.ts";
import type { ProjectRun } from "../shell/command.ts";
import { parseOnly } from "../shell/flags.ts";
import { knownMedia } from "../project/media-addresses.ts";
import { writeGenerated } from "../project/output-file.ts";
import type { ExitCode } from "../shell/shell.ts";
import { trialClock } from "../shell/trial-time.ts";
import { type PreviewFlags, withUsedAccounts } from "./read.ts";

export const CLIENT_OUT = "client.html";

/** Rows named in one note. */
const MAX_PLACES = 10;

export async function writeClientPage({
  project,
  flags,
  shell,
  console,
}: ProjectRun<PreviewFlags>): Promise<ExitCode> {
  const { root, config } = project;
  const clock = flags.now === undefined ? shell.clock : trialClock(flags.now, project, shell.clock);
  const { only, spans } = withoutDates(parseOnly(flags.only));
  const media = knownMedia(project, clock);
  const selection = await selectCalendars(project, { calendars: flags.calendar, only }, shell.cwd);
  const checked = await checkCalendars(project, selection, clock, media);
  const all = await listPosts(root, checked, media);
  const pastUntil = utcTime(clock.now() + durationMs(config.safety.lead_time));
  const chosen = clientPosts(all, spans, config, pastUntil);
  const files = chosen.posts.flatMap(shownFiles);
  const embedded = await embeddedMediaUrls(root, files);
  const sourceOf = (sha256: string): string | undefined => embedded.get(sha256);
  const data = makeClientPage(chosen, all, withUsedAccounts(project, shell.env), {
    sourceOf,
    now: clock.now(),
  });
  const out = flags.out ?? CLIENT_OUT;
  await writeGenerated(out, previewHtml(data, assets, "client"), "page", { project, shell });
  const unfinished = checked.skippedRows.filter(
    (row) => row.status === "draft" && checked.inScope(row.file) && row.posts().length === 0,
  );
  for (const note of [
    leftOut("past post", "past posts", chosen.past.map(placeOf)),
    leftOut(
      "post with a file that cannot be used",
      "posts with files that cannot be used",
      chosen.faulty.map(placeOf),
    ),
    leftOut(
      "unfinished draft",
      "unfinished drafts",
      unfinished.map(({ row }) => rowName(row, row.at())),
    ),
  ])
    if (note !== undefined) console.note(note);
  if (config.project === undefined)
    console.note(
      `The title of the page is "${data.title}". To change it, add a line such as "project: Acme" to ${project.file}.\n`,
    );
  const shown = new Set(chosen.posts.flatMap((post) => post.media)).size;
  const isMissing = data.media.filter(({ source }) => source === undefined).length;
  if (isMissing > 0 && shown > 0)
    console.note(
      `${plural(isMissing, "picture or video", "pictures and videos")} of the posts ${isMissing === 1 ? "is" : "are"} not in the page. Send ${isMissing === 1 ? "it" : "them"} to your client, too.\n`,
    );
  if (hasErrors(checked.problems))
    console.note(
      `${problemsSummary(checked.problems)}. Rows with errors are not on the page. Run plancast validate.\n`,
    );
  console.result(
    `${plural(data.posts.length, "post")} of ${chosen.from} to ${chosen.to} in ${out}. ${data.posts.length === 0 ? "There is nothing to approve." : "Send this file to your client."}\n`,
  );
  return hasErrors(checked.problems) ? 1 : 0;
}

function placeOf({ source, at }: ListedPost): string {
  return rowName(source, at());
}

/** A note that names the rows; undefined if there are none. */
function leftOut(noun: string, nouns: string, places: readonly string[]): string | undefined {
  if (places.length === 0) return undefined;
  return `Left out ${plural(places.length, noun, nouns)}: ${escapeTerminal(listSome(places, MAX_PLACES))}.\n`;
}

/** The filter without its days. The page covers these days in the project's time zone, also for drafts. */
function withoutDates(only: Only | undefined): {
  readonly only: Only | undefined;
  readonly spans: readonly DaySpan[];
} {
  if (only === undefined) return { only, spans: [] };
  const spans = parseConditions(only).flatMap((each) => (each.kind === "date" ? each.spans : []));
  const rest = Object.entries(only).filter(([label]) => foldName(label) !== "date");
  return { only: rest.length === 0 ? undefined : Object.fromEntries(rest), spans };
}
