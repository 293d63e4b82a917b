import { automationList, runAnswer } from "./answers.ts";
import { AUTOMATIONS, type Automation } from "./automations.ts";
import { deliveriesOf, eventsOfRun } from "./events.ts";
import { automationFails } from "./failures.ts";
import { pageOf } from "./paging.ts";
import { randomId } from "./random-id.ts";
import type { StoredRun } from "./records.ts";
import { pageQuery, triggerRequest } from "./requests.ts";
import { endpoint, noBody, noQuery, type Backend, type Route } from "./route.ts";
import { ServiceError } from "./service-error.ts";

const listAutomations = endpoint({
  method: "GET",
  path: "/automations",
  scope: "read",
  operation: "listAutomations",
  summary: "Lists the automations",
  query: pageQuery,
  body: noBody,
  answer: automationList,
  handle({ query }) {
    const page = pageOf(AUTOMATIONS, ({ id }) => id, query);
    return { ...page, data: page.data.map(({ id, name, description }) => ({ id, name, description })) };
  },
});

const triggerAutomation = endpoint({
  method: "POST",
  path: "/automations/:id/trigger",
  scope: "write",
  operation: "triggerAutomation",
  summary: "Runs an automation to its end",
  query: noQuery,
  body: triggerRequest,
  answer: runAnswer,
  async handle({ id, body }, backend) {
    const automation = AUTOMATIONS.find((each) => each.id === id);
    if (automation === undefined) throw new ServiceError("not_found", "There is no such automation.");
    const made = await runAutomation(automation, body.input, backend);
    const deliveries = deliveriesOf(eventsOfRun(made), backend, backend.now());
    await backend.store.append({ run: made, deliveries });
    return made;
  },
});

export const automationsRoutes: readonly Route[] = [listAutomations, triggerAutomation];

async function runAutomation(automation: Automation, input: string, backend: Backend): Promise<StoredRun> {
  const { store, now, random, failures } = backend;
  const about = {
    id: randomId("run", random, (id) => store.hasRun(id)),
    automation_id: automation.id,
    input,
    started_at: new Date(now()).toISOString(),
  };
  const fails = automationFails(failures, automation.id);
  const result = fails ? undefined : await automation.run(input, backend);
  const completed_at = new Date(now()).toISOString();
  return result === undefined
    ? { ...about, status: "failed", error: "The automation is made to fail.", completed_at }
    : { ...about, status: "completed", result, completed_at };
}
