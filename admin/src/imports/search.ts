import { oneIn } from '../ui/lists/views.ts'

export const KINDS = [
  'products',
  'customers',
  'prices',
  'sales',
  'redemption_codes',
  'news_recipients',
  'group_members',
  'subscribers',
] as const
export type Kind = (typeof KINDS)[number]

/** The list that each kind fills. */
export const LISTS = {
  products: '/products',
  customers: '/customers',
  prices: '/licenses/prices',
  sales: '/customers',
  redemption_codes: '/discounts/codes',
  news_recipients: '/customers/newsletter',
  group_members: '/customers/members',
  subscribers: '/customers/subscribers',
} as const satisfies Record<Kind, string>

/** Their files look like those of customers: the way to the import says what they are. */
export const isAudience = (kind: Kind): boolean => LISTS[kind].startsWith('/customers/')

/** What somebody came to import, for files that do not tell it. */
export type NewImportSearch = { kind?: Kind }

export function readNewImportSearch(search: Record<string, unknown>): NewImportSearch {
  const kind = oneIn(KINDS, search.kind)
  return kind === undefined ? {} : { kind }
}

export const STEPS = ['columns', 'fix', 'import'] as const
export type Step = (typeof STEPS)[number]

export type ImportSearch = { step?: Step }

export function readImportSearch(search: Record<string, unknown>): ImportSearch {
  const step = oneIn(STEPS, search.step)
  return step === undefined ? {} : { step }
}
