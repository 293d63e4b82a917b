/** Connections end when their owner ends them. */

import { expect, test } from "vitest";
import { Connections } from "../../src/media/connections.ts";

test("connections can be closed, destroyed, and destroyed with an error", async () => {
  await expect(new Connections({ connections: 1 }).close()).resolves.toBeUndefined();
  await expect(new Connections({ connections: 1 }).destroy()).resolves.toBeUndefined();
  await expect(new Connections({ connections: 1 }).destroy(new Error("stopped"))).resolves.toBeUndefined();
  await new Promise<void>((resolve) => new Connections({ connections: 1 }).destroy(resolve));
});
