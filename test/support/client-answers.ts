/** A client's page, and the file that it downloads, for tests that need no browser. */
import { expect } from "vitest";
import type { AnswersFile, ClientAnswer, PreviewData } from "../../src/preview/preview-data.ts";
import type { TestProject } from "./project.ts";
import { runCommand } from "./run-command.ts";

/** Makes the page. Returns its data. */
export async function clientPage(project: TestProject, ...args: readonly string[]): Promise<PreviewData> {
  const { code, stdout, stderr } = await runCommand(["preview", "--for-client", ...args], {
    cwd: project.root,
  });
  expect(code, stdout + stderr).toBe(0);
  return pageData(await project.read("client.html"));
}

/** The data in a page. */
export function pageData(html: string): PreviewData {
  const [, json = ""] = /id="data">(.*)<\/script>/.exec(html) ?? [];
  return JSON.parse(json);
}

/** An answer for the post whose text begins like this; with only a comment, the post has no answer. */
type Answers = Readonly<Record<string, Pick<ClientAnswer, "answer" | "comment">>>;

export function answersTo(data: PreviewData, answers: Answers): AnswersFile {
  const unused = new Set(Object.keys(answers));
  const file = answersFor(data, (content) => {
    const text = Object.keys(answers).find((start) => content.startsWith(start));
    if (text !== undefined) unused.delete(text);
    return { ...(text === undefined ? {} : answers[text]), shown: text ?? content };
  });
  if (unused.size > 0) throw new Error(`The page has no post ${[...unused].join(", ")}.`);
  return file;
}

/** @param answerTo the answer to a post with this text @param saved when the client downloaded the file */
export function answersFor(
  { client, posts }: PreviewData,
  answerTo: (content: string) => Partial<ClientAnswer>,
  saved = "2026-02-21T09:00:00Z",
): AnswersFile {
  if (client === undefined) throw new Error("This page is not for a client.");
  const answers = posts.map(({ id, seal, content = "" }): ClientAnswer => {
    if (id === undefined || seal === undefined) throw new Error("A post of a client's page needs an id.");
    return { post: id, seal, shown: content, ...answerTo(content) };
  });
  return { plancast_answers: 1, page: client, saved, answers };
}

export const APPROVED = { answer: "approved" } as const;
export const CHANGES = { answer: "changes" } as const;
