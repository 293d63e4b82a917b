/** One answer for each question. */
export const ANSWERS: readonly string[];
