import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cost } from './cost.ts'
import type { FuzzRequest } from './requests.ts'

const RESULTS = join(import.meta.dirname, 'results')

export type Violation = { what: string; request?: FuzzRequest }

export type Results = {
  seed: number
  requests: number
  statuses: Map<number, number>
  slowest: Cost[]
  cpuMs: number
  seconds: number
  memoryBeforeMb: number
  memoryAfterMb: number
  violations: Violation[]
}

const SHOWN = 160

export function inOneLine({ method, path, body }: FuzzRequest): string {
  const size = body === undefined ? '' : `, body of ${body.length} bytes: ${body.subarray(0, SHOWN).toString()}`
  return `${method} ${path.slice(0, SHOWN)}${size}`.replaceAll(/[^\x20-\x7e]/g, '?')
}

/** Writes a request so that it can be sent again; the body is in base64, because it may be no text. */
export async function save(seed: number, index: number, { what, request }: Violation): Promise<string> {
  await mkdir(RESULTS, { recursive: true })
  const file = join(RESULTS, `${seed}-${index}.json`)
  const sent = request === undefined ? undefined : { ...request, body: request.body?.toString('base64') }
  await writeFile(file, `${JSON.stringify({ what, request: sent }, null, 2)}\n`)
  return file
}

export function report({ statuses, slowest, violations, ...results }: Results): string {
  const counts = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `  ${status}  ${count}`)
  const costs = slowest.map(({ request, cpuMs }) => `  ${cpuMs.toFixed(0).padStart(5)} ms  ${inOneLine(request)}`)
  const { requests, seed, seconds, cpuMs, memoryBeforeMb, memoryAfterMb } = results
  return [
    `${requests} requests of seed ${seed} in ${seconds.toFixed(0)} s, ${(cpuMs / requests).toFixed(2)} ms of CPU each.`,
    'Answers by status:',
    ...counts,
    'Requests of the slowest batches, sent again alone, by CPU time:',
    ...(costs.length === 0 ? ['  none'] : costs),
    `Memory in use: ${memoryBeforeMb.toFixed(0)} MB before, ${memoryAfterMb.toFixed(0)} MB after.`,
    violations.length === 0 ? 'No violation.' : `${violations.length} violations.`,
  ].join('\n')
}
