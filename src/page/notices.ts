/** What the reader must know before the posts: why there is no plan, and rows that cannot be shown. */
import type { PreviewData } from "../preview/preview-data.ts";
import { element, icon } from "./dom.ts";
import { ICONS } from "./icons.ts";
import { plural } from "./model.ts";
import { problemList } from "./post-parts.ts";

const GONE = "plancast preview --serve has stopped, so this page no longer follows your files.";

export function noticeList(data: PreviewData, isGone: boolean): HTMLElement | undefined {
  const notices = [...(isGone ? [{ kind: "alert", text: GONE } as const] : []), ...data.notices].map(
    ({ kind, text }) =>
      element("p", { class: `notice is-${kind}` }, icon(ICONS.warning), element("bdi", {}, text)),
  );
  const all = [...notices, looseProblems(data)].filter((each) => each !== undefined);
  return all.length === 0 ? undefined : element("div", { class: "notices" }, ...all);
}

/** Problems of no post that is shown: of rows that could not be understood, and of files. */
function looseProblems(data: PreviewData): HTMLElement | undefined {
  const shown = new Set(data.posts.flatMap(({ problems }) => problems));
  const loose = data.problems.filter((_, place) => !shown.has(place));
  if (loose.length === 0) return undefined;
  const hasError = loose.some(({ severity }) => severity === "error");
  return element(
    "details",
    { class: `notice is-${hasError ? "alert" : "note"}`, open: hasError && loose.length <= 5 },
    element(
      "summary",
      {},
      `${plural(loose.length, "problem")} of rows and files that are not shown as posts`,
    ),
    problemList(loose),
  );
}
