/** What is said of some fields, without those of which nothing is. */
export function definedFields<Fields extends object>(fields: Fields): Fields {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fewer of the same fields
  return Object.fromEntries(said) as Fields;
}

/** A part of a shape; no part at all where nothing is said in it. */
export function withFields<Name extends string, Fields extends object>(
  name: Name,
  fields: Fields,
): Partial<Record<Name, Fields>> {
  const said = definedFields(fields);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one name, one part
  return Object.keys(said).length === 0 ? {} : ({ [name]: said } as Record<Name, Fields>);
}
