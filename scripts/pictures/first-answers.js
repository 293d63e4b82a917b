/** What the reader of docs/write/first-calendar.md types at each prompt of `plancast init`. "" is Enter. */
export const ANSWERS = ["", "1 Paris, 2 10:00", ""];
