import { KINDS, type Kind } from '#program/imports/importer/entries.ts'
import type { Report, Result } from '#program/imports/importer/run.ts'
import { table } from './terminal/table.ts'

const FAULTS_MAX = 50
const LINES_MAX = 200
const RANGES_MAX = 8
const PLACES_MAX = 8

type Counts = { created: number[]; changed: number[]; unchanged: number[] }

/** The ids of a report by list and by what became of them. */
export function idsOf({ results }: Report): Partial<Record<Kind, Counts>> {
  const lists: Partial<Record<Kind, Counts>> = {}
  for (const result of results) {
    lists[result.kind] ??= { created: [], changed: [], unchanged: [] }
    if ('id' in result) lists[result.kind]?.[result.action].push(result.id)
  }
  return lists
}

/** The whole report for programs. Things that were not kept have no ids. */
export function asJson(report: Report, { dryRun }: { dryRun: boolean }): object {
  const { results, notes, warnings } = report
  const imported = !dryRun && refusedOf(report).length === 0
  const entries = results.map((result) => {
    if ('faults' in result) return { ...result, faults: result.faults.map(({ message }) => message) }
    if (imported || result.action !== 'created') return result
    const { id: _id, ...rest } = result
    return rest
  })
  return { dry_run: dryRun, imported, ...(imported ? { ids: idsOf(report) } : {}), entries, notes, warnings }
}

/** Ids that follow each other are written as a range: `1000-1019, 1031`. */
export function inRanges(ids: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const id of ids.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === id - 1) last[1] = id
    else ranges.push([id, id])
  }
  const texts = ranges.slice(0, RANGES_MAX).map(([from, to]) => (from === to ? String(from) : `${from}-${to}`))
  return ranges.length > RANGES_MAX ? `${texts.join(', ')}, …` : texts.join(', ')
}

/** How much of each list was created, changed and left as it is, with the ids of what is new or different. */
export function summary(report: Report, isKept = true): string {
  const lists = idsOf(report)
  const rows = KINDS.flatMap((kind) => (lists[kind] === undefined ? [] : [{ kind, ...lists[kind] }]))
  return table(rows, 'The file is empty.', {
    List: ({ kind }) => kind,
    Created: ({ created }) => created.length,
    Changed: ({ changed }) => changed.length,
    Unchanged: ({ unchanged }) => unchanged.length,
    Ids: ({ created, changed }) => inRanges(isKept ? [...created, ...changed] : changed),
  })
}

export function refusedOf({ results }: Report) {
  return results.filter((result) => result.action === 'refused')
}

/** One line for each mistake, and the number of those that are left out. */
export function faultLines(report: Report): string[] {
  const all = refusedOf(report).flatMap(({ where, faults }) => faults.map(({ message }) => `${where}: ${message}.`))
  const shown = all.slice(0, FAULTS_MAX)
  return all.length > shown.length ? [...shown, `… and ${all.length - shown.length} more.`] : shown
}

/** One line for each kind of warning, with where the first of them are. */
export function warningLines({ warnings }: Report): string[] {
  return [...Map.groupBy(warnings, ({ message }) => message)].map(([message, alike]) => {
    const places = alike.slice(0, PLACES_MAX).map(({ where }) => where)
    const more = alike.length > places.length ? `, and ${alike.length - places.length} more` : ''
    return `${message} (${places.join(', ')}${more})`
  })
}

const ACTIONS: Record<Result['action'], string> = {
  created: 'create',
  changed: 'change',
  unchanged: 'leave as it is',
  skipped: 'skip',
  refused: 'refuse',
}

/** The action that an import would take for each entry. */
export function plan({ results }: Report): string {
  // A reader of a long list looks for the refusals.
  const ordered = [
    ...results.filter(({ action }) => action === 'refused'),
    ...results.filter(({ action }) => action !== 'refused'),
  ]
  const lines = table(ordered.slice(0, LINES_MAX), 'The file is empty.', {
    Where: ({ where }) => where,
    Would: ({ action }) => ACTIONS[action],
    Name: ({ name }) => (name.length > 40 ? `${name.slice(0, 39)}…` : name),
    Why: (result) => ('faults' in result ? result.faults.map(({ message }) => message).join('; ') : ''),
  })
  return results.length > LINES_MAX ? `${lines}\n… and ${results.length - LINES_MAX} more; --json lists all.` : lines
}
