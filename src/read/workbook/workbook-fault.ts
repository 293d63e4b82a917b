import type { Code } from "../../calendar/codes.ts";

/** Why a file cannot be read as a workbook, in words for whoever has to mend it. */
export class WorkbookFault extends Error {
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.name = "WorkbookFault";
    this.code = code;
  }
}

/** The file breaks off, or holds what no spreadsheet program writes. `what` is a clause, such as `it ends too soon`. */
export function damaged(what: string): WorkbookFault {
  const message = `The workbook is damaged: ${what}. Get it again from where it came, or open it in a spreadsheet program and save it.`;
  return new WorkbookFault("workbook/damaged", message);
}

/** The file would need more memory than a calendar is worth. `what` is a clause. */
export function tooLarge(what: string): WorkbookFault {
  return new WorkbookFault("calendar/too-large", `The workbook is too large to be a calendar: ${what}.`);
}

/** The workbook asks for a password before it shows anything. */
export function passwordNeeded(): WorkbookFault {
  const message =
    "The workbook is protected with a password, so it cannot be read. Save it without one: in Excel under File, Info, Protect Workbook, Encrypt with Password.";
  return new WorkbookFault("workbook/password", message);
}

/** The workbook holds programs. `format` is that to save it in without them. */
export function macrosNotAllowed(format: string): WorkbookFault {
  const message = `The workbook holds macros, which are programs, and plancast takes no calendar that holds any. Save it as ${format} without macros.`;
  return new WorkbookFault("workbook/macros", message);
}

/** The file is something else than its name says. `what` is a noun, `way` a sentence. */
export function wrongKind(what: string, way: string): WorkbookFault {
  return new WorkbookFault("workbook/kind", `The file is no workbook of this kind but ${what}. ${way}`);
}
