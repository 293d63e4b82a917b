/** Replaces a text in all cells of a workbook that hold it. */
export function editWorkbook(path: string, before: string, after: string): void;
