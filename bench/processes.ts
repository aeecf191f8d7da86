import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { LoadResult, Order } from './load.ts'
import { OTHER_CORE, pinned, TESTED_CORE } from './machine.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const STOP_MS = 40_000
export const START_MS = 120_000
const TASK_MS = 600_000

export type Running = {
  pid: number
  child: ChildProcess
  lines: Interface
  stop(): Promise<void>
  /** Waits for a program that ends on its own, and fails unless it succeeds. */
  finished(): Promise<void>
}

type Undo = () => Promise<void>

/** What has to be undone, for each scope that has begun, the outermost first. */
const scopes: Undo[][] = [[]]

/** Has a task done when the scope ends, before those that were added earlier, or after all others. */
export function atCleanUp(undo: Undo, order: 'first' | 'last' = 'first'): void {
  const scope = scopes.at(-1)
  if (order === 'first') scope?.push(undo)
  else scope?.unshift(undo)
}

/** Stops and removes at its end what a section has started and made, so that the next one has the machine for itself. */
export async function inScope<Result>(work: () => Promise<Result>): Promise<Result> {
  const scope: Undo[] = []
  scopes.push(scope)
  const result = await work()
  await undoAll(scope)
  scopes.splice(scopes.indexOf(scope), 1)
  return result
}

let cleaning: Promise<void> | undefined

/** Undoes everything that was started or made, latest first; a failure is printed and the rest goes on. */
export function cleanUp(): Promise<void> {
  // A Ctrl-C makes the run fail too: both wait for the same cleanup, otherwise the first to finish would end the
  // other's.
  cleaning ??= undoScopes()
  return cleaning
}

async function undoScopes(): Promise<void> {
  for (const scope of scopes.toReversed()) await undoAll(scope)
}

async function undoAll(scope: Undo[]): Promise<void> {
  for (let undo = scope.pop(); undo !== undefined; undo = scope.pop())
    await undo().catch((error: Error) => console.error(`While cleaning up: ${error.message}`))
}

/** Runs one of our programs on one core. Ctrl-C reaches only this process, which stops the others in order. */
export function run(core: number, args: string[], env: NodeJS.ProcessEnv = {}): Running {
  const command = pinned(core, process.execPath, args)
  const child = spawn(command.program, command.args, {
    cwd: ROOT,
    // The measured service makes no requests to other hosts.
    env: { ...process.env, LICET_CURRENCY_RATES_URL: '', ...env },
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let stopping = false
  let finishing = false
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', (code, signal) => {
      if (!stopping && !finishing) console.error(`${args.slice(0, 2).join(' ')} ended on its own (${code ?? signal}).`)
      resolve()
    })
  })
  child.stdin?.on('error', () => {})
  const stop = async () => {
    stopping = true
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(timer)
  }
  atCleanUp(stop)
  const finished = async () => {
    finishing = true
    await ended
    if (child.exitCode !== 0) throw new Error(`${args.slice(0, 2).join(' ')} failed (${child.exitCode})`)
  }
  return { pid: child.pid ?? 0, child, lines: createInterface({ input: child.stdout! }), stop, finished }
}

export function nextLine({ lines, child }: Running, waitMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      lines.off('line', onLine)
      child.off('exit', onExit)
      settle()
    }
    const onLine = (line: string) => finish(() => resolve(line))
    const onExit = (code: number | null, signal: string | null) =>
      finish(() => reject(new Error(`${child.spawnargs.slice(-3).join(' ')} ended early (${code ?? signal})`)))
    const timer = setTimeout(() => finish(() => reject(new Error(`no answer within ${waitMs / 1000} seconds`))), waitMs)
    lines.on('line', onLine)
    child.on('exit', onExit)
  })
}

/** A folder of our own that the database's account may enter, removed at the end. */
export async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'licet-bench-'))
  await chmod(folder, 0o755)
  atCleanUp(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export type Floor = Running & { address: string; token: string }

/** Starts a script that prints its address when it listens. */
export async function startBareServer(script: string, ...args: string[]): Promise<Floor> {
  const floor = run(TESTED_CORE, [script, ...args])
  const { address }: { address: string } = JSON.parse(await nextLine(floor, START_MS))
  return { ...floor, address, token: 'none' }
}

export type Child = Running & { ask(task: object): Promise<unknown> }

/** Starts a script that reads one task per line and prints one result per line. */
export function startChild(script: string): Child {
  const child = run(TESTED_CORE, [script])
  return {
    ...child,
    async ask(task) {
      const answer = nextLine(child, TASK_MS)
      child.child.stdin?.write(`${JSON.stringify(task)}\n`)
      return JSON.parse(await answer)
    },
  }
}

export type Load = (order: Order) => Promise<LoadResult>

/** Starts the load generator, which takes one task at a time. */
export function startLoad(): Load {
  const load = run(OTHER_CORE, ['bench/load.ts'])
  return async (order) => {
    const answer = nextLine(load, ((order.seconds ?? 0) + 300) * 1000)
    load.child.stdin?.write(`${JSON.stringify(order)}\n`)
    return JSON.parse(await answer)
  }
}
