/**
 * `plancast confirm`: a person reads the plan of an assistant at a terminal, and allows exactly this plan. Only the
 * server of `plancast mcp` needs that; `plancast apply` asks for itself. What was confirmed is remembered in a file
 * outside every checkout. A confirmation is for one plan of one project and account, ends after some minutes, and can
 * be used once.
 */

import { createHash } from "node:crypto";
import { z } from "zod";
import { realpath } from "../../disk/machine.ts";
import { isSameSecret } from "../../service/http/key.ts";
import { checkoutFolder } from "../../disk/place.ts";
import type { Clock } from "../../model/clock.ts";
import { Failure } from "../../model/failure.ts";
import { type Plan, PLAN_HASH } from "../../model/plan.ts";
import { confirmQuestion, confirmedText, nothingToConfirmText } from "../../report/assistant.ts";
import type { OpenedService } from "../../service/connect/open-service.ts";
import type { Project } from "../../settings/config.ts";
import type { Env } from "../../settings/environment.ts";
import type { Planning } from "../../sync/sync.ts";
import { OwnFiles } from "../project/confirmations.ts";
import { type Run, defineCommand, namesPositional } from "../shell/command.ts";
import { showProblems } from "../shell/report-problems.ts";
import type { ExitCode } from "../shell/shell.ts";

interface ConfirmFlags {
  readonly hash: string;
  readonly calendar: string[];
}

export const command = defineCommand({
  flags: {
    hash: {
      isPositional: true,
      type: "string",
      demandOption: true,
      describe: "The whole hash of the plan, as the assistant shows it",
    },
    calendar: namesPositional("Calendars of the plan (default: all)"),
  },
  examples: [["confirm HASH", "Read the plan with this hash, and let an assistant apply it once"]],
  run: confirm,
});

async function confirm(run: Run<ConfirmFlags>): Promise<ExitCode> {
  const { flags, shell, console } = run;
  if (!PLAN_HASH.test(flags.hash))
    throw new Failure(
      "apply/plan-changed",
      "This is not the whole hash of a plan. Nothing was confirmed.",
      "Copy the hash from the assistant. A hash is sha256: followed by 64 digits and lower-case letters.",
    );
  if (!shell.isInteractive) throw needsTerminal();
  const { readPlan } = await import("../plan/run.ts");
  const planning = await readPlan({ ...run, flags: { ...flags, only: [], "refresh-media": false } });
  const { plan, opened, project } = planning;
  showProblems(planning, console);
  if (plan === undefined || opened === undefined) return 1;
  const { refuseGuarded, shownPlan } = await import("../apply/run.ts");
  // On stderr, where the question is, and with whole texts: the person must see everything that they confirm.
  const shown = { verbose: flags.verbose, isWhole: true };
  console.alert(shownPlan(planning, plan, shown, console.errorStyle));
  if (plan.hash() !== flags.hash) throw otherPlan(plan.hash());
  if (plan.changes.length === 0) {
    console.result(nothingToConfirmText());
    return 0;
  }
  refuseGuarded(plan);
  const automation = project.config.automations.after_apply?.id;
  if (!(await shell.confirm(confirmQuestion(CONFIRMED_MINUTES, automation)))) {
    console.note(`Nothing was confirmed.${shell.stop.aborted ? "" : " Only y or yes confirms it."}\n`);
    return shell.stop.aborted ? 130 : 1;
  }
  const plans = await ConfirmedPlans.of(project, shell.env, shell.clock);
  if ((await plans.add(await confirmedPlan(planning, opened, plan))) === undefined) throw notStored();
  console.result(confirmedText(CONFIRMED_MINUTES));
  return 0;
}

function needsTerminal(): Failure {
  return new Failure(
    "run/needs-terminal",
    "Only a person at a terminal can confirm a plan. Nothing was confirmed.",
    "Run it yourself in a terminal, outside of CI.",
  );
}

function otherPlan(hash: string): Failure {
  return new Failure(
    "apply/plan-changed",
    `The plan has changed since the assistant made it: the plan above has the hash ${hash}. Nothing was confirmed.`,
    "Ask the assistant for a new plan, or name the calendars of its plan after the hash.",
  );
}

function notStored(): Failure {
  return new Failure(
    "confirm/not-stored",
    "plancast cannot save the confirmation outside the checkout, so nothing was confirmed.",
    "Make your folder for settings writable, or set XDG_CONFIG_HOME to a folder outside the checkout.",
  );
}

