/** `plancast ai`: the service, or the model of `ai:`, writes one text or makes one picture, which is printed or saved. */

import { identify } from "../../checks/networks/network-names.ts";
import { aliasesOf } from "../../checks/platforms.ts";
import { loadPicture } from "../../draft/pictures.ts";
import { Failure } from "../../model/failure.ts";
import type { Code } from "../../problems/catalogue.ts";
import { undraftedText } from "../../report/outcomes/draft.ts";
import { writeOutcomeDocument, writeOutcomeText } from "../../report/outcomes/write-outcome.ts";
import { escapeTerminal, terminalText } from "../../report/text/escape.ts";
import type { ImageRecord, NotDone } from "../../service/records.ts";
import { type FormatFlag, type ProjectRun, type Run, requireFlag } from "../shell/command.ts";
import { withDrafting } from "../project/drafting.ts";
import { forServiceFiles, withAddresses } from "../project/media.ts";
import { checkWritable, refuseExisting, writeNewFile } from "../project/written-files.ts";
import { namedFile } from "../project/project.ts";
import { writeExitCode } from "../project/service-records.ts";
import { isCi } from "../../settings/environment.ts";
import { showResult } from "../shell/result.ts";
import type { ExitCode, Shell } from "../shell/shell.ts";

/** Of both actions. */
interface AiFlags extends FormatFlag {
  readonly prompt: string | undefined;
  readonly platform: string | undefined;
  readonly tone: string | undefined;
  readonly size: string | undefined;
  readonly out: string | undefined;
  readonly force: boolean;
}

export async function writeText(run: ProjectRun<AiFlags>): Promise<ExitCode> {
  const { project, flags, shell } = run;
  rejectFlags(flags, ["size", "out"], "ai text");
  const { tone } = flags;
  const prompt = requireFlag(flags.prompt, "ai text", "prompt", '"Our spring sale"');
  const typed = requireFlag(flags.platform, "ai text", "platform", "linkedin").trim().toLowerCase();
  const platform = identify(typed, aliasesOf(project.config));
  return withDrafting<ExitCode>(run, async ({ drafter }) => {
    const written = await drafter.generateText({ prompt, platform, tone });
    if (written.result !== "done") return notDone(run, written, "The text");
    const { text } = written.value;
    showResult(run, {
      document: { version: 1, outcome: { status: "done", text } },
      text: () => (isShown(shell) ? forTerminal(text) : text.replace(/\n?$/, "\n")),
    });
    return 0;
  });
}

/** Whether people or a CI system read the output. Otherwise, a script gets the exact text. */
function isShown({ stdout, env }: Shell): boolean {
  return stdout.isTerminal || isCi(env);
}

/** Removes control characters for a terminal or a CI log; keeps line ends. */
function forTerminal(text: string): string {
  return terminalText(text.replace(/\n$/, "").split("\n").map(escapeTerminal));
}

export async function makeImage(run: ProjectRun<AiFlags>): Promise<ExitCode> {
  const { project, flags, shell } = run;
  rejectFlags(flags, ["platform", "tone"], "ai image");
  const { size, force } = flags;
  const prompt = requireFlag(flags.prompt, "ai image", "prompt", '"A harbour"');
  const out = flags.out === undefined ? undefined : namedFile(project, flags.out, shell.cwd);
  if (out !== undefined && !force) await refuseExisting(out, project);
  if (out !== undefined) await checkWritable(out, project);
  return withDrafting<ExitCode>(run, async ({ drafter, files }) => {
    const written = await drafter.generateImage({ prompt, size });
    if (written.result !== "done") return notDone(run, written, "The picture");
    const place = imageLocation(written.value);
    if (out === undefined) {
      showResult(run, {
        document: { version: 1, outcome: { status: "done", ...imageFields(written.value) } },
        text: () => terminalText([escapeTerminal(place)]),
      });
      return 0;
    }
    const picture = await withAddresses(run, forServiceFiles(files), (addresses) =>
      loadPicture(written.value, addresses),
    );
    if (!("bytes" in picture)) throw notSaved(undraftedText(picture.reason), place);
    await writeNewFile({ ...out, project, contents: picture.bytes, force }).catch((error: unknown) => {
      throw error instanceof Failure ? notSaved(error.message, place, error.code) : error;
    });
    const { bytes } = picture;
    const file = { file: out.name, bytes: bytes.length };
    showResult(run, {
      document: { version: 1, outcome: { status: "done", ...imageFields(written.value), ...file } },
      text: () => `Saved ${escapeTerminal(out.name)}.\n`,
    });
    return 0;
  });
}

/** A picture without an address is described as if the document contained it. */
function imageLocation({ url, mediaId, base64 = "" }: ImageRecord): string {
  return url ?? mediaId ?? `data:image/png;base64,${base64}`;
}

function imageFields({ url, mediaId, base64 }: ImageRecord): object {
  return { url, media_id: mediaId, ...(url === undefined && mediaId === undefined ? { base64 } : {}) };
}

function notSaved(why: string, place: string, code: Code = "service/unreadable"): Failure {
  return new Failure(code, `The picture was made, but not saved: ${why}`, `It is at ${place}`);
}

function notDone({ flags, console }: Run<AiFlags>, written: NotDone, what: string): ExitCode {
  const outcome = writeOutcomeDocument(written);
  const wording = {
    done: "",
    refused: `${what} was not made`,
    unknown: `${what} may or may not have been made`,
    whenUnknown: "Running this again may cost money again.",
  };
  if (flags.format === "json") console.json({ version: 1, outcome });
  else console.alert(writeOutcomeText(outcome, wording, console.errorStyle));
  return writeExitCode(outcome);
}

/** Throws a Failure for flags of the other action, because they would have no effect. */
function rejectFlags(flags: AiFlags, names: readonly (keyof AiFlags)[], action: string): void {
  const name = names.find((each) => flags[each] !== undefined);
  if (name === undefined) return;
  throw new Failure(
    "usage/arguments",
    `plancast ${action} has no flag --${name}.`,
    `Run plancast ${action} --help to see its flags.`,
  );
}
