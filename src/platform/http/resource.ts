import type { Db } from '../db/database.ts'

/** What a resource's routes are given. */
export type ResourceOptions = {
  /** For reads: single statements that change nothing. Changes get their transaction from `app.write`. */
  db: Db
  /** The time of a change, in whole seconds. */
  now: () => Date
}
