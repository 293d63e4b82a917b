/** Asks the service, and keeps each answer before the next thing is done. */
import pLimit from "p-limit";
import { canonicalContent } from "../calendar/canonical.ts";
import type { NotDone, WriteResult } from "../service/records.ts";
import type { Service } from "../service/service.ts";
import type { Answer, Answers } from "./answers.ts";
import type { Wanted } from "./wanted.ts";

/** Requests at once: what is under way when the machine dies may be paid for and lost. */
const AT_ONCE = 4;

export type Asked = { readonly result: "done"; readonly answer: Answer } | NotDone;

/**
 * Asks for each. After an answer that says that no other can succeed, such as a bad key, nothing more is asked.
 */
export async function ask(
  wanted: readonly Wanted[],
  service: Pick<Service, "generateText" | "generateImage">,
  answers: Answers,
): Promise<ReadonlyMap<Wanted, Asked>> {
  const limit = pLimit(AT_ONCE);
  let isOver = false;
  const all = await Promise.all(
    wanted.map((each) =>
      limit(async (): Promise<[Wanted, Asked]> => {
        const came: Asked = isOver ? { result: "not_started" } : await askFor(each, service);
        if (came.result === "done") await answers.keep(came.answer);
        if (came.result === "refused" && came.fatal) isOver = true;
        return [each, came];
      }),
    ),
  );
  return new Map(all);
}

async function askFor(
  wanted: Wanted,
  service: Pick<Service, "generateText" | "generateImage">,
): Promise<Asked> {
  const { kind, prompt, platform = "", manner } = wanted;
  const about = {
    request: wanted.request,
    file: wanted.file.calendar.file,
    again: wanted.current !== undefined,
  };
  if (kind === "text") {
    const written = await service.generateText({ prompt, platform, tone: manner });
    return asked(written, ({ text }) => ({ ...about, text: canonicalContent(text.trimStart()) }));
  }
  const made = await service.generateImage({ prompt, size: manner });
  return asked(made, ({ record: _record, ...image }) => ({ ...about, image }));
}

function asked<T>(written: WriteResult<T>, answer: (value: T) => Answer): Asked {
  return written.result === "done" ? { result: "done", answer: answer(written.value) } : written;
}
