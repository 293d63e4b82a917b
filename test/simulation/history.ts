/** Histories as data: what people do and what goes wrong. A seed makes one, and a failure shrinks to a shorter one. */

import { Random } from "./random.ts";
import { TRAIT_CHOICES, TRAITS, type Traits } from "./service.ts";

const TROUBLES = [
  "none",
  "network",
  "disk",
  "kill",
  "kill after a write",
  "power",
  "stop",
  "cut list",
  "two at once",
  "storm",
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** What people hold. Rows belong to one of two teams by their name. */
export const HELD = {
  all: [],
  team: ["--only", "team=1"],
  days: ["--only", "date=2036-01-01..2036-01-04"],
} as const satisfies Record<string, readonly string[]>;
export type Held = keyof typeof HELD;

export type Step = { readonly seed: number } & (
  | {
      readonly do: "edit";
      readonly person: number;
      readonly row: number;
      readonly what: "text" | "time" | "both";
    }
  | { readonly do: "add" | "remove" | "pull" | "push"; readonly person: number; readonly row: number }
  | { readonly do: "apply"; readonly person: number; readonly trouble: Trouble; readonly at: number }
  | { readonly do: "hold"; readonly person: number; readonly what: Held; readonly trouble: Trouble }
  | { readonly do: "release"; readonly person: number; readonly row: number }
  | { readonly do: "cancel by hand"; readonly row: number }
  | { readonly do: "foreign post"; readonly row: number }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "revert"; readonly person: number; readonly back: number }
  | { readonly do: "old job"; readonly back: number }
  | { readonly do: ExceptionName; readonly person: number; readonly row: number }
);

/**
 * The exceptions of `docs/change/reliability.md`. No history contains them, unless the simulation is asked for one. Then
 * it must find a counterexample: this proves that the oracle can see.
 */
export const EXCEPTIONS = {
  "late list": { says: "It lists a new post later than", traits: { listLagMs: 900_000 } },
  "rewritten text": { says: "It changes a post when it stores it", traits: { rewrites: true } },
  "equal short lists": { says: "It gives the same incomplete list twice", traits: {} },
  "same post by hand": { says: "Somebody creates a post with the same content as a row", traits: {} },
  "lost state": { says: "Lockfile and journal are lost, and rows were edited", traits: {} },
  "left in the middle": { says: "The middle of a replacement", traits: {} },
  "two machines": { says: "Two applies of a project at the same time, without a Redis", traits: {} },
  "lying disk": { says: "Disks that report data as saved when it is not", traits: {} },
  "quick hold": {
    says: "It still lists a post that another clone has just replaced",
    traits: { listLagMs: 60_000 },
  },
  "old clone": { says: "An old clone does not know a row", traits: {} },
} as const satisfies Record<string, { readonly says: string; readonly traits: Partial<Traits> }>;

export type ExceptionName = keyof typeof EXCEPTIONS;
export const EXCEPTION_NAMES = Object.keys(EXCEPTIONS).filter(
  (name): name is ExceptionName => name in EXCEPTIONS,
);

export interface History {
  readonly seed: number;
  readonly people: number;
  readonly rows: number;
  readonly hasIds: boolean;
  readonly traits: Traits;
  readonly exception: ExceptionName | undefined;
  readonly steps: readonly Step[];
}

const WAITS_MS = [1_000, 60_000, 121_000, 600_000, 7_200_000, 50_000_000];

/** How often each step occurs, for one person and for a team. */
const WEIGHTS: Readonly<
  Record<"alone" | "team", Readonly<Record<Exclude<Step["do"], ExceptionName>, number>>>
> = {
  alone: {
    edit: 8,
    add: 2,
    remove: 2,
    apply: 10,
    "cancel by hand": 1,
    "foreign post": 1,
    hold: 1,
    release: 1,
    wait: 3,
    pull: 0,
    push: 0,
    revert: 0,
    "old job": 0,
  },
  team: {
    edit: 7,
    add: 1,
    remove: 2,
    apply: 7,
    "cancel by hand": 2,
    "foreign post": 1,
    hold: 2,
    release: 1,
    wait: 0,
    pull: 2,
    push: 4,
    revert: 1,
    "old job": 1,
  },
};

const TROUBLE_WEIGHTS: Readonly<Record<Trouble, number>> = {
  none: 4,
  network: 6,
  disk: 2,
  kill: 3,
  "kill after a write": 4,
  power: 3,
  stop: 2,
  "cut list": 2,
  "two at once": 2,
  storm: 3,
};

export function makeHistory(seed: number, exception?: ExceptionName): History {
  const random = new Random(seed);
  const isOfTeam = exception === "old clone" || exception === "quick hold";
  const people = isOfTeam || (exception === undefined && random.percent(30)) ? 2 : 1;
  const names = Object.keys(TRAIT_CHOICES).filter((name): name is keyof Traits => name in TRAITS);
  const chosen = Object.fromEntries(names.map((name) => [name, random.pick<unknown>(TRAIT_CHOICES[name])]));
  const steps = Array.from({ length: 3 + random.below(9) }, () => makeStep(random, people, exception));
  return {
    seed,
    people,
    rows: random.below(4),
    hasIds: random.percent(60),
    traits: { ...TRAITS, ...chosen, ...(exception && EXCEPTIONS[exception].traits) },
    exception,
    steps,
  };
}

function makeStep(random: Random, people: number, exception: ExceptionName | undefined): Step {
  const seed = random.next();
  const person = random.below(people);
  const row = random.below(8);
  if (exception !== undefined && random.percent(25)) return { do: exception, seed, person, row };
  const name = random.weighted(WEIGHTS[people === 1 ? "alone" : "team"]);
  switch (name) {
    case "edit":
      return { do: name, seed, person, row, what: random.pick(["text", "time", "both"]) };
    case "add":
    case "remove":
    case "pull":
    case "push":
    case "release":
      return { do: name, seed, person, row };
    case "hold": {
      const trouble =
        people === 1 ? random.pick<Trouble>(["none", "none", "network", "kill after a write"]) : "none";
      return { do: name, seed, person, what: random.pick<Held>(["all", "team", "days"]), trouble };
    }
    case "apply":
      return { do: name, seed, person, trouble: random.weighted(TROUBLE_WEIGHTS), at: 1 + random.below(220) };
    case "cancel by hand":
    case "foreign post":
      return { do: name, seed, row };
    case "wait":
      return { do: name, seed, ms: random.pick(WAITS_MS) };
    case "revert":
      return { do: name, seed, person, back: random.below(3) };
    case "old job":
      return { do: name, seed, back: random.below(5) };
  }
}

/** Histories that are a little shorter or calmer than this one, the shortest first. */
export function* shorter(history: History): Generator<History> {
  const { steps } = history;
  for (let size = Math.floor(steps.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at + size <= steps.length; at += size)
      yield { ...history, steps: steps.toSpliced(at, size) };
  if (history.rows > 0) yield { ...history, rows: history.rows - 1 };
  for (const name of Object.keys(TRAITS).filter((each): each is keyof Traits => each in TRAITS))
    if (history.traits[name] !== TRAITS[name] && history.exception === undefined)
      yield { ...history, traits: { ...history.traits, [name]: TRAITS[name] } };
  for (const [index, step] of steps.entries())
    if (step.do === "apply" && step.trouble !== "none")
      yield { ...history, steps: steps.with(index, { ...step, trouble: "none" }) };
}
