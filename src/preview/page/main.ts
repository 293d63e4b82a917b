/**
 * Starts the page with the data in it. A page from a server then follows the server: it loads what changes when files are
 * saved, and shows when the server is gone.
 */

import { type DataChanges, type RestOfData, changedData, joinedData } from "../data-parts.ts";
import type { PreviewData } from "../preview-data.ts";
import { App, showsOnlyStarts } from "./app.ts";

/** Interval of looking whether the page has a width, in ms. */
const WIDTH_CHECK_MS = 20;

const { kind, rest } = document.documentElement.dataset;
const first: PreviewData = JSON.parse(taken("data"));
startWithWidth();

/** In the page of several projects, this is a frame. At first it has no width, and would look as on a phone. */
function startWithWidth(): void {
  if (innerWidth === 0) setTimeout(startWithWidth, WIDTH_CHECK_MS);
  else if (rest === undefined) follow(new App(first), first);
  else startInParts();
}

/** The data is in two parts. A month is shown before the browser has read the second part. */
function startInParts(): void {
  const early = showsOnlyStarts(first) ? new App(first) : undefined;
  const complete = (): void => {
    const later: RestOfData = JSON.parse(taken("rest"));
    const whole = joinedData(first, later);
    early?.update(whole);
    follow(early ?? new App(whole), whole);
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", complete);
  else complete();
}

/** Data in the page, as JSON. Afterwards, the browser does not need to keep it. */
function taken(id: string): string {
  const block = document.getElementById(id);
  block?.remove();
  return block?.textContent ?? "";
}

/** A page from a server loads what changed, one change after the other. */
function follow(app: App, start: PreviewData): void {
  if (kind !== "live") return;
  let data = start;
  let last = Promise.resolve();
  const read = async (): Promise<void> => {
    try {
      const answer = await fetch(`/data?since=${data.version ?? ""}`);
      if (answer.status !== 200) return;
      const news: PreviewData | DataChanges = await answer.json();
      data = "since" in news ? changedData(data, news) : news;
      app.update(data);
    } catch {
      // The connection reports that too, and recovers when the server does.
    }
  };
  const readNext = (): void => void (last = last.then(read));
  const events = new EventSource("/events");
  events.addEventListener("change", readNext);
  events.addEventListener("error", () => app.setDisconnected(true));
  events.addEventListener("open", () => {
    app.setDisconnected(false);
    // Changes during the interruption; the first time, since the page was made.
    readNext();
  });
}
