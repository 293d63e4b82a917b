/** How much of each network's limit a text takes. */
import type { Meter, PreviewData } from "../preview/preview-data.ts";
import { element } from "./dom.ts";
import { platformMark } from "./marks.ts";
import { numberText } from "./model.ts";

/** From here on a text is nearly too long. */
const NEARLY = 0.9;

export function meterList(meters: readonly Meter[], { platforms }: PreviewData): HTMLElement | undefined {
  // Bytes are a second limit; they are shown where they are what counts.
  const shown = meters.filter(({ unit, used, limit }) => unit === "characters" || used > limit * NEARLY);
  if (shown.length === 0) return undefined;
  const rows = shown.map((meter) => meterRow(meter, platforms));
  return element("ul", { class: "meters", "aria-label": "Length of the text" }, ...rows);
}

function meterRow({ platform, used, limit, unit }: Meter, platforms: PreviewData["platforms"]): HTMLElement {
  const known = platforms[platform] ?? { name: "", title: "?" };
  const share = limit === 0 ? 1 : used / limit;
  const state = share > 1 ? "over" : share > NEARLY ? "near" : "fine";
  const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("span", { class: "fill" }));
  const fill = bar.firstElementChild;
  if (fill instanceof HTMLElement) fill.style.width = `${Math.min(1, share) * 100}%`;
  const left =
    share > 1 ? `${numberText(used - limit)} too many` : `${numberText(used)} of ${numberText(limit)}`;
  return element(
    "li",
    { class: `meter is-${state}` },
    platformMark(known),
    element("span", { class: "meter-name" }, known.title),
    bar,
    element("span", { class: "meter-count" }, `${left}${unit === "bytes" ? " bytes" : ""}`),
  );
}
