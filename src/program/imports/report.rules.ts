import type { Entry } from './importer/entries.ts'
import type { Report, Result } from './importer/run.ts'
import type { Counts, ExampleLine, GroupedWarning, ImportReport, LineMistake } from './state.ts'

const MISTAKES_MAX = 500
const EXAMPLES_MAX = 5
const NOTES_MAX = 50
const IDS_MAX = 50
const UNMATCHED_MAX = 200
const LINES_MAX = 8
const VALUE_MAX = 500

/** The line of an entry: `line 4`. */
function lineOf(where: string): number {
  return Number(/\d+/.exec(where)?.[0] ?? 0)
}

function cut(text: string): string {
  return text.length <= VALUE_MAX ? text : `${text.slice(0, VALUE_MAX - 1).toWellFormed()}…`
}

/** What people want to know of a report, with lists that are cut. `seen` are the first entries of the file. */
export function summarize({ results, notes, warnings }: Report, seen: ReadonlyMap<string, Entry>): ImportReport {
  return {
    counts: countsOf(results),
    mistakes: results
      .flatMap((result) => (result.action === 'refused' ? mistakesOf(result) : []))
      .slice(0, MISTAKES_MAX),
    examples: [...examplesOf(results, seen, 'created'), ...examplesOf(results, seen, 'changed')],
    warnings: [...grouped(warnings), ...groupedSkips(results)],
    // The first note names columns, which the import shows anyway.
    notes: notes.filter((note) => note.startsWith('line ')).slice(0, NOTES_MAX),
    unmatched: unmatchedIn(results),
    created_ids: results.flatMap((result) => (result.action === 'created' ? result.id : [])).slice(0, IDS_MAX),
  }
}

function countsOf(results: readonly Result[]): Counts {
  const counts = { created: 0, changed: 0, unchanged: 0, skipped: 0, refused: 0 }
  for (const { action } of results) counts[action] += 1
  return counts
}

function mistakesOf({ where, name, faults }: Extract<Result, { action: 'refused' }>): LineMistake[] {
  // A title is a field of the product and of its texts: people mend it once.
  const places = new Map(faults.map((fault) => [`${fault.line} ${fault.field} ${fault.reason}`, fault]))
  return [...places.values()].map(({ line, field, column, value, reason, message }) => ({
    line: line ?? lineOf(where),
    name: cut(name),
    field: field ?? null,
    column: column ?? null,
    value: value === undefined ? null : cut(value),
    reason,
    message: cut(message),
  }))
}

function examplesOf(
  results: readonly Result[],
  seen: ReadonlyMap<string, Entry>,
  action: 'created' | 'changed',
): ExampleLine[] {
  return results
    .filter((result) => result.action === action && seen.has(result.where))
    .slice(0, EXAMPLES_MAX)
    .map(({ where, name }) => {
      const values = Object.entries(seen.get(where)?.values?.() ?? {})
      return {
        line: lineOf(where),
        name: cut(name),
        action,
        values: Object.fromEntries(values.map(([field, value]) => [field, cut(value)])),
      }
    })
}

/** What no product of the shop is called like, most sold first. */
function unmatchedIn(results: readonly Result[]): ImportReport['unmatched'] {
  const counts = new Map<string, number>()
  for (const result of results) {
    if (result.action !== 'refused') continue
    const fault = result.faults.find(({ reason }) => reason === 'sale_product_unknown')
    if (fault?.value !== undefined) counts.set(fault.value, (counts.get(fault.value) ?? 0) + 1)
  }
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count)
    .slice(0, UNMATCHED_MAX)
}

/** Entries that nothing is imported of, by why. */
function groupedSkips(results: readonly Result[]): GroupedWarning[] {
  const skipped = results.flatMap((result) =>
    result.action === 'skipped'
      ? result.faults.map(({ reason, message }) => ({ where: result.where, reason, message }))
      : [],
  )
  return grouped(skipped.map((skip) => ({ ...skip, field: '' })))
}

function grouped(warnings: Report['warnings']): GroupedWarning[] {
  return [...Map.groupBy(warnings, ({ message }) => message)].map(([message, alike]) => ({
    reason: alike[0]?.reason ?? '',
    message,
    count: alike.length,
    lines: alike.slice(0, LINES_MAX).map(({ where }) => lineOf(where)),
  }))
}
