/** A part of a shape, without the fields that say nothing; no part at all where none says anything. */
export function withFields<Name extends string, Fields extends object>(
  name: Name,
  fields: Fields,
): Partial<Record<Name, Fields>> {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fewer of the same fields
  return said.length === 0 ? {} : ({ [name]: Object.fromEntries(said) } as Record<Name, Fields>);
}
