/** What reading the rows of a calendar depends on: the same for all its rows, so it is made once. */

import { serviceTypeFacts } from "../model/service-interface.ts";
import type { Calendar } from "../settings/calendar-settings.ts";
import { type VersionFor, networkTexts } from "./network-texts.ts";
import { type ProjectOptions, projectOptions } from "./options.ts";
import type { Aliases } from "./networks/network-names.ts";
import { type ReadPlatforms, aliasesOf, platformReader } from "./platforms.ts";
import { type DateOrders, dateOrdersOf } from "./schedule.ts";
import { type SlotsOfNetwork, slotsByNetwork } from "./slots/choose-slots.ts";

/** The networks of a project. */
export interface PlatformNames {
  readonly aliases: Aliases;
  readonly read: ReadPlatforms;
  /** Whether a post of the service is for one account. */
  readonly hasOneAccountPerPost: boolean;
  readonly options: ProjectOptions;
}

export interface CalendarReading extends PlatformNames {
  readonly orders: DateOrders;
  /** The slots of each network; undefined without `slots:`. */
  readonly weekOf: SlotsOfNetwork | undefined;
  /** The texts of each network; undefined if all have the row's. */
  readonly versionFor: VersionFor | undefined;
}

type NameSettings = Parameters<typeof aliasesOf>[0] & Parameters<typeof projectOptions>[0];

export function platformNames(config: NameSettings): PlatformNames {
  const aliases = aliasesOf(config);
  const hasOneAccountPerPost = serviceTypeFacts(config.service?.type)?.hasOneAccountPerPost === true;
  return { aliases, read: platformReader(aliases), hasOneAccountPerPost, options: projectOptions(config) };
}

export function readingOf(calendar: Calendar, names: PlatformNames): CalendarReading {
  const { slots } = calendar.settings;
  return {
    ...names,
    orders: dateOrdersOf(calendar),
    weekOf: slots === undefined ? undefined : slotsByNetwork(slots, names.aliases),
    versionFor: networkTexts(calendar.settings, names.aliases),
  };
}
