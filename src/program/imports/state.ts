import type { CsvKind } from './csv/kinds.facts.ts'
import type { OtherShop } from './csv/presets/state.ts'
import type { UnreadableReason } from './importer/unreadable.ts'
import type { UndoReport } from './undo/state.ts'

export type ImportStateName =
  | 'draft'
  | 'checking'
  | 'checked'
  | 'importing'
  | 'imported'
  | 'failed'
  | 'undoing'
  | 'undone'

/** A column of the file: the field that it fills, or none, and its first values. */
export type ImportColumn = { heading: string; field: string | null; samples: string[] }

export type ImportDefault = { field: string; value: string }

export type ImportFix = { line: number; field: string; value: string }

/** The product of the shop that a name in a file of sales stands for; null: its sales are left out. */
export type ProductMatch = { name: string; product_id: string | null }

/** Something that is wrong with a line, as people mend it. */
export type LineMistake = {
  line: number
  name: string
  field: string | null
  column: string | null
  value: string | null
  reason: string
  message: string
}

/** How a line of the file will look, or looks now. */
export type ExampleLine = { line: number; name: string; action: 'created' | 'changed'; values: Record<string, string> }

export type GroupedWarning = { reason: string; message: string; count: number; lines: number[] }

export type Counts = { created: number; changed: number; unchanged: number; skipped: number; refused: number }

/** What a check or an import has found out. The lists are cut, the counts are exact. */
export type ImportReport = {
  counts: Counts
  mistakes: LineMistake[]
  examples: ExampleLine[]
  warnings: GroupedWarning[]
  notes: string[]
  /** The ids of what was created, for links. */
  created_ids: number[]
  /** Names in a file of sales that no product of the shop has, each once. */
  unmatched: { name: string; count: number }[]
}

/** Why nothing of the file can be imported. */
export type ImportProblem = { reason: UnreadableReason | 'internal'; line: number | null; message: string }

export type ImportState = {
  id: number
  file_name: string
  size: number
  encoding: string
  kind: CsvKind | null
  /** The shop that the file was exported from; null if it is none that is known. */
  exported_from: OtherShop | null
  columns: ImportColumn[]
  defaults: ImportDefault[]
  fixes: ImportFix[]
  left_out: number[]
  matches: ProductMatch[]
  state: ImportStateName
  revision: number
  total: number
  done: number
  report: ImportReport | null
  problem: ImportProblem | null
  /** What undoing the import has done; null if it was not undone. */
  undo: UndoReport | null
  created_at: Date
  updated_at: Date
  imported_at: Date | null
}
