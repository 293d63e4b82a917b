import type { PlanView } from "./plan-view.ts";

/** The way on for a plan that its guards stop; nothing where their messages name it. */
export function guardAdvice({ guards, cancels }: Pick<PlanView, "guards" | "cancels">): string | undefined {
  if (guards.length === 0 || guards.some(({ message }) => message.includes("--allow-cancels")))
    return undefined;
  return (
    "If these cancels are meant: save this plan with plancast plan --out plan.json, have it reviewed and run " +
    `plancast apply --plan plan.json; or run plancast apply --allow-cancels ${cancels}.`
  );
}
