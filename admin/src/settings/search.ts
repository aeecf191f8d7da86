import { idIn, type Span, spanIn, wordsIn } from '../ui/lists/pages.ts'

export type ActivitySearch = Span & { action?: string; user?: number; from?: string; until?: string }

const dayIn = (value: unknown) => (/^\d{4}-\d\d-\d\d$/.test(wordsIn(value)) ? wordsIn(value) : undefined)

/** Reads from the address which entries of the audit log are shown. */
export function readActivitySearch(search: Record<string, unknown>): ActivitySearch {
  const action = wordsIn(search.action) || undefined
  const [user, from, until] = [idIn(search.user), dayIn(search.from), dayIn(search.until)]
  return {
    ...(action === undefined ? {} : { action }),
    ...(user === undefined ? {} : { user }),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
    ...spanIn(search),
  }
}

/** The field of the company data that somebody was sent to. */
export type CompanySearch = { field?: string }

export function readCompanySearch({ field }: Record<string, unknown>): CompanySearch {
  return typeof field === 'string' && /^[a-z_]{1,40}$/.test(field) ? { field } : {}
}
