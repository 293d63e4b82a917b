/**
 * `plancast draft`: finds the rows with a prompt, asks whether to continue, has the service write the texts and make
 * the pictures, and writes them into the calendars.
 */

import { readPicture } from "../../draft/pictures.ts";
import {
  type DraftSource,
  type GenerateResult,
  DraftAnswers,
  waitingAnswers,
  generateDrafts,
} from "../../draft/answers.ts";
import type { DraftTask } from "../../draft/tasks.ts";
import { mediaPlaces } from "../../media/resolve-media.ts";
import type { WebMedia } from "../../media/web-media.ts";
import { Failure } from "../../model/failure.ts";
import { type Problem, hasErrors } from "../../model/problem.ts";
import type { DraftDocument } from "../../report/documents/calendars.ts";
import {
  type UndraftedItem,
  draftDocument,
  draftText,
  dryRunDocument,
  dryRunText,
  plannedRequestsText,
} from "../../report/outcomes/draft.ts";
import type { TextRecord, WriteResult } from "../../service/records.ts";
import type { Project } from "../../settings/config.ts";
import {
  type ProjectRun,
  FORMAT_OPTION,
  HELP_GROUPS,
  ONLY_OPTION,
  YES_OPTION,
  calendarsPositional,
  confirmChange,
  defineCommand,
  switchOption,
} from "../shell/command.ts";
import { type Drafting, withLockedDrafting } from "../project/drafting.ts";
import type { Console } from "../shell/console.ts";
import { forServiceFiles, withAddresses } from "../project/media.ts";
import { showCalendarProblems } from "../shell/report-problems.ts";
import { showResult } from "../shell/result.ts";
import { openProject } from "../project/project.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";
import {
  type DraftFlags,
  type DraftRequests,
  hasUsableAnswer,
  itemOf,
  keptAnswers,
  readDraftRequests,
  writeAnswers,
} from "./calendars.ts";

export const command = defineCommand({
  flags: {
    calendar: calendarsPositional("draft"),
    only: ONLY_OPTION,
    again: {
      type: "string",
      array: true,
      describe: "Replace earlier texts and pictures of these rows (an id or FILE:LINE), or of all drafts",
      valueName: "ROW",
      group: HELP_GROUPS.rows,
    },
    alt: {
      ...switchOption(
        "Write alt texts for pictures without one, instead of texts. Needs ai: in plancast.yaml",
      ),
      group: HELP_GROUPS.rows,
    },
    "dry-run": switchOption("Show the requests, but send and write nothing"),
    yes: YES_OPTION,
    format: FORMAT_OPTION,
  },
  examples: [
    ["draft calendars/march.csv", "Ask, then fill in content and media as drafts"],
    ["draft --alt", "Ask, then fill in missing alt texts"],
    ["draft --again launch", "Write another text for the row launch"],
  ],
  run: async (run) => draftRows(await openProject(run)),
});

async function draftRows(run: ProjectRun<DraftFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  if (flags.alt && project.config.ai === undefined)
    throw new Failure(
      "ai/not-configured",
      `${project.file} names no language model, and the service cannot describe pictures.`,
      "Set ai.url and ai.model in plancast.yaml. A model on this machine works, too.",
    );
  if (flags["dry-run"]) {
    const found = await readDraftRequests(project, flags, shell);
    showProblems(found, console);
    const waiting = await waitingAnswers(project.state);
    const toAsk = found.wanted.filter((each) => !hasUsableAnswer(each, waiting));
    const [items, kept] = [toAsk.map(itemOf), keptAnswers(found, waiting).pending.length];
    const document = dryRunDocument(items, kept, found.problems);
    showResult(run, { document, text: () => dryRunText(document, console.style) });
    return hasErrors(found.problems) ? 1 : 0;
  }
  return withLockedDrafting(run, "draft", async (drafting) => {
    const found = await readDraftRequests(project, flags, shell);
    showProblems(found, console);
    const answers = await DraftAnswers.open(project.state);
    try {
      return await draftFound(run, found, { answers, drafting });
    } finally {
      await answers.close();
    }
  });
}

interface Surroundings {
  readonly answers: DraftAnswers;
  readonly drafting: Drafting;
}

async function draftFound(
  run: ProjectRun<DraftFlags>,
  found: DraftRequests,
  { answers, drafting }: Surroundings,
): Promise<ExitCode> {
  const { project, shell, console } = run;
  const { pending: kept, written: done, unwanted } = keptAnswers(found, answers.waiting);
  await answers.settle(done);
  const toAsk = found.wanted.filter((each) => !hasUsableAnswer(each, answers.waiting));
  if (toAsk.length > 0) {
    await drafting.checkAccounts();
    const question = `${plannedRequestsText(toAsk.map(itemOf), kept.length)} ${drafting.note} Continue?`;
    if (!(await confirmChange(question, run))) return shell.stop.aborted ? 130 : 1;
  }
  const { asked, written } = await withAddresses(run, forServiceFiles(drafting.files), async (addresses) => {
    const asked = await generateDrafts(toAsk, draftSource(drafting, project, addresses), answers);
    const wanted = [...kept, ...toAsk.filter((each) => asked.get(each)?.result === "done")];
    return { asked, written: await writeAnswers(project, found, { wanted, answers, addresses }) };
  });
  const undrafted = [...asked].flatMap(([wanted, each]) => notDone(wanted, each));
  const document = draftDocument(
    {
      rows: written.rows,
      undrafted: [...undrafted, ...written.undrafted, ...unwanted.values()],
      requests: drafting.requests(),
    },
    answers.waiting.size - unwanted.size,
    found.problems,
  );
  showResult(run, { document, text: () => draftText(document, console.style) });
  // Only at this point, because the answers are not stored anywhere else.
  await answers.settle([...unwanted.keys()]);
  return draftExitCode(document, found.problems, shell);
}

/** The drafter, which also describes pictures if it is a language model. */
function draftSource({ drafter }: Drafting, project: Project, addresses: WebMedia): DraftSource {
  const describePicture = drafter.describePicture?.bind(drafter);
  const describe = async (task: DraftTask): Promise<WriteResult<TextRecord>> => {
    const picture = await readPicture(mediaPlaces(project), task, addresses);
    if ("code" in picture) return { result: "refused", ...picture, fatal: false };
    const asked = { ...picture, postText: task.prompt };
    return (await describePicture?.(asked)) ?? { result: "not_started" };
  };
  return {
    generateText: (request) => drafter.generateText(request),
    generateImage: (request) => drafter.generateImage(request),
    ...(describePicture === undefined ? {} : { describe }),
  };
}

function notDone(wanted: DraftTask, asked: GenerateResult): UndraftedItem[] {
  const item = itemOf(wanted);
  if (asked.result === "done") return [];
  if (asked.result === "not_started") return [{ ...item, status: "not_started" }];
  const { message } = asked;
  return asked.result === "refused"
    ? [{ ...item, status: "failed", code: asked.code, message }]
    : [{ ...item, status: "unknown", message, answer: asked.answer }];
}

function showProblems({ problems, files }: DraftRequests, console: Console): void {
  showCalendarProblems(
    problems,
    files.map(({ calendar }) => calendar),
    console,
  );
}

function draftExitCode(
  { undrafted }: DraftDocument,
  problems: readonly Problem[],
  { stop }: Shell,
): ExitCode {
  if (stop.aborted) return 130;
  if (undrafted.some(({ status }) => status === "unknown")) return 3;
  return undrafted.some(({ status }) => status !== "unwanted") || hasErrors(problems) ? 1 : 0;
}
