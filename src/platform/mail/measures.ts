import { sql } from 'kysely'
import { readNumbers } from '../db/numbers.ts'
import type { Measures } from '../log/measures.ts'
import { SENDING_KINDS } from './queue.ts'

const KINDS = SENDING_KINDS.map(({ name }) => name)

const counted = (kinds: readonly string[]) => sql`select
      (select count(*) from jobs where kind = any(${kinds}::text[]) and failed_at is null) as waiting,
      (select count(*) from mails where failed_at is not null) as failed`

export const mailMeasures: Measures = {
  gauges: {
    licet_mails_waiting: { help: 'Mails that are still to be sent.' },
    licet_mails_failed: { help: 'Mails that could not be sent, of the last 30 days.' },
  },
  async read(db) {
    const [row] = await readNumbers(db, counted(KINDS))
    return [
      { name: 'licet_mails_waiting', value: row?.number('waiting') ?? 0 },
      { name: 'licet_mails_failed', value: row?.number('failed') ?? 0 },
    ]
  },
}
