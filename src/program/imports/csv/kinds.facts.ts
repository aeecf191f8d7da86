/** What a CSV file can be about. */
export const CSV_KINDS = [
  'products',
  'customers',
  'prices',
  'sales',
  'redemption_codes',
  'news_recipients',
  'group_members',
  'subscribers',
] as const
export type CsvKind = (typeof CSV_KINDS)[number]
