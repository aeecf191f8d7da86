import { wordsIn } from '../ui/lists/pages.ts'
import { oneIn } from '../ui/lists/views.ts'

/** Whose licenses are listed: all, those of the company, or those that come with the service. */
export const VIEWS = ['all', 'own', 'general', 'unused'] as const
export type ViewName = (typeof VIEWS)[number]

export type LicensesSearch = { view?: Exclude<ViewName, 'all'>; q?: string }

/** Reads from the address which licenses are shown. */
export function readLicensesSearch({ view, q }: Record<string, unknown>): LicensesSearch {
  const words = wordsIn(q)
  const named = oneIn(VIEWS, view)
  return { ...(named === undefined || named === 'all' ? {} : { view: named }), ...(words === '' ? {} : { q: words }) }
}

/** The two licenses that are compared, by their ids. */
export type CompareSearch = { one?: number; other?: number }

export function readCompareSearch({ one, other }: Record<string, unknown>): CompareSearch {
  const [first, second] = [Number(one), Number(other)]
  const isId = (id: number) => Number.isSafeInteger(id) && id > 0
  return { ...(isId(first) ? { one: first } : {}), ...(isId(second) ? { other: second } : {}) }
}

/** A new license may begin as a copy of another one. */
export type NewLicenseSearch = { from?: number }

export function readNewLicenseSearch({ from }: Record<string, unknown>): NewLicenseSearch {
  const id = Number(from)
  return Number.isSafeInteger(id) && id > 0 ? { from: id } : {}
}
