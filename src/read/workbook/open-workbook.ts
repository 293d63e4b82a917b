import { openOds } from "./ods-workbook.ts";
import type { Workbook } from "./workbook.ts";
import {
  damaged,
  macrosNotAllowed,
  passwordNeeded,
  wrongKind,
  type WorkbookFault,
} from "./workbook-fault.ts";
import { openXlsx } from "./xlsx-workbook.ts";
import { ZipParts } from "./zip-parts.ts";

/** The start of a ZIP archive, and of a Compound File, which is what Office wrote before 2007. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
/** The stream of a Compound File in which Office keeps a workbook with a password (MS-OFFCRYPTO 1.3.3). */
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");

const SAVE = "Open it in Excel or LibreOffice and save it as “Excel Workbook (.xlsx)”.";

/** Opens a workbook by what it holds, whatever its name. Throws a WorkbookFault. */
export async function openWorkbook(bytes: Uint8Array): Promise<Workbook> {
  if (!startsWith(bytes, ZIP)) throw notAnArchive(bytes);
  const parts = await ZipParts.open(bytes);
  if (parts.has("xl/vbaProject.bin")) throw macrosNotAllowed("an Excel workbook (.xlsx)");
  if (parts.has("xl/workbook.bin")) throw wrongKind("a binary Excel workbook (.xlsb)", SAVE);
  if (parts.has("[Content_Types].xml")) return openXlsx(parts);
  if (parts.has("content.xml") || parts.has("META-INF/manifest.xml")) return openOds(parts);
  if (parts.has("Index/Document.iwa"))
    throw wrongKind("a Numbers document", "Export it from Numbers to Excel.");
  throw wrongKind("another ZIP archive", SAVE);
}

function notAnArchive(bytes: Uint8Array): WorkbookFault {
  if (bytes.length === 0) return damaged("it is empty");
  if (startsWith(bytes, COMPOUND_FILE)) {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return buffer.includes(ENCRYPTED_PACKAGE)
      ? passwordNeeded()
      : wrongKind("an Excel workbook of before 2007 (.xls)", SAVE);
  }
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1").trimStart();
  if (head.startsWith("version https://git-lfs")) {
    return wrongKind("a pointer of Git LFS", "Run `git lfs pull` to get the file itself.");
  }
  if (/^(?:\u00ef\u00bb\u00bf)?\s*</.test(head)) return wrongKind("a web page or XML", SAVE);
  // oxlint-disable-next-line no-control-regex
  if (/^[^\u0000-\u0008\u000e-\u001f]*$/.test(head)) {
    return wrongKind("plain text", `Give it a name that ends in .csv, or: ${SAVE}`);
  }
  return wrongKind("something else", SAVE);
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}