/** How long a confirmation lasts, minutes. */
export const CONFIRMED_MINUTES = 15;

const FILE = /^confirmed-plan-[0-9a-f]{64}\.json$/;

const fileSchema = z.strictObject({
  version: z.literal(1),
  /** Time of the confirmation, in ms. */
  at: z.int(),
  /** Over the time and all that was confirmed. */
  proof: z.string(),
});

type Confirmed = z.infer<typeof fileSchema>;

/** What a confirmation is about. */
export interface ConfirmedPlan {
  /** Absolute, with links resolved. */
  readonly root: string;
  readonly hash: string;
  /** Everything else that decides what an apply does: service, accounts, and all settings of the project. */
  readonly around: string;
  readonly proofOf: OpenedService["proofOf"];
}

export async function confirmedPlan(
  { project: { root, config }, seen }: Pick<Planning, "project" | "seen">,
  { service, proofOf }: Pick<OpenedService, "service" | "proofOf">,
  plan: Pick<Plan, "hash">,
): Promise<ConfirmedPlan> {
  const around = JSON.stringify([service.origin, seen?.accounts ?? null, config]);
  return { root: await realpath(root), hash: plan.hash(), around, proofOf };
}

export class ConfirmedPlans {
  readonly #files: OwnFiles;
  readonly #clock: Clock;

  constructor(files: OwnFiles, clock: Clock) {
    this.#files = files;
    this.#clock = clock;
  }

  static async of({ root }: Pick<Project, "root">, env: Env, clock: Clock): Promise<ConfirmedPlans> {
    return new ConfirmedPlans(new OwnFiles(env, await checkoutFolder(root), root), clock);
  }

  /** Returns the path of the file; undefined if it cannot be written outside the checkout. */
  async add(plan: ConfirmedPlan): Promise<string | undefined> {
    const at = this.#clock.now();
    const confirmed: Confirmed = { version: 1, at, proof: proofFor(plan, at) };
    try {
      await this.#removeOld();
      return await this.#files.write(nameOf(plan), `${JSON.stringify(confirmed)}\n`);
    } catch {
      return undefined;
    }
  }

  /** Uses up the confirmation of a plan. False if there is none: never confirmed, expired, or used before. */
  async take(plan: ConfirmedPlan): Promise<boolean> {
    const confirmed = await this.#read(nameOf(plan));
    if (confirmed === undefined || !this.#isFresh(confirmed)) return false;
    if (!isSameSecret(confirmed.proof, proofFor(plan, confirmed.at))) return false;
    // This is the last step: if several processes have read the file, only one can remove it.
    return this.#files.remove(nameOf(plan));
  }

  /**
   * Notes that a plan is applied because it was reviewed: a review counts once on this machine, whatever the folder of
   * the checkout is. False if it was noted before, or cannot be noted.
   * @param plan its project, service and hash
   */
  async takeReview(plan: readonly string[]): Promise<boolean> {
    return this.#files.create(fileName("reviewed", plan)).catch(() => false);
  }

  async #read(name: string): Promise<Confirmed | undefined> {
    const text = await this.#files.read(name);
    try {
      return text === undefined ? undefined : fileSchema.parse(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  /** A time in the future means that somebody set the clock back. */
  #isFresh({ at }: Confirmed): boolean {
    const age = this.#clock.now() - at;
    return age >= 0 && age < CONFIRMED_MINUTES * 60_000;
  }

  async #removeOld(): Promise<void> {
    const names = (await this.#files.names()).filter((name) => FILE.test(name));
    for (const name of names) {
      const confirmed = await this.#read(name);
      if (confirmed === undefined || !this.#isFresh(confirmed)) await this.#files.remove(name);
    }
  }
}

function nameOf({ root, hash }: ConfirmedPlan): string {
  return fileName("confirmed", [root, hash]);
}

function fileName(kind: "confirmed" | "reviewed", names: readonly string[]): string {
  return `${kind}-plan-${createHash("sha256").update(JSON.stringify(names)).digest("hex")}.json`;
}

function proofFor({ root, hash, around, proofOf }: ConfirmedPlan, at: number): string {
  return proofOf(JSON.stringify(["plancast confirmed plan", at, root, hash, around]));
}
