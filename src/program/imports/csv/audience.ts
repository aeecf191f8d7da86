import type { Entry } from '../importer/entries.ts'
import type { Row } from './file.ts'
import { type Columns, createPlaces, RowReader, withoutAbsent } from './values.ts'

const EMAIL = ['email', 'emailaddress']
const GROUP = ['groupid', 'group']

/** The columns of a newsletter recipient, ours and Mailchimp's, as `columnName` writes them. */
export const RECIPIENT_COLUMNS: Columns = {
  email: EMAIL,
  language: ['language'],
  confirmed_at: ['confirmedat', 'confirmtime', 'consentdate'],
  consent_source: ['consentsource'],
  theme_setting_id: ['themesettingid'],
  state: ['state', 'status'],
}

export const MEMBER_COLUMNS: Columns = {
  email: EMAIL,
  group_id: GROUP,
  start_at: ['startat', 'start', 'from'],
  end_at: ['endat', 'end', 'until'],
}

export const SUBSCRIBER_COLUMNS: Columns = {
  email: EMAIL,
  group_id: GROUP,
  ends_at: ['endsat', 'end', 'until'],
}

/** A person in the field names of the API. */
function personOf(row: Row, columns: Columns): Entry {
  const reader = new RowReader(row, columns)
  const fields = Object.keys(columns).map((field) => [field, reader.text(field)])
  return {
    where: `line ${row.line}`,
    lines: [row.line],
    placeOf: createPlaces(reader, {}, {}),
    values: () => reader.values(),
    value: withoutAbsent(Object.fromEntries(fields)),
    faults: reader.faults,
  }
}

export const recipientOf = (row: Row) => personOf(row, RECIPIENT_COLUMNS)
export const memberOf = (row: Row) => personOf(row, MEMBER_COLUMNS)
export const subscriberOf = (row: Row) => personOf(row, SUBSCRIBER_COLUMNS)
