import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { arch, availableParallelism, cpus } from 'node:os'

/** The core of the process under test, and the core of everything else. */
export const TESTED_CORE = 0
export const OTHER_CORE = 1

let canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0
const ticksPerSecond = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100

export function isPinning(): boolean {
  return canPin
}

/** Lets every process run on any core: where no time is judged, other work may have the same cores. */
export function stopPinning(): void {
  canPin = false
}

/** The processor, by which figures are compared with those of the same kind of machine. */
export function kindOfMachine(): string {
  const model =
    cpus()[0]
      ?.model.replace(/[^\w.@-]+/g, ' ')
      .trim() ?? ''
  return `${arch()} ${model}`.trim()
}

/** The command line that runs a program on one core, or without pinning where that is not possible. */
export function pinned(core: number, program: string, args: string[]): { program: string; args: string[] } {
  return canPin ? { program: 'taskset', args: ['-c', String(core), program, ...args] } : { program, args }
}

export function pin(core: number, pid: number): void {
  if (canPin) spawnSync('taskset', ['-acp', String(core), String(pid)])
}

/** Moves a process and its children to a core; later children inherit it. */
export function pinWithChildren(core: number, pid: number): void {
  pin(core, pid)
  for (const child of childrenOf(pid)) pin(core, child)
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** The fields of /proc/PID/stat after the name, which may itself hold blanks and brackets. */
function statOf(pid: number | string): string[] | undefined {
  const text = read(`/proc/${pid}/stat`)
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

const PARENT = 1
const USER_TICKS = 11
const SYSTEM_TICKS = 12

export function childrenOf(parent: number): number[] {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids.filter((pid) => Number(statOf(pid)?.[PARENT]) === parent).map(Number)
  } catch {
    return []
  }
}

/** CPU time that a process has used, all threads; NaN where the system has no /proc. */
export function cpuMs(pid: number): number {
  const stat = statOf(pid)
  if (stat === undefined) return Number.NaN
  return ((Number(stat[USER_TICKS]) + Number(stat[SYSTEM_TICKS])) / ticksPerSecond) * 1000
}

export type FamilyCpu = Map<number, number>

/** CPU time of a process and its children, to be compared with a later reading. */
export function familyCpu(pid: number): FamilyCpu {
  const members = [pid, ...childrenOf(pid)].map((member): [number, number] => [member, cpuMs(member)])
  // A child that has just ended has no reading.
  return new Map(members.filter(([member, ms]) => member === pid || !Number.isNaN(ms)))
}

/** CPU time of a process and its children between two readings; a child that started between them counts from zero. */
export function familyCpuMs(before: FamilyCpu, after: FamilyCpu): number {
  let used = 0
  for (const [pid, ms] of after) used += ms - (before.get(pid) ?? 0)
  return used
}

/** Resident memory in MB; NaN where the system has no /proc. */
export function rssMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`) ?? '')?.[1]
  return kilobytes === undefined ? Number.NaN : Number(kilobytes) / 1024
}

/** Watches resident memory while a task runs, and returns the highest reading. */
export async function peakRssMb(pid: number, work: () => Promise<unknown>): Promise<number> {
  let peak = rssMb(pid)
  const timer = setInterval(() => {
    peak = Math.max(peak, rssMb(pid))
  }, 50)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return Math.max(peak, rssMb(pid))
}
