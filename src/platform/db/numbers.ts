import type { RawBuilder } from 'kysely'
import type { Db } from './database.ts'

/** A row of numbers and words. */
export type Numbers = { number(name: string): number; word(name: string): string }

/** Reads rows of numbers and words. They are checked as they are read, so that no type has to promise what they are. */
export async function readNumbers(db: Db, query: RawBuilder<unknown>): Promise<Numbers[]> {
  const { rows } = await query.execute(db)
  return rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row ?? {}))
    return {
      number(name) {
        const value = values.get(name)
        if (typeof value !== 'number') throw new TypeError(`${name} is no number`)
        return value
      },
      word: (name) => String(values.get(name) ?? ''),
    }
  })
}
