import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { prepare } from '../db/prepared.ts'
import type { Measures } from '../log/measures.ts'
import { SENDING_KINDS } from './queue.ts'

const KINDS = SENDING_KINDS.map(({ name }) => name)

const count = prepare((db: Db, kinds: readonly string[]) =>
  sql<{ waiting: number; failed: number }>`select
      (select count(*) from jobs where kind = any(${kinds}::text[]) and failed_at is null) as waiting,
      (select count(*) from mails where failed_at is not null) as failed`.compile(db),
)

export const mailMeasures: Measures = {
  gauges: {
    licet_mails_waiting: { help: 'Mails that are still to be sent.' },
    licet_mails_failed: { help: 'Mails that could not be sent, of the last 30 days.' },
  },
  async read(db) {
    const [{ waiting, failed } = { waiting: 0, failed: 0 }] = await count(db, KINDS)
    return [
      { name: 'licet_mails_waiting', value: waiting },
      { name: 'licet_mails_failed', value: failed },
    ]
  },
}
