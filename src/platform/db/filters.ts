/** Values of which a caller gives some and leaves the others undefined. */
export type Optional<Values> = { [Name in keyof Values]?: Values[Name] | undefined }

/** How each of the values that a caller can give narrows the rows. */
export type Filters<Rows, Names> = {
  [Name in keyof Names]-?: (rows: Rows, value: Exclude<Names[Name], undefined>) => Rows
}

/** Narrows the rows by the values that are given, in the order of the filters. */
export function narrow<Rows, Names extends object>(rows: Rows, filters: Filters<Rows, Names>, given: Names): Rows {
  const names = Object.keys(filters) as (keyof Names)[]
  return names.reduce((narrowed, name) => applyFilter(narrowed, filters, name, given[name]), rows)
}

function applyFilter<Rows, Names, Name extends keyof Names>(
  rows: Rows,
  filters: Filters<Rows, Names>,
  name: Name,
  value: Names[Name],
): Rows {
  return value === undefined ? rows : filters[name](rows, value as Exclude<Names[Name], undefined>)
}
