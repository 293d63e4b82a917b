import type { Encoding } from "../settings/calendar-settings.ts";

/** What a text was read as. `unicode`: it says so by itself. `guess`: nobody says so, but it is certain. */
export type TextEncoding =
  | { readonly name: "utf-8" | "utf-16le" | "utf-16be"; readonly by: "unicode" }
  | { readonly name: Encoding; readonly by: "project" | "guess" };
