/** What the reader of docs/write/first-calendar.md types: one answer for each question of `plancast init`. "" is Enter. */
export const ANSWERS = ["Paris", "", "", "2", ""];
