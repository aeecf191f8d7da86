import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cost } from './cost.ts'
import type { FuzzRequest, Group } from './group.ts'
import { type MemorySample, memoryInWords } from './memory.ts'

const RESULTS = join(import.meta.dirname, 'results')

/** `requests`: how many have to be sent to come to the one that is wrong. */
export type Violation = { what: string; request?: FuzzRequest; group?: string; requests: number }

/** What became of the requests of a group. `proved`: after how many requests of the run a proof was last seen. */
export type Tally = { requests: number; statuses: Map<number, number>; proved: Map<string, number> }

export type Results = {
  seed: number
  requests: number
  tallies: Map<Group, Tally>
  slowest: Cost[]
  cpuMs: number
  seconds: number
  memory: MemorySample[]
  violations: Violation[]
}

const SHOWN = 160
/** So few requests of a group come to its first proof, and not always to all of them. */
const ALL_PROOFS_FROM = 200
/** The rarest proof is due every few thousand requests, but a rate limit can hold it back for some time. */
const PROOF_EVERY = 60_000

export function inOneLine({ method, path, body }: FuzzRequest): string {
  const size = body === undefined ? '' : `, body of ${body.length} bytes: ${body.subarray(0, SHOWN).toString()}`
  return `${method} ${path.slice(0, SHOWN)}${size}`.replaceAll(/[^\x20-\x7e]/g, '?')
}

/** A run that has not looked fails like one that has found something. */
export function gapsIn(tallies: ReadonlyMap<Group, Tally>, requests: number): Violation[] {
  if (tallies.size === 0 || requests === 0) return [{ what: 'nothing was sent', requests }]
  return [...tallies].flatMap(([{ name, proofs }, tally]) => {
    if (tally.requests === 0) return [{ what: `${name}: no request was sent`, requests }]
    const names = Object.keys(proofs)
    return (tally.requests < ALL_PROOFS_FROM ? names.slice(0, 1) : names).flatMap((proof) => {
      const last = tally.proved.get(proof)
      if (last === undefined) return [{ what: `${name}: it never happened that ${proof}`, requests }]
      // A token or a session that has stopped working would leave the rest of the run without any effect.
      if (requests - last <= PROOF_EVERY) return []
      return [{ what: `${name}: after ${last} requests it did not happen any more that ${proof}`, requests }]
    })
  })
}

/** Writes a request so that it can be read as it was; the body is in base64, because it may be no text. */
export async function save(seed: number, index: number, { what, request }: Violation): Promise<string> {
  await mkdir(RESULTS, { recursive: true })
  const file = join(RESULTS, `${seed}-${index}.json`)
  const sent = request === undefined ? undefined : { ...request, body: request.body?.toString('base64') }
  await writeFile(file, `${JSON.stringify({ what, request: sent }, null, 2)}\n`)
  return file
}

/** A violation, and how to come to it again. */
export function inWords(seed: number, { what, request, group, requests }: Violation): string {
  return [
    `${group === undefined ? '' : `${group}: `}${what.slice(0, 600)}`,
    ...(request === undefined ? [] : [`  ${inOneLine(request)}`]),
    `  seed ${seed}, repeat with: npm run fuzz -- --seed ${seed} --requests ${requests}`,
  ].join('\n')
}

function tallyLine([{ name }, { requests, statuses }]: [Group, Tally]): string {
  const counts = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`)
  return `  ${name.padEnd(18)}${String(requests).padStart(7)}  ${counts.join('  ')}`
}

export function report({ tallies, slowest, violations, ...results }: Results): string {
  const costs = slowest.map(({ request, cpuMs }) => `  ${cpuMs.toFixed(0).padStart(5)} ms  ${inOneLine(request)}`)
  const { requests, seed, seconds, cpuMs, memory } = results
  return [
    `${requests} requests of seed ${seed} in ${seconds.toFixed(0)} s, ${(cpuMs / requests).toFixed(2)} ms of CPU of the service each.`,
    'Requests and their answers by status:',
    ...[...tallies].map(tallyLine),
    'Requests of the slowest batches, sent again alone, by CPU time:',
    ...(costs.length === 0 ? ['  none'] : costs),
    memoryInWords(memory),
    violations.length === 0 ? 'No violation.' : `${violations.length} violations.`,
  ].join('\n')
}
