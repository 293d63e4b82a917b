/** Why a text or a picture that a row asks for was not written, as data. report/outcomes has the sentences. */
export type UndraftedReason =
  /** In the words of the service, of a download, or of the calendar that it does not fit. Hostile text. */
  | { readonly kind: "message"; readonly message: string }
  /** `changed-since`: something else is there since it was asked for. `no-row`: no row asks for it any more. */
  | { readonly kind: "changed-since" | "no-row" | "calendar-changed" | "no-picture" | "not-downloaded" }
  | { readonly kind: "no-image"; readonly mime: string }
  | { readonly kind: "names-taken"; readonly stem: string; readonly count: number }
  | { readonly kind: "not-writable"; readonly why: string };

/** What becomes of an answer that could not be written: it waits, or is forgotten, so that the next run may ask again. */
export type AnswerNext = "waits" | "asked-again" | "row-stays";
