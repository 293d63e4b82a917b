import * as fc from "fast-check";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configSchema } from "../../../src/calendars/check-project.ts";
import { type Choice, type ProposalLine, settingsOfLines } from "../../../src/calendars/proposal/proposal.ts";
import { proposalYaml, readAnswers, settle } from "../../../src/calendars/proposal/settle.ts";
import type { ProjectSettings } from "../../../src/settings/config.ts";
import { FOLDER, readCases } from "../../corpus/measure.ts";
import { manyRuns } from "../../support/property-tests.ts";

const cases = await readCases();

test("the answers in what --propose prints mean the same as the answers at a terminal", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...cases), fc.array(fc.nat(9), { minLength: 8 }), async (own, picks) => {
      const source = {
        root: join(FOLDER, own.name),
        given: { calendars: own.files },
        configOf: (settings: unknown) => configSchema.parse(settings),
        machine: { zone: "Europe/Paris", from: "this computer" },
        isNew: true,
        hasPictures: false,
      };
      const pick = ({ choices, path }: ProposalLine): Choice | undefined =>
        choices[(picks[path.join().length % picks.length] ?? 0) % choices.length];
      const proposed = await settle(source, {}, ({ chosen }) => chosen !== undefined, pick);
      const lines = proposed.lines.map((line) => ({ ...line, chosen: line.chosen ?? pick(line) }));
      const answers = readAnswers("answers.yaml", proposalYaml({ lines, settings: {} }));
      const { left, settings } = await settle(source, answers, ({ certainty }) => certainty === "certain");
      expect(left).toEqual([]);
      expect(inOrder(settings)).toEqual(inOrder(settingsOfLines(lines)));
    }),
    { numRuns: manyRuns(60) },
  );
});

/** `carry:` is a list without an order. */
function inOrder({ carry = [], ...settings }: ProjectSettings): object {
  return { ...settings, carry: carry.toSorted() };
}
