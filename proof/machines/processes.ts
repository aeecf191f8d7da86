import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { atCleanUp } from '#bench/processes.ts'

export type Account = { uid: number; gid: number } | undefined

/** A program of the proof. What it says is kept, for the case that it fails. */
export type Program = {
  pid: number
  isRunning(): boolean
  /** The end of what it has said. */
  said(): string
  /** Resolves with the first line that it prints, and rejects if it ends before. */
  firstLine: Promise<string>
  /** Asks it to end, and waits until it has. Returns its exit code. */
  stop(): Promise<number | null>
  kill(): Promise<void>
}

const SAID_MAX = 20_000

/** Starts a program, which is killed when the scope of the proof ends. */
export function startProgram(
  file: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string; account?: Account } = {},
): Program {
  const { env = {}, cwd = '/', account } = options
  const child: ChildProcess = spawn(file, args, {
    cwd,
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  })
  let text = ''
  let line = ''
  const first = Promise.withResolvers<string>()
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const ended = once(child, 'exit').then(() => {
    first.reject(new Error(`${file} ${args.join(' ')} ended before it was ready: ${text}`))
  })
  // Whoever waits for the line gets the error; others have no use for it.
  first.promise.catch(() => {})
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    line += part
    text = (text + part).slice(-SAID_MAX)
    const end = line.indexOf('\n')
    if (end >= 0) first.resolve(line.slice(0, end))
  })
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    text = (text + part).slice(-SAID_MAX)
  })
  const end = async (signal: NodeJS.Signals) => {
    if (isRunning()) child.kill(signal)
    await ended
  }
  const kill = () => end('SIGKILL')
  atCleanUp(kill)
  return {
    pid: child.pid ?? 0,
    isRunning,
    said: () => text,
    firstLine: first.promise,
    async stop() {
      await end('SIGTERM')
      return child.exitCode
    },
    kill,
  }
}

const LOOK_MS = 50

/** Waits for something, and says what it waited for if it takes too long. */
export async function waitFor(what: string, isThere: () => Promise<boolean> | boolean, maxMs: number): Promise<void> {
  const deadline = performance.now() + maxMs
  while (!(await isThere())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${maxMs / 1000} seconds`)
    await sleep(LOOK_MS)
  }
}

/** The status of an answer, or undefined if there is none. */
export async function statusOf(url: string, init?: RequestInit): Promise<number | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000), ...init })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return undefined
  }
}
