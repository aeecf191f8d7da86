import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts the processor time of processes in hundredths of a second, on every architecture. */
const TICK_MS = 10

type Process = { parent: number; timeMs: number }

/** The processor time of this process and its descendants, with that of children that have ended. */
export function processTimeMs(): number {
  const processes = new Map<number, Process>()
  for (const name of namesIn('/proc')) {
    const found = /^\d+$/.test(name) ? readProcess(name) : undefined
    if (found !== undefined) processes.set(Number(name), found)
  }
  // Without Linux's `/proc`, only this process is known.
  if (!processes.has(process.pid)) return ownTimeMs()
  const isBelow = (pid: number): boolean => {
    for (let at = pid; at > 1; at = processes.get(at)?.parent ?? 0) if (at === process.pid) return true
    return false
  }
  return [...processes].reduce((sum, [pid, { timeMs }]) => sum + (isBelow(pid) ? timeMs : 0), 0)
}

function ownTimeMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readProcess(pid: string): Process | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program comes second, in brackets, and may have spaces and brackets of its own.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(11, 15).map(Number)
    return { parent: Number(fields[1]), timeMs: (user + system + userOfEnded + systemOfEnded) * TICK_MS }
  } catch {
    // It ended while this was reading.
    return undefined
  }
}
