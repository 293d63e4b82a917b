/** Mixtures of edits, faults, kills and lost files, as data: what fast-check makes and shows when one fails. */
import * as fc from "fast-check";
import type { Fault } from "../support/foreign/faults.ts";
import type { ForeignOptions } from "../support/foreign-service.ts";
import { SHAPES } from "../support/foreign/shapes.ts";
import { ALL_FAULTS } from "./all-faults.ts";

const EDITS = [
  "change text",
  "take the text back",
  "move",
  "change platforms",
  "change picture",
  "remove",
  "add",
  "turn around",
  "to another file",
  "rename file",
  "give id",
  "take id",
] as const;

export interface Edit {
  readonly kind: (typeof EDITS)[number];
  /** Which row, counted round. */
  readonly row: number;
  readonly value: number;
}

const LOSSES = ["journal", "lockfile", "both", "older lockfile", "older lockfile, no journal"] as const;

export type Disaster =
  | { readonly kind: "faults"; readonly faults: readonly { readonly at: number; readonly fault: Fault }[] }
  /** The process is killed at this step. */
  | { readonly kind: "kill"; readonly step: number }
  /** The process gets a signal to stop when this request arrives. */
  | { readonly kind: "stop"; readonly at: number };

export interface Round {
  /** How many posts of the project somebody cancels on the service. */
  readonly vanished: number;
  readonly edits: readonly Edit[];
  readonly loss: (typeof LOSSES)[number] | undefined;
  readonly runs: readonly { readonly disaster: Disaster; readonly thenWaitMs: number }[];
  /** Whether apply is run until it ends with 0 before the next edits. */
  readonly isCalmAfter: boolean;
}

export interface Mixture {
  readonly service: ForeignOptions;
  readonly rows: number;
  readonly foreign: number;
  readonly rounds: readonly Round[];
}

const small = fc.nat({ max: 30 });

const edit: fc.Arbitrary<Edit> = fc.record({ kind: fc.constantFrom(...EDITS), row: small, value: small });

const disaster: fc.Arbitrary<Disaster> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("faults" as const),
      faults: fc.array(
        fc.record({ at: fc.integer({ min: 1, max: 12 }), fault: fc.constantFrom(...ALL_FAULTS) }),
        { minLength: 1, maxLength: 5 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("kill" as const), step: fc.integer({ min: 60, max: 260 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("stop" as const), at: fc.integer({ min: 1, max: 20 }) }),
  },
);

const round: fc.Arbitrary<Round> = fc.record({
  vanished: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 5 }) }),
  edits: fc.array(edit, { minLength: 1, maxLength: 5 }),
  loss: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...LOSSES) },
  ),
  runs: fc.array(
    fc.record({ disaster, thenWaitMs: fc.constantFrom(0, 1_000, 30_000, 119_000, 121_000, 600_000) }),
    { minLength: 1, maxLength: 2 },
  ),
  isCalmAfter: fc.boolean(),
});

const paging: fc.Arbitrary<ForeignOptions> = fc.oneof(
  fc.constant({}),
  fc.constant({ refuseLimitAbove: 100 }),
  fc.record({
    paging: fc.constantFrom("link" as const, "next-url" as const, "next-cursor" as const),
    pageSize: fc.integer({ min: 1, max: 12 }),
  }),
);

const service: fc.Arbitrary<ForeignOptions> = fc
  .record({
    shape: fc.constantFrom(...Object.values(SHAPES)),
    paging,
    listLagMs: fc.constantFrom(0, 0, 2_000, 5_000),
    requireMedia: fc.boolean(),
  })
  .map(({ paging, shape, ...rest }) => ({
    ...rest,
    ...paging,
    // A bare array cannot contain the address of the next page.
    ...(shape === SHAPES["bare arrays"] && paging.paging !== undefined ? { paging: "link" as const } : {}),
    shape,
  }));

export const mixtures: fc.Arbitrary<Mixture> = fc.record({
  service,
  rows: fc.integer({ min: 1, max: 9 }),
  foreign: fc.nat({ max: 4 }),
  rounds: fc.array(round, { minLength: 1, maxLength: 4 }),
});
