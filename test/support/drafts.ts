/** Calendars whose rows ask for texts, and a service that answers, for tests of `draft`. */
import type { CommandResult } from "./run-command.ts";
import type { Scenario } from "./scenario.ts";

export const HEAD = ["id", "scheduled_at", "platforms", "prompt", "content"];
/** A row that asks for a text. */
export const row = (
  id: string,
  platforms = "twitter",
  prompt = `About ${id}`,
  ...more: string[]
): string[] => [id, "2036-03-01 10:00", platforms, prompt, "", ...more];

/** Answers to texts, in the order in which they are asked for. */
export function answering({ service }: Scenario, ...texts: readonly string[]): void {
  const left = [...texts];
  service.faults.plan(({ path }) =>
    path.startsWith("/v1/ai/")
      ? {
          kind: "answer-before",
          answer: { status: 200, body: JSON.stringify({ content: left.shift() ?? "More" }) },
        }
      : undefined,
  );
}

/** How often a text or a picture was asked for. */
export function asked({ service }: Scenario): number {
  return service.requests.filter(({ path }) => path.startsWith("/v1/ai/")).length;
}

export function calendars({ project }: Scenario): Promise<string> {
  return project.read("calendars/a.csv");
}

/** The output of a run, which must end with the expected code. */
export async function json({ code, stdout, stderr }: CommandResult, exit = 0): Promise<unknown> {
  if (code !== exit) throw new Error(`exit ${code}\n${stdout}\n${stderr}`);
  return JSON.parse(stdout);
}
