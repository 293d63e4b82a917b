/** What a column without a known name may hold. Only the proposal and the block of an error use it. */

import type { ColumnCells, Hint } from "../../model/column-account.ts";
import { statusWord, yesOrNo } from "../../settings/languages/languages.ts";
import {
  additionNamed,
  isAccountName,
  isApproverName,
  namesState,
  speaksOfPublishing,
  suggestedFieldOf,
  textPartNamed,
} from "./column-names.ts";

/** The hint for a column; undefined if nothing shows what it holds. */
export function hintFor({ name, values = [] }: ColumnCells): Hint | undefined {
  const words = values.filter(({ text }) => text !== "");
  const areStatuses = words.some(({ text }) => statusWord(text) !== undefined);
  const areAnswers = words.length > 0 && words.every(({ text }) => yesOrNo(text) !== undefined);
  if (isAccountName(name)) return { target: "ignore", decides: true };
  if (areAnswers && (namesState(name) || speaksOfPublishing(name)))
    return { target: "status:ready", decides: true };
  if (isApproverName(name) || namesState(name) || areStatuses) return { target: "status", decides: true };
  const field = suggestedFieldOf(name);
  if (field !== undefined) return { target: field, decides: ["status", "type", "platforms"].includes(field) };
  if (additionNamed(name) !== undefined || textPartNamed(name) !== undefined)
    return { target: "content+", decides: false };
  return undefined;
}
