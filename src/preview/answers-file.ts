/**
 * Reads the file that a client's page downloads. It comes back by email, so anything may be in it: it has a size limit,
 * and it is used as a whole or not at all.
 */

import { z } from "zod";
import { Failure } from "../model/failure.ts";
import { isObject } from "../model/data.ts";
import { type AnswersFile, MAX_COMMENT } from "./preview-data.ts";

/** Largest file, in bytes: a comment on each of a thousand posts a week for a year. */
export const MAX_ANSWERS_BYTES = 32 * 1_048_576;
const MAX_ANSWERS = 50_000;
const VERSION = 1;

const hashText = z.string().regex(/^[\w-]{16}$/, "must be a hash of 16 characters");
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, "must be a day");
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, "must be a time in UTC");

const seal = z.strictObject({ text: hashText, networks: hashText, time: hashText, media: hashText });

const answer = z.strictObject({
  post: hashText,
  seal,
  answer: z.enum(["approved", "changes"]).optional(),
  comment: z.string().max(MAX_COMMENT).optional(),
  shown: z.string().max(400),
});

const answersFile = z.strictObject({
  plancast_answers: z.literal(VERSION),
  page: z.strictObject({
    project: z.string().max(1_000).optional(),
    made: time,
    from: day,
    to: day,
  }),
  saved: time,
  answers: z.array(answer).max(MAX_ANSWERS),
});

/**
 * @param name of the file, for messages
 * @param project the name in plancast.yaml
 * Throws a Failure unless the file is from a page of this project and answers each post at most once.
 */
export function parseAnswers(text: string, name: string, project: string | undefined): AnswersFile {
  const value = parseJson(text, name);
  const version = isObject(value) ? value["plancast_answers"] : undefined;
  if (typeof version === "number" && version !== VERSION)
    throw new Failure(
      "approvals/version",
      `${name} is from a page of another version of plancast (version ${version} of the format).`,
      "Update plancast, or make the page again with `plancast preview --for-client`.",
    );
  const read = answersFile.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue?.path.map(String).join(".") ?? "";
    throw notAnswers(name, `${place === "" ? "the file" : place}: ${issue?.message ?? "not valid"}`);
  }
  const { page, answers } = read.data;
  if (page.project !== undefined && project !== undefined && page.project !== project)
    throw new Failure(
      "approvals/other-project",
      `${name} has answers for the project "${page.project}", but this project is "${project}".`,
      "Run the command in the folder of that project.",
    );
  const seen = new Set<string>();
  for (const { post, shown } of answers) {
    if (seen.has(post))
      throw new Failure(
        "approvals/duplicate",
        `${name} has two answers to one post: "${shown}".`,
        "Somebody edited the file. Ask for the file as the page downloaded it.",
      );
    seen.add(post);
  }
  return read.data;
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw notAnswers(name, "it is not JSON");
  }
}

export function notAnswers(name: string, why: string): Failure {
  return new Failure(
    "approvals/file",
    `${name} is not a file with answers: ${why}.`,
    "Ask your client for the file that the page downloaded, and save it unchanged.",
  );
}
