/** What a fetch of one project brings to review: copies of sheets, their record, and settings for what is new in them. */

import { join } from "node:path";
import {
  type FetchRecord,
  FETCH_RECORD,
  parseFetchRecord,
  readFetchRecord,
} from "../../calendars/fetch-record.ts";
import { withSettings } from "../../calendars/edit/project-settings.ts";
import { readProject } from "../../calendars/project.ts";
import { type ProposalLine, isWritten } from "../../calendars/proposal/proposal.ts";
import { readProposal } from "../../calendars/proposal/read-proposal.ts";
import { proposalSource, settle } from "../../calendars/proposal/settle.ts";
import { settingsFor } from "../../calendars/select.ts";
import { type SheetVersion, digestOf, isSameVersion, readVersion } from "../../calendars/sheet-copy.ts";
import { makeFolder, readRegular, writeAtomic } from "../../disk/files.ts";
import { folderOf } from "../../disk/open-folder.ts";
import { placeInProject } from "../../disk/place.ts";
import { commonCommit } from "../../github/fetch-branch.ts";
import { Git, bytesAt, folderInCommit, textAt } from "../../github/git-branch.ts";
import { Failure, ProjectProblems } from "../../model/failure.ts";
import { type Problem, hasErrors, problem } from "../../model/problem.ts";
import { proposalMarkdown } from "../../report/outcomes/fetched.ts";
import { failureProblem } from "../../report/problems/failure-text.ts";
import { type SheetCopy, sheetCopies } from "../../settings/calendar-settings.ts";
import type { Project } from "../../settings/config.ts";
import { sourceOf } from "../../sources/all-sources.ts";
import type { SourceAccess } from "../../sources/source.ts";
import { type FetchedSheet, fetchSheets, isNewer } from "../project/fetch-sheets.ts";
import { openProjectFile } from "../project/project.ts";
import { withProjectSources } from "../project/sheets.ts";
import type { ProjectRun } from "../shell/command.ts";
import { type Inputs, withoutInputs } from "./inputs.ts";

export interface FetchedProject {
  readonly project: Project;
  /** The project's folder, from the root of the checkout; empty if they are the same. */
  readonly folder: string;
  /** The same as the beginning of paths in a commit. */
  readonly prefix: string;
  readonly sheets: readonly FetchedSheet[];
  readonly before: FetchRecord;
  /** With what this fetch found. */
  readonly record: FetchRecord;
  readonly problems: readonly Problem[];
  /** Newer copies whose sheet anybody may edit, as far as plancast can know. Only if somebody wants to know that. */
  readonly unguarded: readonly string[];
}

/** Undefined if no calendar of the project is a copy. Writes nothing. */
export async function fetchProject(
  run: ProjectRun & { readonly folder: string; readonly inputs: Pick<Inputs, "auto_merge"> },
): Promise<FetchedProject | undefined> {
  const { project, folder, shell, inputs } = run;
  const copies = sheetCopies(project.config.calendars);
  if (copies.length === 0) return undefined;
  const prefix = await folderInCommit(new Git(project.root, withoutInputs(shell.env)));
  const before = await readFetchRecord(project);
  return withProjectSources(run, async (access) => {
    const { sheets, record } = await fetchSheets(project, copies, undefined, access, before);
    const problems = sheets.flatMap((each) => each.problems);
    const unguarded: string[] = [];
    for (const { copy } of inputs.auto_merge ? sheets.filter(isNewer) : [])
      if (!(await isClosed(copy, access))) unguarded.push(copy.file);
    return { project, folder, prefix, sheets, before, record, problems, unguarded };
  });
}

/** Whether only people whom somebody has named can open the sheet. */
async function isClosed({ from }: SheetCopy, access: SourceAccess): Promise<boolean> {
  const address = new URL(from);
  return (await sourceOf(address).isClosed?.(address, access)) === true;
}

type Contents = ReadonlyMap<string, string | Uint8Array>;

/** What people review of a project. */
export interface ReviewedProject extends Pick<FetchedProject, "folder" | "problems"> {
  /** What differs from the base, by the path in a commit. */
  readonly files: Contents;
  /** Settings that plancast proposes, in Markdown. */
  readonly proposal: string | undefined;
  /** Whether the settings change. Whoever may push the branch can change them, not only who edits the sheet. */
  readonly changesSettings: boolean;
}

interface Commits {
  /** The main branch. */
  readonly base: string;
  /** The branch with fetched sheets, if there is one. */
  readonly tip: string | undefined;
  /** Whether a pull request is open for it. Otherwise, what people changed there is over. */
  readonly isOpen: boolean;
}

/** Also writes the files into the checkout, where the plan reads them. */
export async function filesForReview(
  git: Git,
  fetched: FetchedProject,
  commits: Commits,
): Promise<ReviewedProject> {
  const { project, folder, prefix } = fetched;
  const copies = await copiesForReview(git, fetched, commits);
  const settings = await settingsForReview(git, `${prefix}${project.file}`, commits);
  const contents = new Map<string, string | Uint8Array>(copies.contents);
  if (copies.record.text() !== fetched.before.text()) contents.set(FETCH_RECORD, copies.record.text());
  if (settings.contents !== undefined) contents.set(project.file, settings.contents);
  for (const [file, each] of contents) await putFile(project, file, each);
  const proposed = await proposedSettings(project);
  if (proposed.contents !== undefined) contents.set(project.file, proposed.contents);
  const files = new Map<string, string | Uint8Array>();
  for (const [file, each] of contents) {
    const before = await bytesAt(git, commits.base, prefix + file);
    if (before === undefined || !Buffer.from(each).equals(before)) files.set(prefix + file, each);
  }
  const problems = [...copies.problems, ...settings.problems, ...proposed.problems];
  const changesSettings = files.has(prefix + project.file);
  return { folder, files, problems, proposal: proposed.markdown, changesSettings };
}

