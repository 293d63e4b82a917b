/** What `plancast init` says besides its questions. */

/** About an encoding that nobody was asked about. */
export function guessedEncodingText({
  line,
  text,
}: {
  readonly line: number;
  readonly text: string;
}): string {
  return `The file is not UTF-8, so plancast reads it as Windows-1252: line ${line} says "${text}". If accents are wrong, change encoding in plancast.yaml.`;
}

/** About a time zone that nobody chose. @param hasVariable whether it is from the variable TZ */
export function machineZoneText(zone: string, hasVariable: boolean): string {
  const from = hasVariable ? "the variable TZ" : "this machine's settings";
  return `Times are in ${zone}, the time zone from ${from}. If your team uses another one, change timezone in plancast.yaml.`;
}

/** How to go on after errors. @param areOfRows whether no setting is needed */
export function afterErrorsText(areOfRows: boolean): string {
  return areOfRows
    ? "Correct these rows in the calendar, then run plancast validate. To start without them: plancast plan --only-valid."
    : "Correct the calendar, or add the settings that the messages suggest to plancast.yaml. Then run plancast validate.";
}

export const BEFORE_CARRY_LINE = 'If the blank cells mean "as above", add this line to plancast.yaml:';

export const BEFORE_MERGE_DRIVER =
  "If several people apply, run this in each clone, so that git can merge their lockfiles:";

/** The zone comes from a header, and nobody was asked. */
export function headerZoneText({ name, header }: { readonly name: string; readonly header: string }): string {
  return `Times are in ${name}, because the header \`${header}\` says so. If that is wrong, correct the header, and timezone in plancast.yaml.`;
}
