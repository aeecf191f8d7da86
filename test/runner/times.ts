import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type FileTimes = { file: string; wallMs: number; cpuMs: number }

const NAME = 'times.json'
/** Files that took less than this are only counted. */
const SHOWN_MS = 5000

/** Keeps the times of a file in the folder with which a worker has claimed it. */
export function recordTimes(claim: string, times: FileTimes): void {
  writeFileSync(join(claim, NAME), JSON.stringify(times))
}

export function readTimes(claims: string): FileTimes[] {
  const files = readdirSync(claims, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(NAME))
  return files.map((path) => JSON.parse(readFileSync(join(claims, path), 'utf8')) as FileTimes)
}

/** A table of the files that took longest. Processor time is without PostgreSQL, which all files share. */
export function timesTable(times: FileTimes[]): string {
  const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7)
  const row = ({ file, wallMs, cpuMs }: FileTimes) => `${seconds(wallMs)} ${seconds(cpuMs)}  ${file}`
  const sumOf = (file: string, some: FileTimes[]) =>
    row(
      some.reduce((sum, { wallMs, cpuMs }) => ({ file, wallMs: sum.wallMs + wallMs, cpuMs: sum.cpuMs + cpuMs }), {
        file,
        wallMs: 0,
        cpuMs: 0,
      }),
    )
  const isLong = ({ wallMs, cpuMs }: FileTimes) => Math.max(wallMs, cpuMs) >= SHOWN_MS
  const sorted = times.toSorted((one, other) => other.wallMs - one.wallMs)
  const others = sorted.filter((file) => !isLong(file))
  return [
    `Files that took ${SHOWN_MS / 1000} seconds or longer, in seconds:`,
    '   wall     cpu  file',
    ...sorted.filter(isLong).map(row),
    ...(others.length === 0 ? [] : [sumOf(`${others.length} shorter files`, others)]),
    sumOf(`all ${times.length} files`, times),
  ].join('\n')
}
