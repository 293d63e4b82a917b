/** The first pages of what only some commands read. */
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import { openService } from "../open-service.ts";
import type { Heard } from "../service/heard.ts";
import type { ReadService } from "../service/service.ts";
import { attempt } from "./attempt.ts";
import type { Examination } from "./examine.ts";
import { impatient } from "./impatient.ts";

/** Each over a connection of its own, which is left after the first answer. */
export async function askFurther(project: Project, options: Examination): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  const lists: readonly ((service: ReadService) => Promise<unknown>)[] = [
    (service) => service.listMedia(),
    (service) => service.listAutomations(),
  ];
  for (const list of lists) {
    const enough = new AbortController();
    const stop = AbortSignal.any([options.stop, enough.signal]);
    const onHeard = (each: Heard): void => {
      heard.push(each);
      enough.abort();
    };
    // oxlint-disable-next-line no-await-in-loop
    const opened = await attempt(() =>
      openService({
        ...options,
        project: impatient(project),
        access: "read-only",
        stop,
        onWait: () => {},
        onHeard,
      }),
    );
    if (opened instanceof Failure) return heard;
    // oxlint-disable-next-line no-await-in-loop
    await attempt(() => list(opened.service));
    // oxlint-disable-next-line no-await-in-loop
    await opened.close();
  }
  return heard;
}
