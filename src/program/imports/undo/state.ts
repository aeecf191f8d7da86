/** What an import can create or change, in an order in which what frees a thing comes before it. */
export const CHANGE_KINDS = ['products', 'redemption_codes', 'prices', 'categories', 'customers'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** Something that an import has created or changed, as it is written down. */
export type MadeChange = {
  kind: ChangeKind
  thing_id: number
  name: string
  line: number
  /** The former values; null if it is new. */
  before: object | null
  after: object
}

export type Change = MadeChange & { number: number }

/** Why something stays as the import has left it. */
export type KeptReason = 'sold' | 'in_use' | 'changed' | 'refused'

/** What undoing does with a thing, as it is now. */
export type Plan =
  | { action: 'remove' }
  /** `names` are the parts that get their former values, `left` the fields that somebody has changed since. */
  | { action: 'restore'; names: readonly string[]; left: string[] }
  | { action: 'keep'; reason: KeptReason; left: string[] }
  | { action: 'gone' }

export type UndoOutcome = 'removed' | 'restored' | 'kept' | 'gone'

export type KeptLine = { line: number; kind: ChangeKind; name: string; reason: KeptReason; fields: string[] }

/** What undoing an import does, or has done. The list is cut, the counts are exact. */
export type UndoReport = { removed: number; restored: number; kept: number; gone: number; lines: KeptLine[] }
