import { parseTime } from '#platform/wire/times.ts'
import type { Entry, Skip } from '../importer/entries.ts'
import type { Row } from './file.ts'
import { type Columns, createPlaces, RowReader, withoutAbsent } from './values.ts'

/** The columns of a code that was printed elsewhere, and of our own export, as `columnName` writes them. */
export const CODE_COLUMNS: Columns = {
  code: ['code', 'redemptioncode', 'vouchercode'],
  product: ['product', 'productname', 'title'],
  product_id: ['productid'],
  license: ['license', 'licensetitle'],
  uses: ['uses'],
  remaining: ['remaining'],
  expires_at: ['expiresat', 'expiry', 'expires', 'validuntil'],
  note: ['note'],
  hd: ['hd'],
  audio_type: ['audiotype'],
  num_users: ['numusers'],
  state: ['state'],
}

/** A printed code. One that nobody can redeem any more, as our own export says, is skipped. */
export function codeOf(row: Row): Entry {
  const reader = new RowReader(row, CODE_COLUMNS)
  const why = whyNothing(reader)
  const named = reader.text('product_id') === undefined ? 'product' : 'product_id'
  const value = withoutAbsent({
    code: reader.text('code'),
    product: reader.text('product'),
    product_id: reader.text('product_id'),
    license: reader.text('license'),
    uses: reader.number('remaining') ?? reader.number('uses'),
    expires_at: timeOf(reader),
    note: reader.text('note'),
    hd: reader.flag('hd'),
    audio_type: reader.number('audio_type'),
    num_users: reader.number('num_users'),
  })
  return {
    where: `line ${row.line}`,
    lines: [row.line],
    placeOf: createPlaces(
      reader,
      {},
      {
        license_id: 'license',
        product: named,
        product_id: named,
        chosen_product_id: named,
      },
    ),
    values: () => reader.values(),
    value,
    ...(why === undefined ? { faults: reader.faults } : { skipped: why }),
  }
}

const OVER: Readonly<Record<string, string>> = {
  used_up: 'it was redeemed already',
  expired: 'it has expired',
  revoked: 'it was revoked',
  on_hold: 'its order is not confirmed',
}

function whyNothing(reader: RowReader): Skip | undefined {
  const state = reader.text('remaining') === '0' ? 'used_up' : (reader.text('state')?.toLowerCase() ?? '')
  const message = Object.hasOwn(OVER, state) ? OVER[state] : undefined
  return message === undefined ? undefined : { reason: `code_${state}`, message }
}

/** Until when a code can be redeemed. A day without a time counts whole, as people mean it. */
function timeOf(reader: RowReader): string | undefined {
  const text = reader.text('expires_at')
  if (text === undefined) return undefined
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? []
  const written = year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = parseTime(written)
  if (time === undefined)
    return reader.refuse('expires_at', 'not_a_time', `expires_at: "${text}" is not a day such as 2031-12-31`)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(written)
  return (isDay ? new Date(time.getTime() + 86_400_000) : time).toISOString().slice(0, 19)
}
