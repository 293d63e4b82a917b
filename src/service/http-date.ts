/** Ms since the epoch of a date as HTTP has it (RFC 9110, section 5.6.7); undefined for anything else. */
export function httpDate(text: string | undefined): number | undefined {
  // Date.parse takes far more for a date, such as `-7`.
  if (text === undefined || !/^\s*[A-Za-z]{3,9},? /.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}
