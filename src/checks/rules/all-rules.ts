/** The table of rules: what networks would refuse or cut, each with a severity that the project can set. */

import { catalogueWith } from "../../problems/catalogue.ts";
import {
  altMissing,
  altTooLong,
  brokenMedia,
  mediaInThread,
  mediaMissing,
  mixedMedia,
  mediaTooLarge,
  tooManyMedia,
  tooSmall,
  unsupportedType,
  videoTooLong,
  wrongDimensions,
  wrongRatio,
} from "./media-rules.ts";
import { damageRules } from "./damaged-rules.ts";
import { inQuietHours, onHoliday, repeatedText, sameMinute, slotWithoutId } from "./time-rules.ts";
import { notApproved } from "./approval-rules.ts";
import { mediaCover, optionTooLong, optionType, optionUnsupported, storyText } from "./option-rules.ts";
import type { Rule } from "./rule.ts";
import {
  brokenLinks,
  markdownLinks,
  references,
  numberedParts,
  textTooLong,
  tooManyHashtags,
  tooManyLinks,
  unknownVariable,
} from "./text-rules.ts";
import { pollFits } from "./poll-rules.ts";
import { placeholderText, unfinishedText } from "./unfinished-rules.ts";

/** Listed in the order of docs/write/rules.md. To add a rule, write its object in a file of this folder, and list it here. */
export const ALL_RULES: readonly Rule[] = [
  textTooLong,
  tooManyHashtags,
  tooManyLinks,
  brokenLinks,
  markdownLinks,
  references,
  pollFits,
  unknownVariable,
  numberedParts,
  placeholderText,
  unfinishedText,
  ...damageRules,
  mediaMissing,
  mediaInThread,
  tooManyMedia,
  mixedMedia,
  unsupportedType,
  mediaTooLarge,
  tooSmall,
  wrongDimensions,
  wrongRatio,
  videoTooLong,
  brokenMedia,
  altTooLong,
  altMissing,
  sameMinute,
  repeatedText,
  inQuietHours,
  onHoliday,
  slotWithoutId,
  notApproved,
  optionUnsupported,
  optionTooLong,
  optionType,
  storyText,
  mediaCover,
];

/** Every code that plancast prints, including the codes of the rules, in the order of docs/reference/problems.md. */
export const ALL_CODES = catalogueWith(Object.fromEntries(ALL_RULES.map((rule) => [rule.code, rule])));
