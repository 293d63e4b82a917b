/**
 * Remembers which plan a person has confirmed for an assistant, in a file outside every checkout. A confirmation is for
 * one plan of one project and account, ends after some minutes, and can be used once.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { realpath } from "node:fs/promises";
import { z } from "zod";
import { checkoutFolder } from "../../disk/place.ts";
import type { Clock } from "../../model/clock.ts";
import type { Plan } from "../../model/plan.ts";
import type { OpenedService } from "../../service/connect/open-service.ts";
import type { Project } from "../../settings/config.ts";
import type { Env } from "../../settings/environment.ts";
import type { Planning } from "../../sync/sync.ts";
import { OwnFiles } from "../project/own-files.ts";

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
    if (!isEqual(confirmed.proof, proofFor(plan, confirmed.at))) return false;
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

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
