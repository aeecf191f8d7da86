import { styleText } from 'node:util'
import type { Figure } from './figures.ts'

/** The history of the figures: one line per case and run, in a file that is kept in the repository. */

const COLUMNS = ['ratio', 'cpu_ratio', 'cpu_ms', 'database_ratio', 'database_ms', 'memory_mb'] as const
type Column = (typeof COLUMNS)[number]

/** Where and when something was measured. The kind of machine is empty in lines from before it was written down. */
type Origin = { date: string; commit: string; machine: string }

/** Figures that a case does not have are left out. */
export type Line = Origin & { case: string } & { [name in Column]?: number }

export const HEAD = ['date', 'commit', 'case', ...COLUMNS, 'machine'].join()

export function lineOf(figure: Figure, { section, ...origin }: Origin & { section: string }): Line {
  const { ratio, cpuRatio, cpuMs, databaseRatio, databaseMs, memoryMb } = figure
  const values = [ratio, cpuRatio, cpuMs, databaseRatio, databaseMs, memoryMb]
  const known = COLUMNS.flatMap((name, index) => {
    const value = values[index]
    // A time that is too short to be measured gives a ratio to zero.
    return value === undefined || !Number.isFinite(value) ? [] : [[name, rounded(value)]]
  })
  return { ...origin, case: `${section}/${figure.name}`, ...Object.fromEntries(known) }
}

/** Three digits that mean something. */
function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

export function formatLine(line: Line): string {
  const figures = COLUMNS.map((name) => line[name] ?? '')
  const cells = [line.date, line.commit, line.case, ...figures, line.machine].map(String)
  const wrong = cells.find((cell) => /[,"\n]/.test(cell))
  if (wrong !== undefined) throw new Error(`“${wrong}” cannot be a value in the history`)
  return cells.join()
}

/** Reads the lines of the file. A line that somebody has broken is named, because it would compare with nothing. */
export function parseHistory(text: string): Line[] {
  const [head, ...lines] = text.split('\n').filter((line) => line !== '')
  if (head !== HEAD) throw new Error(`the history begins with “${head}”, not with “${HEAD}”`)
  return lines.map((line, index) => {
    const [date = '', commit = '', name = '', ...cells] = line.split(',')
    const machine = cells.pop() ?? ''
    const numbers = cells.map((cell) => (cell === '' ? undefined : Number(cell)))
    const isWhole = cells.length === COLUMNS.length && !numbers.some(Number.isNaN)
    if (!/^\d{4}-\d\d-\d\d$/.test(date) || !isWhole) throw new Error(`line ${index + 2} of the history: “${line}”`)
    const known = COLUMNS.flatMap((column, position) => {
      const value = numbers[position]
      return value === undefined ? [] : [[column, value]]
    })
    return { date, commit, machine, case: name, ...Object.fromEntries(known) }
  })
}

/** The last line of a case on a kind of machine: a ratio to the floor is another one on another processor. */
export function lastOf(
  lines: readonly Line[],
  { case: name, machine }: Pick<Line, 'case' | 'machine'>,
): Line | undefined {
  return lines.findLast((line) => line.case === name && line.machine === machine)
}

/** How much of its CPU ratio a case may lose before the run says so; and how much memory it may gain. */
const LOSS_MAX = 0.1

export type Change = { text: string; isWorse: boolean }

const percent = (share: number) => `${share < 0 ? '−' : '+'}${Math.round(Math.abs(share) * 100)} %`

/** A case against its last line. */
export function changeOf(before: Line | undefined, now: Line): Change {
  if (before === undefined)
    return { text: `${now.case}: ${figures(now)}, for the first time on such a machine`, isWorse: false }
  const parts: string[] = []
  let isWorse = false
  const compare = (name: Column, what: string, isGainWorse: boolean) => {
    const [then, value] = [before[name], now[name]]
    if (value === undefined) return
    if (then === undefined || then === 0) return void parts.push(`${what} ${value}`)
    const change = value / then - 1
    parts.push(`${what} ${then} → ${value} (${percent(change)})`)
    if (name === 'ratio' || name === 'cpu_ms') return
    // A value of exactly nine tenths has not lost more than a tenth.
    if ((isGainWorse ? change : -change) > LOSS_MAX + 1e-9) isWorse = true
  }
  compare('ratio', 'ratio', false)
  if (now.cpu_ratio === undefined) compare('cpu_ms', 'CPU ms', true)
  else compare('cpu_ratio', 'CPU ratio', false)
  compare('memory_mb', 'MB', true)
  const since = `since ${before.commit} (${before.date})`
  return { text: `${now.case}: ${parts.join(', ') || 'no figure'} ${since}${isWorse ? ' WORSE' : ''}`, isWorse }
}

function figures(line: Line): string {
  const known = COLUMNS.filter((name) => line[name] !== undefined)
  return known.map((name) => `${name} ${line[name]}`).join(', ') || 'no figure'
}

/** In red on a terminal, and with the word alone elsewhere. */
export function shown({ text, isWorse }: Change): string {
  return isWorse ? styleText('red', text) : text
}
