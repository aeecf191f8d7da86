import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type FileTimes = { file: string; wallMs: number; cpuMs: number }

const NAME = 'times.json'
const SHOWN = 10

/** Keeps the times of a file in the folder with which a worker has claimed it. */
export function recordTimes(claim: string, times: FileTimes): void {
  writeFileSync(join(claim, NAME), JSON.stringify(times))
}

export function readTimes(claims: string): FileTimes[] {
  const files = readdirSync(claims, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(NAME))
  return files.map((path) => JSON.parse(readFileSync(join(claims, path), 'utf8')) as FileTimes)
}

/** A table of the files that took longest. Processor time is without PostgreSQL, which all files share. */
export function slowestFiles(times: FileTimes[]): string {
  const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7)
  const row = ({ file, wallMs, cpuMs }: FileTimes) => `${seconds(wallMs)} ${seconds(cpuMs)}  ${file}`
  const sum = { wallMs: 0, cpuMs: 0 }
  for (const { wallMs, cpuMs } of times) {
    sum.wallMs += wallMs
    sum.cpuMs += cpuMs
  }
  return [
    'The files that took longest, in seconds:',
    '   wall     cpu  file',
    ...times
      .toSorted((one, other) => other.wallMs - one.wallMs)
      .slice(0, SHOWN)
      .map(row),
    row({ file: `all ${times.length} files`, ...sum }),
  ].join('\n')
}
