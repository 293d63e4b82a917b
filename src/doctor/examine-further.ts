/** The first pages of what only some commands read. */
import type { Project } from "../calendar/config.ts";
import { Failure } from "../calendar/failure.ts";
import { openService } from "../open-service.ts";
import type { Exchange } from "../service/heard.ts";
import type { ReadService } from "../service/service.ts";
import { resultOrFailure } from "./attempt.ts";
import type { Examination } from "./examine.ts";
import { withTimeoutCap } from "./impatient.ts";

/** Each over a connection of its own, which is left after the first answer. */
export async function probeOtherLists(project: Project, options: Examination): Promise<readonly Exchange[]> {
  const heard: Exchange[] = [];
  const lists: readonly ((service: ReadService) => Promise<unknown>)[] = [
    (service) => service.listMedia(),
    (service) => service.listAutomations(),
  ];
  for (const list of lists) {
    const enough = new AbortController();
    const stop = AbortSignal.any([options.stop, enough.signal]);
    const onHeard = (each: Exchange): void => {
      heard.push(each);
      enough.abort();
    };
    // oxlint-disable-next-line no-await-in-loop
    const opened = await resultOrFailure(() =>
      openService({
        ...options,
        project: withTimeoutCap(project),
        access: "read-only",
        stop,
        onWait: () => {},
        onExchange: onHeard,
      }),
    );
    if (opened instanceof Failure) return heard;
    // oxlint-disable-next-line no-await-in-loop
    await resultOrFailure(() => list(opened.service));
    // oxlint-disable-next-line no-await-in-loop
    await opened.close();
  }
  return heard;
}
