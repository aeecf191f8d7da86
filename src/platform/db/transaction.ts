import type { Db, Tx } from './database.ts'

const TRIES_MAX = 3

/** Opens the one transaction of a change; a deadlock or a serialisation failure is tried again. */
export async function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const code = (error as { code?: string }).code
      if (attempt === TRIES_MAX || (code !== '40001' && code !== '40P01')) throw error
    }
  }
}
