import type { Violation } from './report.ts'

/** The memory in use after some requests, without what waits to be collected. */
export type MemorySample = { requests: number; memoryMb: number }

/** What all caches together may hold: pages, reports, texts, and the statements of each connection. */
const CACHES_MB = 128
/** Caches are full by the second half of a long run. What still grows then, grows for ever. */
const SECOND_HALF_MB = 16
const LONG_RUN = 100_000

function isLater(half: number) {
  return ({ requests }: MemorySample) => requests >= half
}

/** What grows in the service that should not. */
export function growthIn(samples: readonly MemorySample[]): Violation[] {
  const [first, last] = [samples.find(isLater(1)), samples.at(-1)]
  if (first === undefined || last === undefined) return []
  const growths = [{ of: 'the run', mb: last.memoryMb - first.memoryMb, allowed: CACHES_MB }]
  const middle = samples.find(isLater(last.requests / 2))
  if (last.requests >= LONG_RUN && middle !== undefined)
    growths.push({ of: 'its second half', mb: last.memoryMb - middle.memoryMb, allowed: SECOND_HALF_MB })
  return growths
    .filter(({ mb, allowed }) => mb > allowed)
    .map(({ of, mb }) => ({ what: `memory has grown by ${mb.toFixed(0)} MB during ${of}`, requests: last.requests }))
}

export function memoryInWords(samples: readonly MemorySample[]): string {
  const parts = samples.map(({ requests, memoryMb }) => `${memoryMb.toFixed(0)} after ${requests}`)
  return `Memory in use, MB: ${parts.join(', ')}.`
}
