/** Which month is shown, and how. */
import { monthTitle, plusMonths } from "./days.ts";
import { element, icon } from "./dom.ts";
import { ICONS } from "./icons.ts";

export type View = "month" | "list";

interface BarActions {
  readonly goToMonth: (month: string) => void;
  readonly goToToday: () => void;
  readonly show: (view: View) => void;
}

export function monthBar(
  month: string,
  view: View,
  { goToMonth, goToToday, show }: BarActions,
): HTMLElement[] {
  const step = (label: string, path: string, by: number): HTMLElement =>
    element(
      "button",
      {
        class: "button square",
        type: "button",
        "aria-label": label,
        onclick: () => goToMonth(plusMonths(month, by)),
      },
      icon(path),
    );
  const tab = (name: View, label: string, path: string): HTMLElement =>
    element(
      "button",
      { class: "tab", type: "button", "aria-pressed": String(view === name), onclick: () => show(name) },
      icon(path),
      label,
    );
  return [
    element("h2", { class: "month-title" }, monthTitle(month)),
    element(
      "div",
      { class: "steps" },
      step("Previous month", ICONS.left, -1),
      element("button", { class: "button", type: "button", onclick: goToToday }, "Today"),
      step("Next month", ICONS.right, 1),
    ),
    element(
      "div",
      { class: "tabs", role: "group", "aria-label": "View" },
      tab("month", "Month", ICONS.grid),
      tab("list", "List", ICONS.list),
    ),
  ];
}
