/** Starts the page on the data that stand in it. */
import type { PreviewData } from "../preview/preview-data.ts";
import { App } from "./app.ts";
import { followServer } from "./live.ts";

const text = document.getElementById("data")?.textContent ?? "";
const data: PreviewData = JSON.parse(text);
const app = new App(data);
if (document.documentElement.dataset["kind"] === "live") {
  followServer({
    onData: (newer) => app.update(newer),
    onDisconnect: (isGone) => app.setDisconnected(isGone),
  });
}
