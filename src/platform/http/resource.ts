import type { Db } from '../db/database.ts'
import type { Vault } from '../vault.ts'

/** What a resource's routes are given. */
export type ResourceOptions = {
  /** For reads: single statements that change nothing. Changes get their transaction from `app.write`. */
  db: Db
  /** The time of a change, in whole seconds. */
  now: () => Date
}

/** What the routes of pages are given. */
export type PageResourceOptions = ResourceOptions & { vault: Vault }
