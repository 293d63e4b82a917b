/** Following a server on this machine: new data as files are saved, and a word when it is gone. */
import type { PreviewData } from "../preview/preview-data.ts";

export interface LiveEvents {
  readonly onData: (data: PreviewData) => void;
  readonly onDisconnect: (isGone: boolean) => void;
}

export function followServer({ onData, onDisconnect: onGone }: LiveEvents): void {
  const events = new EventSource("/events");
  const read = async (): Promise<void> => {
    try {
      const answer = await fetch("/data");
      if (answer.ok) onData(await answer.json());
    } catch {
      // The connection says so as well, and comes back when the server does.
    }
  };
  events.addEventListener("change", () => void read());
  events.addEventListener("error", () => onGone(true));
  events.addEventListener("open", () => {
    onGone(false);
    // What changed while it was gone; the first time, since the page was made.
    void read();
  });
}
