import type { Db } from '../db/database.ts'

/** What a resource's routes are given. */
export type ResourceOptions = {
  db: Db
  /** The time of a change, in whole seconds. */
  now: () => Date
}
