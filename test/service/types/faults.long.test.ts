/** The same as faults.test.ts, with every fault at nearly every request. */
import { expect, test } from "vitest";
import { LONG_MS } from "../../chaos/effort.ts";
import { SERVICES, faultAt, requestsOfRun, triedFaults } from "./fault-scenario.ts";

test.each(SERVICES)(
  "%s: nothing is published twice or lost after any fault",
  { timeout: LONG_MS },
  async (_name, start) => {
    const wrong: string[] = [];
    for (const { n, fault } of triedFaults(await requestsOfRun(start), 3)) {
      const what = await faultAt(n, fault, start);
      if (what !== undefined) wrong.push(`${JSON.stringify(fault)} at request ${n}: ${what}`);
    }
    expect(wrong).toEqual([]);
  },
);
