/** `plancast preview`: writes the posts as a page for a browser, or serves that page while the files change (--serve). */

import { dirname, join, resolve } from "node:path";
import * as assets from "plancast:page";
import { checkCalendars, listWholePosts } from "../../calendars/check.ts";
import { countRows } from "../../calendars/row-groups.ts";
import { selectCalendars } from "../../calendars/select.ts";
import { utcTime } from "../../model/canonical.ts";
import { durationMs } from "../../model/clock.ts";
import { groupBy } from "../../model/data.ts";
import { Failure } from "../../model/failure.ts";
import { PictureCache } from "../../media/pictures/picture-cache.ts";
import type { ListedPost, MediaFile } from "../../model/post.ts";
import { hasErrors, rowName } from "../../model/problem.ts";
import { type Only, parseConditions } from "../../model/row-filter.ts";
import { foldName } from "../../model/text.ts";
import { type DaySpan, clientPosts, makeClientPage } from "../../preview/client-page.ts";
import {
  embeddedImageUrls,
  embeddedMediaUrls,
  relativeMediaUrls,
  shownFiles,
} from "../../preview/page-media.ts";
import { previewHtml } from "../../preview/preview-html.ts";
import { listSome } from "../../problems/plan-texts.ts";
import { countsText, problemsSummary } from "../../report/problems/problems-text.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import { plural } from "../../report/text/numbers.ts";
import { connect } from "../project/connect.ts";
import { knownMedia } from "../project/media.ts";
import { writeGenerated } from "../project/written-files.ts";
import { openProject } from "../project/project.ts";
import {
  type ProjectRun,
  type Run,
  NOW_OPTION,
  ONLY_OPTION,
  calendarsPositional,
  defineCommand,
  outOption,
  parseOnly,
  portNumber,
  switchOption,
} from "../shell/command.ts";
import { trialClock } from "../shell/trial-time.ts";
import { showCalendarProblems } from "../shell/report-problems.ts";
import type { ExitCode } from "../shell/shell.ts";
import { type PreviewFlags, readPreview, withUsedAccounts } from "./read.ts";
import { servePreview } from "./serve.ts";

const USUAL_OUT = "preview.html";

export const command = defineCommand({
  flags: {
    calendar: calendarsPositional("show"),
    only: ONLY_OPTION,
    now: NOW_OPTION,
    out: outOption("File to write (default: preview.html; client.html for a client)"),
    offline: switchOption("Do not contact the service. The page then shows no planned changes"),
    "for-client": switchOption(
      "Make a page on which a client approves the posts of a month, without the service",
    ),
    serve: switchOption("Open the page at a local address, and update it at each save"),
    "read-only": switchOption("With --serve: posts cannot be edited on the page"),
    port: {
      type: "string",
      requiresArg: true,
      coerce: (text: string | undefined) => (text === undefined ? undefined : portNumber(text)),
      describe: "Port on 127.0.0.1 for --serve (default: any free port)",
    },
  },
  examples: [
    ["preview", "Write preview.html, a page for any browser"],
    ["preview --serve", "Show the page while you edit, and edit posts on it"],
    [
      "preview --for-client --only date=2027-03",
      "Write client.html, on which your client approves the posts of March",
    ],
  ],
  run: preview,
  forAll: {
    single: ["calendar", "out", "serve", "read-only", "port"],
    flagsFor: (folder, flags) => ({
      out: join(folder, flags["for-client"] === true ? CLIENT_OUT : USUAL_OUT),
    }),
  },
});

async function preview(run: Run<PreviewFlags>): Promise<ExitCode> {
  const { flags } = run;
  if (flags.serve && flags.out !== undefined)
    throw new Failure("usage/arguments", "--serve does not write a file.", "Leave out --out, or --serve.");
  if (!flags.serve && flags.port !== undefined)
    throw new Failure("usage/arguments", "--port needs --serve.", "Add --serve, or leave out --port.");
  if (!flags.serve && flags["read-only"])
    throw new Failure(
      "usage/arguments",
      "--read-only needs --serve.",
      "Add --serve, or leave out --read-only: other pages cannot be edited.",
    );
  if (flags.serve && flags["for-client"])
    throw new Failure(
      "usage/arguments",
      "--serve cannot make a page for a client.",
      "Leave out --serve, and send your client the file.",
    );
  if (flags.serve) return servePreview(run);
  if (flags["for-client"]) return writeClientPage(await openProject(run));
  return writePreview(await openProject(run));
}

