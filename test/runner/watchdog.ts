import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { processTimeMs } from './process-time.ts'

/**
 * How long a test file may take. No limit is a number of seconds that a slow or busy machine could exceed: a file is
 * stopped if it stands still, or if it uses many times the processor time of the longest file. One that ends and has used
 * more than it may fails.
 */
export type Limits = {
  /** A file stands still if no test has ended for so long, and its processes have hardly used a processor. */
  stillMs: number
  /** What counts as hardly: a service and a browser that wait for something use less than a hundredth of a processor. */
  stillCpuMs: number
  /** Processor time of the file, with that of the programs that it started, but without PostgreSQL. */
  cpuMs: number
  /** The same for a file that ends, on a machine as fast as that in slowness.ts; on a slower one it may use more. */
  fileCpuMs: number
  /** For what waits for ever and yet keeps a processor busy, such as a page that shows something turning. */
  testMs: number
  /** How long the hooks of a file that was stopped may take. */
  graceMs: number
  lookEveryMs: number
}

export const LIMITS: Limits = {
  stillMs: 180_000,
  stillCpuMs: 3000,
  cpuMs: 600_000,
  fileCpuMs: 30_000,
  testMs: 1_800_000,
  graceMs: 60_000,
  lookEveryMs: 5000,
}

/** What the thread is told: a file begins, a test has ended, the file has ended. */
type Told = { file: string; cpuMs: number } | 'progress' | 'end'

export type Watchdog = {
  /** Calls `stop` with a sentence if the file stands still or uses too much. `cpuMs` is what was used before it. */
  begin(file: string, cpuMs: number, stop: (reason: string) => void): void
  progress(): void
  end(): void
}

/** Watches this process from another thread, because an endless loop would not let it watch itself. */
export function startWatchdog(limits: Limits): Watchdog {
  const thread = new Worker(new URL(import.meta.url), { workerData: limits, execArgv: [] })
  let onStop: ((reason: string) => void) | undefined
  thread.on('message', (reason: string) => onStop?.(reason))
  thread.unref()
  const tell = (told: Told) => thread.postMessage(told)
  return {
    begin(file, cpuMs, stop) {
      onStop = stop
      tell({ file, cpuMs })
    },
    progress: () => tell('progress'),
    end() {
      onStop = undefined
      tell('end')
    },
  }
}

type Watch = { file: string; begunCpuMs: number; progressMs: number; movedMs: number; movedCpuMs: number }

async function watch(limits: Limits): Promise<never> {
  let watched: Watch | undefined
  parentPort?.on('message', (told: Told) => {
    const nowMs = performance.now()
    if (told === 'end') watched = undefined
    else if (told === 'progress') Object.assign(watched ?? {}, { progressMs: nowMs, movedMs: nowMs })
    else
      watched = {
        file: told.file,
        begunCpuMs: told.cpuMs,
        movedCpuMs: told.cpuMs,
        progressMs: nowMs,
        movedMs: nowMs,
      }
  })
  for (;;) {
    await sleep(limits.lookEveryMs)
    const reason = watched && judge(watched, limits, performance.now(), processTimeMs())
    if (reason === undefined) continue
    const stopped = watched
    parentPort?.postMessage(reason)
    await sleep(limits.graceMs)
    if (watched !== stopped) continue
    writeSync(2, `${reason} It could not be stopped.\n`)
    process.kill(process.pid, 'SIGKILL')
  }
}

/** Why a file has to be stopped, if it has. */
function judge(watch: Watch, limits: Limits, nowMs: number, cpuMs: number): string | undefined {
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`
  if (cpuMs - watch.begunCpuMs > limits.cpuMs)
    return `${watch.file} has used ${seconds(limits.cpuMs)} of processor time and did not end.`
  if (nowMs - watch.progressMs > limits.testMs)
    return `No test of ${watch.file} has ended for ${seconds(limits.testMs)}.`
  // Processes that were left behind no longer count, so the sum can become smaller.
  if (cpuMs < watch.movedCpuMs || cpuMs - watch.movedCpuMs >= limits.stillCpuMs)
    Object.assign(watch, { movedMs: nowMs, movedCpuMs: cpuMs })
  else if (nowMs - watch.movedMs > limits.stillMs)
    return `${watch.file} stands still: no test has ended for ${seconds(limits.stillMs)}, and it did not use a processor.`
  return undefined
}

if (!isMainThread) await watch(workerData as Limits)
