import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import pg from 'pg'

/** Counts the characters of the values that statements send to the database. */
export function useSentValues() {
  const { query } = pg.Client.prototype
  let characters = 0
  before(() => {
    pg.Client.prototype.query = function count(this: pg.Client, statement: { values?: unknown[] }, ...rest: unknown[]) {
      characters += JSON.stringify(statement.values ?? []).length
      return Reflect.apply(query, this, [statement, ...rest])
    } as typeof query
  })
  after(() => {
    pg.Client.prototype.query = query
  })

  return async function sentFor(work: () => Promise<unknown>): Promise<number> {
    const start = characters
    await work()
    assert.ok(characters > start, 'nothing was sent, or it was not counted')
    return characters - start
  }
}
