/** Why a row that is gone may be in a place that the run does not look at. */
export interface CancelRisks {
  /** Calendars outside the scope that could not be understood: a row that seems gone may have moved there. */
  readonly brokenOthers: readonly string[];
  /** Whether the command line narrows the run to some rows. */
  readonly isFiltered: boolean;
}
