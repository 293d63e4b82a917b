/** Whether an attribute says yes (XML Schema part 2, 3.2.2). */
export function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}
