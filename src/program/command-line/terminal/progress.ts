import type { Terminal } from '../program.ts'

/** Often enough to be seen, and seldom enough to cost nothing. */
const REDRAW_MS = 100
/** A log of a service manager needs no more lines than this. */
const LINE_MS = 5000
/** A guess after less time would be wrong. */
const GUESS_MS = 1000

const number = new Intl.NumberFormat('en')

export type Work = {
  /** What is counted, such as `products`. */
  what: string
  /** Absent while nobody knows: the first report says it. */
  total?: number
  /** With `--json` nobody watches. */
  json?: boolean | undefined
  now?: () => number
}

/** Where a piece of work stands: how much is done, of how much, and how long the rest will take. */
export function progressLine(
  { what, total }: { what: string; total: number },
  done: number,
  elapsedMs: number,
): string {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
  const left = done === 0 || elapsedMs < GUESS_MS ? undefined : (elapsedMs / done) * (total - done)
  const rest = done >= total ? `  ${duration(elapsedMs)}` : left === undefined ? '' : `  ${duration(left)} left`
  return `${number.format(done)} of ${number.format(total)} ${what}  ${percent} %${rest}`
}

/** Whole seconds, or minutes and seconds, or hours and minutes. */
export function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/**
 * Runs a piece of work that reports how much of it is done. In a terminal one line is redrawn; elsewhere lines come
 * every few seconds. Both go to the error output, so that results can be piped.
 */
export async function withProgress<Result>(
  terminal: Pick<Terminal, 'err' | 'redraw'>,
  { what, total: known, json, now = Date.now }: Work,
  work: (report: (done: number, total?: number) => void) => Promise<Result>,
): Promise<Result> {
  if (json === true || known === 0) return work(() => {})
  const { redraw, err } = terminal
  const started = now()
  let [last, done, total] = [started, 0, known]
  const draw = (isLast: boolean) => {
    if (total === undefined) return
    const line = progressLine({ what, total }, done, now() - started)
    if (redraw !== undefined) redraw(line, isLast ? 'last' : undefined)
    // Work that was done before its first line needs no last one.
    else if (!isLast || last !== started) err(line)
  }
  if (redraw !== undefined) draw(false)
  try {
    const result = await work((count, all = total) => {
      done = count
      total = all
      if (now() - last < (redraw === undefined ? LINE_MS : REDRAW_MS)) return
      last = now()
      draw(false)
    })
    draw(true)
    return result
  } catch (error) {
    // The line stays, so that the reader sees how far it came.
    if (redraw !== undefined) draw(true)
    throw error
  }
}
