/** How long a text of the page's form would be on each network. */

import { rowId } from "../../calendars/count-rows.ts";
import { PostEdit } from "../../calendars/edit/edit-post.ts";
import { limitsOfProject } from "../../checks/networks/network-names.ts";
import { aliasesOf } from "../../checks/platforms.ts";
import { networkTexts } from "../../checks/texts/network-texts.ts";
import { canonicalContent } from "../../model/canonical.ts";
import { rowMark } from "../../model/row.ts";
import { sameList } from "../../model/text.ts";
import type {
  EditAnswer,
  EditRequest,
  EditedPost,
  Meter,
  PreviewData,
  PreviewPost,
} from "../../preview/preview-data.ts";
import { textMeters } from "../../preview/preview-post.ts";
import type { Calendar } from "../../settings/calendar-settings.ts";
import type { Project } from "../../settings/config.ts";

interface MeasuredIn {
  readonly project: Project;
  readonly calendars: readonly Calendar[];
  readonly data: PreviewData;
}

/** Counts a text as the checks would after an edit, with the project's links and mentions. Undefined for a post that is gone. */
export function measuredText(
  { post: edited, text, platforms }: Extract<EditRequest, { ask: "measure" }>,
  { project: { config }, calendars, data }: MeasuredIn,
): EditAnswer | undefined {
  const mark = rowMark(edited);
  const limitsOf = limitsOfProject(config);
  for (const calendar of calendars) {
    const index = calendar.rows.findIndex((each) => rowMark(each) === mark);
    const row = calendar.rows[index];
    if (row === undefined) continue;
    const post = PostEdit.of(calendar, index, edited.platforms, config)?.post;
    if (post === undefined) continue;
    const values = { campaign: post.campaign, id: rowId(row) };
    // Some limits depend on the media, and an edit does not change these.
    const known = shownPost(edited, data)?.meters.map(({ platform, limit, unit }) => ({
      name: data.platforms[platform]?.name,
      limit,
      unit,
    }));
    const version = networkTexts(calendar.settings, aliasesOf(config));
    const meters = platforms.flatMap((name, platform): Meter[] => {
      const { texts } = version?.({ content: text }, values, name) ?? { texts: { content: text } };
      const limits = limitsOf(name)?.limits;
      const checked = { ...post, content: canonicalContent(texts.content), media: undefined };
      const found = limits === undefined ? [] : textMeters(checked, limits, platform);
      return found.map((meter) => ({
        ...meter,
        limit: known?.find((each) => each.name === name && each.unit === meter.unit)?.limit ?? meter.limit,
      }));
    });
    return { answer: "measured", meters };
  }
  return undefined;
}

/** The post on the page. */
export function shownPost(
  { file, sheet, line, platforms }: Omit<EditedPost, "version">,
  data: PreviewData,
): PreviewPost | undefined {
  return data.posts.find(
    ({ row, platforms: own }) =>
      row?.line === line &&
      row.sheet === sheet &&
      data.editing?.[row.file]?.name === file &&
      sameList(
        own.map((place) => data.platforms[place]?.name ?? ""),
        platforms,
      ),
  );
}
