/**
 * Starts the page with the data in it. A page from a server then follows the server: it loads new data when files are saved,
 * and shows when the server is gone.
 */

import type { PreviewData } from "../preview-data.ts";
import { App } from "./app.ts";

/** Interval of looking whether the page has a width, in ms. */
const WIDTH_CHECK_MS = 20;

const { kind } = document.documentElement.dataset;
const first: PreviewData = JSON.parse(takenData());
startWithWidth();

/** In the page of several projects, this is a frame. At first it has no width, and would look as on a phone. */
function startWithWidth(): void {
  if (innerWidth === 0) setTimeout(startWithWidth, WIDTH_CHECK_MS);
  else follow(new App(first), first);
}

/** The data in the page, as JSON. Afterwards, the browser does not need to keep it. */
function takenData(): string {
  const block = document.getElementById("data");
  block?.remove();
  return block?.textContent ?? "";
}

/** A page from a server loads the newest data, one change after the other. */
function follow(app: App, start: PreviewData): void {
  if (kind !== "live") return;
  let data = start;
  let last = Promise.resolve();
  const read = async (): Promise<void> => {
    try {
      const answer = await fetch(`/data?since=${data.version ?? ""}`);
      if (answer.status !== 200) return;
      data = await answer.json();
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
