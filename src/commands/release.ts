/**
 * `plancast release`: ends holds, in the checkout. It schedules nothing: the next apply does, after people have reviewed
 * the change if they review changes.
 */

import { checkCalendars } from "../calendars/check.ts";
import { holdsIn, selectCalendars } from "../calendars/select.ts";
import { HeldPosts, freedPosts } from "../checks/held-posts.ts";
import { utcTime } from "../model/canonical.ts";
import { isSameJson } from "../model/data.ts";
import { Failure } from "../model/failure.ts";
import { type Hold, conditionsText, holdFacts, isActive, lineText, parseHolds } from "../model/holds.ts";
import { parseConditions } from "../model/row-filter.ts";
import { releasedText } from "../problems/hold-texts.ts";
import { escapeTerminal } from "../report/text/escape.ts";
import { addToCheckout, nameInGit } from "./hold/keep-holds.ts";
import { readHolds } from "./project/base.ts";
import { openProject } from "./project/project.ts";
import {
  type FlagsOf,
  type ProjectRun,
  FORMAT_OPTION,
  ONLY_OPTION,
  YES_OPTION,
  confirmChange,
  defineCommand,
  defineFlags,
  namesPositional,
  parseOnly,
} from "./shell/command.ts";
import type { ExitCode } from "./shell/shell.ts";

const FLAGS = defineFlags({
  hold: namesPositional("Holds to release, as plan shows them (default: the only one)"),
  only: { ...ONLY_OPTION, describe: "Release the holds with exactly these conditions" },
  yes: YES_OPTION,
  format: FORMAT_OPTION,
});

type ReleaseFlags = FlagsOf<typeof FLAGS>;

export const command = defineCommand({
  flags: FLAGS,
  examples: [
    ["release", "Release the only hold of this project"],
    ["release --only campaign=spring", "Release the hold of a campaign"],
  ],
  run: async (run) => release(await openProject(run)),
  forAll: { single: ["hold"] },
});

async function release(run: ProjectRun<ReleaseFlags>): Promise<ExitCode> {
  const { project, flags, shell, console } = run;
  const text = await readHolds(project);
  const now = shell.clock.now();
  const active = parseHolds(text).filter((hold) => isActive(hold, now));
  const chosen = chosenHolds(active, flags);
  await refuseOthersHolds(run, chosen);
  const selection = await selectCalendars(
    project,
    { calendars: [], only: undefined, holds: text },
    shell.cwd,
  );
  const { posts } = await checkCalendars(project, selection, shell.clock);
  const heldBy = (holds: readonly Hold[]): HeldPosts =>
    new HeldPosts(holds, selection.calendars, project.config);
  const left = heldBy(active.filter((hold) => !chosen.includes(hold)));
  const released = chosen.map((hold) => ({
    hold,
    posts: freedPosts(heldBy([hold]), left, posts, now).length,
  }));
  const names = chosen.map((hold) => `${hold.id} (${conditionsText(hold)})`).join(", ");
  if (!(await confirmChange(escapeTerminal(`Release ${names}?`), run))) return 1;
  const by = (await nameInGit(project, shell)) || undefined;
  for (const { id } of chosen) await addToCheckout(project, lineText({ release: id, by, at: utcTime(now) }));
  if (flags.format === "json")
    console.json({
      version: 1,
      released: released.map(({ hold: { id }, posts: freed }) => ({ id, posts: freed })),
    });
  else {
    const sentences = released.map((each) => releasedText(holdFacts(each.hold), each.posts));
    console.result(`${escapeTerminal(sentences.join("\n"))}\n`);
    console.next(
      "commit plancast.holds.yaml, and let somebody review it. plancast apply then schedules the posts.",
    );
  }
  return 0;
}

function chosenHolds(active: readonly Hold[], { hold: ids, only }: ReleaseFlags): readonly Hold[] {
  if (active.length === 0)
    throw new Failure("usage/not-found", "This project has no hold, so there is nothing to release.");
  const missing = ids.find((id) => !active.some((hold) => hold.id === id));
  if (missing !== undefined)
    throw new Failure("usage/not-found", `There is no hold "${missing}" now.`, listed(active));
  if (ids.length > 0) return active.filter(({ id }) => ids.includes(id));
  if (only.length > 0) {
    const wanted = conditionsOf({ only: parseOnly(only) ?? {} });
    const same = active.filter((hold) => isSameJson(conditionsOf(hold), wanted));
    if (same.length > 0) return same;
    throw new Failure("usage/not-found", "No hold has exactly these conditions.", listed(active));
  }
  if (active.length === 1) return active;
  throw new Failure("usage/arguments", `There are ${active.length} holds.`, listed(active));
}

/** In one order, with lists instead of sets. */
function conditionsOf({ only }: Pick<Hold, "only">): readonly string[] {
  return parseConditions(only)
    .map((each) => JSON.stringify(each.kind === "column" ? [each.name, [...each.values].sort()] : each))
    .sort();
}

function listed(active: readonly Hold[]): string {
  return active
    .map((hold) => `\`plancast release ${hold.id}\`: ${conditionsText(hold)}, “${hold.reason}”.`)
    .join(" ");
}

/** The file of an older clone would not merge with the newer one. Throws a Failure. */
async function refuseOthersHolds({ project }: ProjectRun, chosen: readonly Hold[]): Promise<void> {
  const here = new Set(parseHolds(await holdsIn(project)).map(({ id }) => id));
  const missing = chosen.filter(({ id }) => !here.has(id)).map(({ id }) => id);
  if (missing.length > 0)
    throw new Failure(
      "usage/not-found",
      `${missing.join(", ")} is on the main branch, but not in this checkout yet.`,
      "Run `git pull` first.",
    );
}
