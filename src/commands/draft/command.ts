/**
 * `plancast draft`: finds the rows with a prompt, asks whether to go on, has the service write the texts and make the
 * pictures, and writes them into the calendars.
 */

import { type GenerateResult, Answers, waitingAnswers, generateDrafts } from "../../draft/answers.ts";
import type { DraftTask } from "../../draft/tasks.ts";
import { type Problem, hasErrors } from "../../model/problem.ts";
import {
  type UndraftedItem,
  draftDocument,
  draftText,
  dryRunDocument,
  dryRunText,
  plannedRequestsText,
} from "../../report/outcomes/draft.ts";
import { problemDocument } from "../../report/problems/problems-json.ts";
import { type ProjectRun, confirmChange, defineCommand } from "../shell/command.ts";
import { type CheckedService, withRunLock } from "../project/connect.ts";
import type { Console } from "../shell/console.ts";
import {
  FORMAT_OPTION,
  HELP_GROUPS,
  ONLY_OPTION,
  YES_OPTION,
  calendarsPositional,
  switchOption,
} from "../shell/flags.ts";
import { forServiceFiles, withAddresses } from "../project/media-addresses.ts";
import { printProblemsJson, showCalendarProblems } from "../shell/report-problems.ts";
import { openProject } from "../project/project.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";
import { hasUsableAnswer, itemOf, keptAnswers, writeAnswers } from "./answers.ts";
import { type DraftFlags, type DraftRequests, readDraftRequests } from "./wanted.ts";

export const command = defineCommand<DraftFlags>({
  flags: (yargs) =>
    yargs
      .positional("calendar", calendarsPositional("draft"))
      .option("only", ONLY_OPTION)
      .option("again", {
        type: "string",
        array: true,
        describe: "Replace earlier texts and pictures of these rows (an id or FILE:LINE), or of all drafts",
        valueName: "ROW",
        group: HELP_GROUPS.rows,
      })
      .option("dry-run", switchOption("Show the requests, but send and write nothing"))
      .option("yes", YES_OPTION)
      .option("format", FORMAT_OPTION)
      .example("$0 draft calendars/march.csv", "Ask, then fill in content and media as drafts")
      .example("$0 draft --again launch", "Write another text for the row launch"),
  run: async (run) => draftRows(await openProject(run)),
  printFailed: printProblemsJson,
});

async function draftRows(run: ProjectRun<DraftFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  if (flags["dry-run"]) {
    const found = await readDraftRequests(project, flags, shell);
    showProblems(found, console);
    const waiting = await waitingAnswers(project.state);
    const toAsk = found.wanted.filter((each) => !hasUsableAnswer(each, waiting));
    const [items, kept] = [toAsk.map(itemOf), keptAnswers(found, waiting).pending.length];
    const problems = found.problems.map(problemDocument);
    if (flags.format === "json") console.json({ ...dryRunDocument(items, kept), problems });
    else console.result(dryRunText(items, kept, console.style));
    return hasErrors(found.problems) ? 1 : 0;
  }
  return withRunLock(run, { command: "draft", access: "read-write" }, async (opened) => {
    const found = await readDraftRequests(project, flags, shell);
    showProblems(found, console);
    const answers = await Answers.open(project.state);
    try {
      return await draftFound(run, found, { answers, opened });
    } finally {
      await answers.close();
    }
  });
}

interface Surroundings {
  readonly answers: Answers;
  readonly opened: CheckedService;
}

async function draftFound(
  run: ProjectRun<DraftFlags>,
  found: DraftRequests,
  { answers, opened }: Surroundings,
): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  const { pending: kept, written: done, unwanted } = keptAnswers(found, answers.waiting);
  await answers.settle(done);
  const toAsk = found.wanted.filter((each) => !hasUsableAnswer(each, answers.waiting));
  if (toAsk.length > 0) {
    await opened.checkAccounts();
    const question = `${plannedRequestsText(toAsk.map(itemOf), kept.length)} The service may charge for this. Continue?`;
    if (!(await confirmChange(question, run))) return shell.stop.aborted ? 130 : 1;
  }
  const asked = await generateDrafts(toAsk, opened.service, answers);
  const undrafted = [...asked].flatMap(([wanted, each]) => notDone(wanted, each));
  const wanted = [...kept, ...toAsk.filter((each) => asked.get(each)?.result === "done")];
  const written = await withAddresses(run, forServiceFiles(opened.files), (addresses) =>
    writeAnswers(project, found, { wanted, answers, addresses }),
  );
  const report = {
    rows: written.rows,
    undrafted: [...undrafted, ...written.undrafted, ...unwanted.values()],
    requests: opened.requests(),
    kept: answers.waiting.size - unwanted.size,
  };
  if (flags.format === "json")
    console.json({ ...draftDocument(report), problems: found.problems.map(problemDocument) });
  else console.result(draftText(report, console.style));
  // Only now, because the answers are not stored anywhere else.
  await answers.settle([...unwanted.keys()]);
  return draftExitCode(report.undrafted, found.problems, shell);
}

function notDone(wanted: DraftTask, asked: GenerateResult): UndraftedItem[] {
  const item = itemOf(wanted);
  if (asked.result === "done") return [];
  if (asked.result === "not_started") return [{ ...item, status: "not_started" }];
  const reason = { kind: "message", message: asked.message } as const;
  return asked.result === "refused"
    ? [{ ...item, status: "failed", code: asked.code, reason }]
    : [{ ...item, status: "unknown", reason, answer: asked.answer }];
}

function showProblems({ problems, files }: DraftRequests, console: Console): void {
  showCalendarProblems(
    problems,
    files.map(({ calendar }) => calendar),
    console,
  );
}

function draftExitCode(
  undrafted: readonly UndraftedItem[],
  problems: readonly Problem[],
  { stop }: Shell,
): ExitCode {
  if (stop.aborted) return 130;
  if (undrafted.some(({ status }) => status === "unknown")) return 3;
  return undrafted.some(({ status }) => status !== "unwanted") || hasErrors(problems) ? 1 : 0;
}