export async function putFile(
  { root, state }: Project,
  file: string,
  contents: string | Uint8Array,
): Promise<void> {
  const place = await placeInProject(root, file);
  await makeFolder(folderOf(place));
  await writeAtomic(place, contents, { scratch: state });
}

interface Copies {
  readonly contents: Contents;
  readonly record: FetchRecord;
  readonly problems: readonly Problem[];
}

/** The copies that differ from the base. What people edited on the branch stays, and is a problem. */
async function copiesForReview(
  git: Git,
  { project, prefix, sheets, record: found }: FetchedProject,
  { base, tip, isOpen }: Commits,
): Promise<Copies> {
  const contents = new Map<string, Uint8Array>();
  const problems: Problem[] = [];
  let record = found;
  const onBranch =
    tip === undefined ? undefined : parseFetchRecord(await textAt(git, tip, prefix + FETCH_RECORD));
  for (const sheet of sheets) {
    const { copy } = sheet;
    const news = isNewer(sheet) ? sheet.contents : undefined;
    const there = tip === undefined ? undefined : await bytesAt(git, tip, prefix + copy.file);
    const main = await bytesAt(git, base, prefix + copy.file);
    if (there === undefined || (main !== undefined && Buffer.from(main).equals(there))) {
      if (news !== undefined) contents.set(copy.file, news);
      continue;
    }
    const { settings } = settingsFor(project, copy.file);
    const read = (bytes: Uint8Array): Promise<SheetVersion> => readVersion(copy.file, bytes, settings);
    const version = await read(there);
    const cells = onBranch?.cellsOf(copy);
    const isKnown = sheet.contents !== undefined && sheet.state !== "conflict";
    if (isKnown && isSameVersion(await read(sheet.contents ?? there), version)) {
      // The same cells in another export are not news.
      if (news !== undefined) contents.set(copy.file, there);
    } else if (!isOpen || (isKnown && digestOf(version) === cells)) {
      if (news !== undefined) contents.set(copy.file, news);
    } else {
      contents.set(copy.file, there);
      if (cells !== undefined) record = record.with(copy, cells);
      if (isKnown) problems.push(editedOnBranch(copy.file));
    }
  }
  return { contents, record, problems };
}

function editedOnBranch(file: string): Problem {
  const message =
    "Somebody edited this copy in the pull request, and the sheet has changed since then, so the copy was not replaced. " +
    "Make the edits in the sheet. Then undo them in the pull request, or close it: the next fetch opens a new one.";
  return problem("fetch/conflict", message, { file });
}

/** What people answered on the branch stays. Undefined: as on the base. */
async function settingsForReview(
  git: Git,
  path: string,
  { base, tip, isOpen }: Commits,
): Promise<{ readonly contents: Uint8Array | undefined; readonly problems: readonly Problem[] }> {
  const none = { contents: undefined, problems: [] };
  const common = tip === undefined || !isOpen ? undefined : await commonCommit(git, base, tip);
  if (tip === undefined || common === undefined) return none;
  const [before, main, there] = await Promise.all(
    [common, base, tip].map((each) => bytesAt(git, each, path)),
  );
  if (there === undefined || isSame(there, main) || isSame(there, before)) return none;
  if (main !== undefined && isSame(main, before)) return { contents: there, problems: [] };
  const message =
    "This file was edited in the pull request and on the main branch. The answers in the pull request were not used. Merge the main branch into it.";
  return { contents: undefined, problems: [problem("fetch/conflict", message, { file: path })] };
}

function isSame(one: Uint8Array, other: Uint8Array | undefined): boolean {
  return other !== undefined && Buffer.from(one).equals(other);
}

interface Proposed {
  readonly contents?: Uint8Array;
  readonly markdown: string | undefined;
  readonly problems: readonly Problem[];
}

const NOTHING_PROPOSED: Proposed = { markdown: undefined, problems: [] };

/** Writes what plancast proposes for new columns and values. Whoever merges it has answered. */
async function proposedSettings({ root, file }: Project): Promise<Proposed> {
  try {
    const project = await readProject(join(root, file));
    const text = await openProjectFile(project);
    const source = proposalSource(project, text.text);
    if (!hasErrors((await readProposal(source, {})).problems)) return NOTHING_PROPOSED;
    const { settings, lines, left } = await settle(source, {}, isProposed);
    const after = withSettings(project, text.text, settings);
    if (after !== text.text) await text.write(after);
    const markdown = proposalMarkdown(
      lines.filter((line) => isProposed(line) && isWritten(line)),
      left,
    );
    return { contents: await readRegular(await placeInProject(root, file)), markdown, problems: [] };
  } catch (error) {
    // The plan shows what is wrong with the settings.
    if (error instanceof ProjectProblems) return NOTHING_PROPOSED;
    if (!(error instanceof Failure)) throw error;
    return { markdown: undefined, problems: [failureProblem(error)] };
  }
}

function isProposed({ chosen, certainty }: ProposalLine): boolean {
  return chosen !== undefined && certainty !== "extra";
}
