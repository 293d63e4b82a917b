/** The story of `draft`: what rows ask for, the question, the requests, the calendars, the report. */
import type { Project } from "../calendar/config.ts";
import { hasErrors, type Problem } from "../calendar/problem.ts";
import { Answers, waitingAnswers } from "../draft/answers.ts";
import { ask, type Asked } from "../draft/ask.ts";
import type { Wanted } from "../draft/wanted.ts";
import type { OpenedService } from "../open-service.ts";
import {
  askingText,
  draftDocument,
  draftText,
  dryRunDocument,
  dryRunText,
  type UndraftedItem,
} from "../report/drafted.ts";
import { problemDocument } from "../report/problem-document.ts";
import { problemsText } from "../report/problems-text.ts";
import { fromService, withAddresses } from "./addresses.ts";
import { askFirst } from "./ask-first.ts";
import type { GlobalFlags } from "./command.ts";
import type { Console } from "./console.ts";
import type { DraftFlags } from "./draft.ts";
import { readWanted, type ToDraft } from "./draft-wanted.ts";
import { isAtHand, keptAnswers } from "./kept-answers.ts";
import { locked } from "./locked.ts";
import type { ExitCode, Shell } from "./shell.ts";
import { sourceLines } from "./source-lines.ts";
import { itemOf, writeAnswers } from "./write-answers.ts";

type Flags = GlobalFlags & DraftFlags;

export async function draftRows(
  project: Project,
  flags: Flags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  if (flags["dry-run"]) {
    const found = await readWanted(project, flags, shell);
    showProblems(found, console);
    const waiting = await waitingAnswers(project.root);
    const toAsk = found.wanted.filter((each) => !isAtHand(each, waiting));
    const [items, kept] = [toAsk.map(itemOf), keptAnswers(found, waiting).still.length];
    const problems = found.problems.map(problemDocument);
    if (flags.format === "json") console.json({ ...dryRunDocument(items, kept), problems });
    else console.result(dryRunText(items, kept, console.style));
    return hasErrors(found.problems) ? 1 : 0;
  }
  return locked(
    project,
    { command: "draft", access: "read-write" },
    flags,
    shell,
    console,
    async (opened) => {
      const found = await readWanted(project, flags, shell);
      showProblems(found, console);
      const answers = await Answers.open(project.root);
      try {
        return await draftFound(project, found, { answers, opened }, flags, shell, console);
      } finally {
        await answers.close();
      }
    },
  );
}

interface Surroundings {
  readonly answers: Answers;
  readonly opened: OpenedService;
}

async function draftFound(
  project: Project,
  found: ToDraft,
  { answers, opened }: Surroundings,
  flags: Flags,
  shell: Shell,
  console: Console,
): Promise<ExitCode> {
  const { still: kept, written: done, unwanted } = keptAnswers(found, answers.waiting);
  await answers.settle(done);
  const toAsk = found.wanted.filter((each) => !isAtHand(each, answers.waiting));
  if (toAsk.length > 0) {
    const question = `${askingText(toAsk.map(itemOf), kept.length)} The service may charge for that. Go on?`;
    if (!(await askFirst(question, flags, shell, console))) return shell.stop.aborted ? 130 : 1;
  }
  const asked = await ask(toAsk, opened.service, answers);
  const undrafted = [...asked].flatMap(([wanted, each]) => notDone(wanted, each));
  const wanted = [...kept, ...toAsk.filter((each) => asked.get(each)?.result === "done")];
  const surroundings = { flags, shell, console };
  const written = await withAddresses(project, fromService(opened.files), surroundings, (addresses) =>
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
  // Only now: it stands nowhere else.
  await answers.settle([...unwanted.keys()]);
  return exitOf(report.undrafted, found.problems, shell);
}

function notDone(wanted: Wanted, asked: Asked): UndraftedItem[] {
  switch (asked.result) {
    case "done":
      return [];
    case "refused":
      return [{ ...itemOf(wanted), status: "failed", code: asked.code, message: asked.message }];
    case "unknown":
      return [{ ...itemOf(wanted), status: "unknown", message: asked.message, answer: asked.answer }];
    case "not_started":
      return [{ ...itemOf(wanted), status: "not_started" }];
    default:
      return asked satisfies never;
  }
}

function showProblems({ problems, files }: ToDraft, console: Console): void {
  if (problems.length === 0) return;
  const lines = sourceLines(files.map(({ calendar }) => calendar));
  const text = `${problemsText(problems, lines, console.errorStyle)}\n`;
  if (hasErrors(problems)) console.alert(text);
  else console.note(text);
}

function exitOf(
  undrafted: readonly UndraftedItem[],
  problems: readonly Problem[],
  { stop }: Shell,
): ExitCode {
  if (stop.aborted) return 130;
  if (undrafted.some(({ status }) => status === "unknown")) return 3;
  return undrafted.some(({ status }) => status !== "unwanted") || hasErrors(problems) ? 1 : 0;
}