/** Writes the page as one file. */
async function writePreview(run: ProjectRun<PreviewFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  const out = flags.out ?? USUAL_OUT;
  const reading = {
    narrowing: { calendars: flags.calendar, only: parseOnly(flags.only) },
    offline: flags.offline,
    asksForPast: true,
    now: flags.now,
    open: () => connect(run, "read-only"),
    sourceOf: async (root: string, files: readonly MediaFile[]) => {
      const embedded = await PictureCache.use({ root, env: shell.env, now: shell.clock.now() }, (cache) =>
        embeddedImageUrls(root, files, cache),
      );
      const beside = relativeMediaUrls(root, dirname(resolve(shell.cwd, out)), files);
      return (sha256: string) => embedded.get(sha256) ?? beside.get(sha256);
    },
  };
  const { data, problems, checked } = await readPreview(project, reading, shell);
  await writeGenerated(out, previewHtml(data, assets, "file"), "page", { project, shell });
  for (const { text } of data.notices) console.note(terminalText([escapeTerminal(text)]));
  // A page without posts helps nobody to find out why.
  if (data.posts.length === 0 && hasErrors(problems)) showCalendarProblems(problems, [], console);
  else if (problems.length > 0)
    console.note(`${problemsSummary(problems)}. See the page, or run plancast validate.\n`);
  const counts = countsText(countRows(checked, problems));
  console.result(terminalText([`Wrote ${escapeTerminal(out)}: ${counts}. Open it in a browser.`]));
  return hasErrors(problems) ? 1 : 0;
}

const CLIENT_OUT = "client.html";

/** Rows named in one note. */
const MAX_PLACES = 10;

async function writeClientPage({
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
  const all = await listWholePosts(project, checked, media);
  const pastUntil = utcTime(clock.now() + durationMs(config.safety.lead_time));
  const chosen = clientPosts(all, spans, config, pastUntil);
  const files = chosen.posts.flatMap(shownFiles);
  const embedded = await PictureCache.use({ root, env: shell.env, now: shell.clock.now() }, (cache) =>
    embeddedMediaUrls(root, files, cache),
  );
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
    chosen.past.length === 0 ? undefined : `Left out ${plural(chosen.past.length, "past post")}.\n`,
    leftOut(
      "post with a file that cannot be used",
      "posts with files that cannot be used",
      chosen.faulty.map(placeOf),
    ),
    leftOut(
      "unfinished draft",
      "unfinished drafts",
      unfinished.map(({ file, row }) => ({ file, place: rowName(row, row.at()) })),
    ),
  ])
    if (note !== undefined) console.note(note);
  if (config.project === undefined)
    console.note(
      `The title of the page is "${escapeTerminal(data.title)}". To change it, add a line such as "project: Acme" to ${escapeTerminal(project.file)}.\n`,
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
  const next = data.posts.length === 0 ? "There is nothing to approve." : "Send this file to your client.";
  const what = `${plural(data.posts.length, "post")} of ${chosen.from} to ${chosen.to}`;
  console.result(terminalText([`${what} in ${escapeTerminal(out)}. ${next}`]));
  return hasErrors(checked.problems) ? 1 : 0;
}

interface LeftOutRow {
  readonly file: string;
  /** `calendars/march.csv:4` */
  readonly place: string;
}

function placeOf({ source, at }: ListedPost): LeftOutRow {
  return { file: source.file, place: rowName(source, at()) };
}

/** A note that names the rows, each file once: `calendars/march.csv:4, :7`. Undefined if there are none. */
function leftOut(noun: string, nouns: string, rows: readonly LeftOutRow[]): string | undefined {
  if (rows.length === 0) return undefined;
  const places = [...groupBy(rows, ({ file }) => file)].flatMap(([file, those]) =>
    those.map(({ place }, index) => (index === 0 ? place : place.slice(file.length).trimStart())),
  );
  return `Left out ${plural(rows.length, noun, nouns)}: ${escapeTerminal(listSome(places, MAX_PLACES))}.\n`;
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
