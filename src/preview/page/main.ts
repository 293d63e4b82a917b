/**
 * Starts the page with the data in it. A page from a server then follows the server: it loads new data when files are
 * saved, and shows when the server is gone.
 */

import type { PreviewData } from "../preview-data.ts";
import { App } from "./app.ts";

/** Interval of looking whether the page has a width, in ms. */
const WIDTH_CHECK_MS = 20;

const text = document.getElementById("data")?.textContent ?? "";
const data: PreviewData = JSON.parse(text);
startWithWidth();

/** In the page of several projects, this is a frame. At first it has no width, and would look as on a phone. */
function startWithWidth(): void {
  if (innerWidth === 0) setTimeout(startWithWidth, WIDTH_CHECK_MS);
  else start();
}

function start(): void {
  const app = new App(data);
  if (document.documentElement.dataset["kind"] !== "live") return;
  followServer({
    onData: (newer) => app.update(newer),
    onDisconnect: (isGone) => app.setDisconnected(isGone),
  });
}

interface LiveEvents {
  readonly onData: (data: PreviewData) => void;
  readonly onDisconnect: (isGone: boolean) => void;
}

function followServer({ onData, onDisconnect: onGone }: LiveEvents): void {
  const events = new EventSource("/events");
  const read = async (): Promise<void> => {
    try {
      const answer = await fetch("/data");
      if (answer.ok) onData(await answer.json());
    } catch {
      // The connection reports that too, and recovers when the server does.
    }
  };
  events.addEventListener("change", () => void read());
  events.addEventListener("error", () => onGone(true));
  events.addEventListener("open", () => {
    onGone(false);
    // Changes during the interruption; the first time, since the page was made.
    void read();
  });
}
