import { FieldReport } from '#platform/errors/problem.ts'
import type { Choices } from './csv/edits.ts'
import type { CsvKind } from './csv/kinds.facts.ts'
import { knownFields, presetOf, whyLeft } from './csv/presets/rules.ts'
import type { OtherShop, Why } from './csv/presets/state.ts'
import { COLUMNS, fieldOf } from './csv/source.ts'
import { importColumnUnknown, importFieldTwice, importFieldUnknown } from './errors.ts'
import type { ImportInput } from './schema.ts'
import type { ImportColumn, ImportFix, ImportState } from './state.ts'

/** The fields that columns of a kind can fill. */
export function fieldsOf(kind: CsvKind | null): string[] {
  return kind === null ? [] : Object.keys(COLUMNS[kind])
}

/** The fields that columns fill by their names, in a file of our own or in the export of another shop. */
export function withKnownFields(
  columns: readonly ImportColumn[],
  kind: CsvKind | null,
  shop: OtherShop | null,
): ImportColumn[] {
  const headings = headingsOf(columns)
  const byName = (heading: string) => (kind === null ? undefined : fieldOf(COLUMNS[kind], heading))
  const fields = knownFields(presetOf(shop, kind, headings), headings, byName)
  return columns.map((column) => ({ ...column, field: fields.get(column.heading) ?? null }))
}

const headingsOf = (columns: readonly ImportColumn[]) => columns.map(({ heading }) => heading)

/** The columns with why those cannot be taken over that fill no field. */
export function withReasons({
  columns,
  kind,
  exported_from,
}: Pick<ImportState, 'columns' | 'kind' | 'exported_from'>): (ImportColumn & { why: Why | null })[] {
  const preset = presetOf(exported_from, kind, headingsOf(columns))
  return columns.map((column) => ({ ...column, why: column.field === null ? whyLeft(preset, column.heading) : null }))
}

type Decisions = Pick<ImportState, 'kind' | 'exported_from' | 'columns' | 'defaults' | 'fixes' | 'left_out' | 'matches'>

/** The import after a change of what was decided about it. Another kind begins with the fields by their names. */
export function decide(before: Decisions, input: ImportInput): Decisions {
  const report = new FieldReport()
  const kind = input.kind ?? before.kind
  const exported_from = input.exported_from === undefined ? before.exported_from : input.exported_from
  const isOther = kind !== before.kind || exported_from !== before.exported_from
  const known = isOther ? withKnownFields(before.columns, kind, exported_from) : before.columns
  const columns = input.columns === undefined ? known : withFields(known, input.columns, kind, report)
  const fixes = input.fixes ?? (isOther ? [] : before.fixes)
  const defaults = input.defaults ?? (isOther ? [] : before.defaults)
  const fields = new Set(fieldsOf(kind))
  for (const [index, { field }] of defaults.entries())
    if (!fields.has(field)) report.add(`defaults[${index}].field`, importFieldUnknown(kind ?? 'the file'))
  for (const [index, { field }] of fixes.entries())
    if (!fields.has(field)) report.add(`fixes[${index}].field`, importFieldUnknown(kind ?? 'the file'))
  report.throwIfAny()
  return {
    kind,
    exported_from,
    columns,
    defaults: [...new Map(defaults.map((each) => [each.field, each])).values()],
    fixes: lastOfEach(fixes),
    left_out: [...new Set(input.left_out ?? before.left_out)],
    matches: input.matches === undefined ? before.matches : lastMatches(input.matches),
  }
}

function withFields(
  columns: readonly ImportColumn[],
  chosen: NonNullable<ImportInput['columns']>,
  kind: CsvKind | null,
  report: FieldReport,
): ImportColumn[] {
  const fields = new Set(fieldsOf(kind))
  const wanted = new Map(chosen.map(({ heading, field }) => [heading, field || null]))
  const after = columns.map((column) => ({
    ...column,
    field: wanted.get(column.heading) ?? (wanted.has(column.heading) ? null : column.field),
  }))
  for (const [index, { heading, field }] of chosen.entries()) {
    const path = `columns[${index}]`
    if (!columns.some((column) => column.heading === heading)) report.add(`${path}.heading`, importColumnUnknown())
    else if (field && !fields.has(field)) report.add(`${path}.field`, importFieldUnknown(kind ?? 'the file'))
    else if (field && after.filter((column) => column.field === field).length > 1)
      report.add(`${path}.field`, importFieldTwice())
  }
  return after
}

/** The last product for each name counts. */
function lastMatches(matches: ImportState['matches']): ImportState['matches'] {
  return [...new Map(matches.map((match) => [match.name, match])).values()]
}

/** The last value for each field of a line counts. */
function lastOfEach(fixes: readonly ImportFix[]): ImportFix[] {
  return [...new Map(fixes.map((fix) => [`${fix.line} ${fix.field}`, fix])).values()]
}

export const UNDO_MS = 86_400_000

/** People of the newsletter and of groups are told at once, which nothing can take back. */
const UNDOABLE: ReadonlySet<CsvKind> = new Set(['products', 'customers', 'prices', 'sales', 'redemption_codes'])

/** Until when an import can be undone; null if it was not imported, or is of people who were told. */
export function undoUntil({ kind, imported_at }: Pick<ImportState, 'kind' | 'imported_at'>): Date | null {
  if (imported_at === null || kind === null || !UNDOABLE.has(kind)) return null
  return new Date(imported_at.getTime() + UNDO_MS)
}

export function mayUndo(file: Pick<ImportState, 'kind' | 'state' | 'imported_at'>, now: Date): boolean {
  const until = undoUntil(file)
  return file.state === 'imported' && until !== null && now < until
}

/** What was decided, as the reader of the file takes it. */
export function choicesOf({
  columns,
  defaults,
  fixes,
  left_out,
  matches,
}: Pick<Decisions, 'columns' | 'defaults' | 'fixes' | 'left_out' | 'matches'>): Choices {
  const values = new Map<number, Record<string, string>>()
  for (const { line, field, value } of fixes) values.set(line, { ...values.get(line), [field]: value })
  const filled = defaults.filter(({ value }) => value.trim() !== '')
  return {
    fields: new Map(columns.map(({ heading, field }) => [heading, field])),
    defaults: new Map(filled.map(({ field, value }) => [field, value.trim()])),
    values,
    leftOut: new Set(left_out),
    matches: new Map(matches.map(({ name, product_id }) => [name, product_id])),
  }
}
