/** Object.keys for an object that has no keys beyond those of its type, such as a constant. */
export function keysOf<Table extends object>(table: Table): (keyof Table)[] {
  return Object.keys(table) as (keyof Table)[]
}

/** Object.entries for an object that has no keys beyond those of its type, such as a constant. */
export function entriesOf<Table extends object>(table: Table): [keyof Table, Table[keyof Table]][] {
  return Object.entries(table) as [keyof Table, Table[keyof Table]][]
}
