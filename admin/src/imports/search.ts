import { oneIn } from '../ui/lists/views.ts'

export const KINDS = ['products', 'customers', 'prices'] as const
export type Kind = (typeof KINDS)[number]

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
