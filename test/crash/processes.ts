import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type Killable = {
  /** The first line that the process prints once it runs, after each start. */
  greeting: Promise<string>
  /** Its process id, since the last start. */
  pid(): number
  /** Ends the process as a power cut does, and starts it again. */
  killAndRestart(): Promise<void>
  end(): Promise<void>
}

const running = new Set<Killable>()

/** Ends all processes that were started here, for a proof that is interrupted. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map(({ end }) => end()))
}

const LICET = fileURLToPath(new URL('../../bin/licet.mjs', import.meta.url))
const SHIFTED_CLOCK = fileURLToPath(new URL('shifted-clock.ts', import.meta.url))
const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))

/** The HTTP service, as it is installed. With the setting PROOF_CLOCK, its clock is ahead as that file says. */
export function startServe(settings: NodeJS.ProcessEnv): Killable {
  return startKillable([LICET, 'serve', '--no-worker', '--json'], settings)
}

/** The background worker, as it is installed. */
export function startWorker(settings: NodeJS.ProcessEnv): Killable {
  return startKillable([LICET, 'worker', '--json'], settings)
}

/** A worker whose clock runs so many times faster than time. */
export function startFastWorker(settings: NodeJS.ProcessEnv, startMs: number, times: number): Killable {
  return startKillable([WORKER, String(startMs), String(times)], settings)
}

function startKillable(args: string[], settings: NodeJS.ProcessEnv): Killable {
  let child: ChildProcess
  const start = () => {
    const options = settings.PROOF_CLOCK === undefined ? [] : ['--import', SHIFTED_CLOCK]
    child = spawn(process.execPath, [...options, ...args], {
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (child.stdout === null) throw new Error('the output is a pipe')
    const [output, ended] = [createInterface({ input: child.stdout }), once(child, 'exit')]
    return Promise.race([
      once(output, 'line').then(([line]) => String(line)),
      ended.then(() => Promise.reject(new Error('the process ended before it was ready'))),
    ])
  }
  const kill = async () => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill('SIGKILL')
    await ended
  }
  const killable: Killable = {
    greeting: start(),
    pid: () => child.pid ?? 0,
    async killAndRestart() {
      await kill()
      killable.greeting = start()
      await killable.greeting
    },
    async end() {
      running.delete(killable)
      await kill()
    },
  }
  running.add(killable)
  return killable
}
