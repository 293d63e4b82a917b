/** Requests whose answers cannot be kept. */

import { EventEmitter, once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { StateFolder } from "../../src/disk/state-folder.ts";
import { DraftAnswers, generateDrafts } from "../../src/draft/answers.ts";
import type { DraftTask } from "../../src/draft/tasks.ts";
import { Failure } from "../../src/model/failure.ts";
import type { ImageRecord, TextRecord, WriteResult } from "../../src/service/records.ts";
import { calendarFile } from "../support/edits.ts";
import { makeProject } from "../support/project.ts";

const generateImage = (): Promise<WriteResult<ImageRecord>> => Promise.reject(new Error("not asked for"));

test("if an answer cannot be saved, no further request starts, and the error names every lost answer", async () => {
  const { root } = await makeProject({ files: {}, config: {} });
  const answers = await DraftAnswers.open(StateFolder.at(root));
  const file = await calendarFile("a.csv", "id\n");
  const wanted = Array.from({ length: 30 }, (_none, row): DraftTask => {
    const words = {
      name: `r${row}`,
      prompt: "Fern",
      request: `${row}`,
      manner: undefined,
      current: undefined,
      isAgain: false,
    };
    return { ...words, file, row, kind: "text", platform: "twitter", platforms: ["twitter"] };
  });
  let [count, underWay] = [0, 0];
  const closed = new EventEmitter();
  const afterwards = once(closed, "closed");
  const generateText = async (): Promise<WriteResult<TextRecord>> => {
    const mine = (count += 1);
    underWay += 1;
    // The first answer is saved. When the third comes, the disk fails; the others come after that.
    if (mine === 3) await answers.close().then(() => closed.emit("closed"));
    else if (mine > 1) await afterwards.then(() => wait(mine));
    underWay -= 1;
    return { result: "done", value: { text: `Text ${mine}.`, record: {} } };
  };
  const failure = await generateDrafts(wanted, { generateText, generateImage }, answers).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(Failure);
  expect([underWay, count]).toEqual([0, expect.toSatisfy((all: number) => all <= 8)]);
  const told = failure instanceof Failure ? failure.message : "";
  expect(told).toContain("a.csv, r2: the text for twitter: Text 3.");
  expect(told.match(/Text \d+\./g)?.length).toBe(count - answers.waiting.size);
});
