import { execFileSync, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { PATIENCE_MS } from '../patience.ts'

export const MAIN = fileURLToPath(new URL('../../bin/licet.mjs', import.meta.url))

export type Settings = Record<string, string>
export type Ended = { code: number | null; signal: string | null; out: string; err: string }
export type Options = { uid?: number; gid?: number; command?: string[] }
export type Program = {
  pid: number
  kill(signal: NodeJS.Signals): void
  ended: Promise<Ended>
  /** Resolves once the output matches, and rejects if the program ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>
}

const folders: string[] = []

// Not in a hook: this module is loaded once for several test files, and a hook would belong to the first of them.
process.once('exit', () => {
  for (const folder of folders) {
    for (const pid of serversOf(folder)) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})

/** A folder for one test that every account may enter; programs that still use it when the process ends are killed. */
export async function temporaryFolder(name = 'licet-start-'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), name))
  await chmod(folder, 0o755)
  folders.push(folder)
  return folder
}

/**
 * Starts the real program without this process's environment and without requests to other hosts. It is killed when the
 * test ends.
 */
export function start(args: string[], settings: Settings, { uid, gid, command }: Options = {}): Program {
  const [file = '', ...before] = command ?? [process.execPath, MAIN]
  const child = spawn(file, [...before, ...args], {
    uid,
    gid,
    cwd: '/',
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LICET_CURRENCY_RATES_URL: '',
      // Tests of other things share the machine, which may be slow.
      LICET_REFUSE_AFTER_MS: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A hook of the test that is running.
  after(() => void child.kill('SIGKILL'))
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      resolve({ code, signal, out, err })
    })
  })
  const says = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(out)
        if (match !== null) resolve(match)
      }
      child.stdout.on('data', look)
      ended.then(() => reject(new Error(`it ended and never said ${pattern}: ${out}${err}`)), reject)
      look()
    })
  return { pid: child.pid!, kill: (signal) => void child.kill(signal), ended, says }
}

/** Runs a command to its end. */
export function run(args: string[], settings: Settings, options?: Options): Promise<Ended> {
  return start(args, settings, options).ended
}

export type Serving = Program & { url: string; token: string; password: string; curl: string }

/** Starts the service and reads its greeting. */
export async function serve(settings: Settings, options?: Options): Promise<Serving> {
  const program = start(['serve'], settings, options)
  const [, url = '', password = '', token = '', curl = ''] = await program.says(
    /Address +(\S+)[\s\S]*password (\S+)[\s\S]*Access token +(\S+)[\s\S]*(curl [^\n]+)\n/,
  )
  return { ...program, url, password, token, curl }
}

let installed: Promise<string> | undefined

/**
 * A data folder that the service has been started on before, for tests that are not about the first start: that one
 * creates the database and the demo shop, and takes seconds. Files of one process share the folder, so a test leaves it
 * without a running program.
 */
export function installedFolder(): Promise<string> {
  installed ??= install()
  return installed
}

async function install(): Promise<string> {
  const folder = await temporaryFolder()
  const service = await serve({ LICET_DATA: folder })
  service.kill('SIGTERM')
  const { code, err } = await service.ended
  if (code !== 0) throw new Error(`the first start ended with ${code}: ${err}`)
  return folder
}

/** The PostgreSQL servers whose data lies below a folder. */
export function serversOf(folder: string): number[] {
  const text = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const found = text
    .split('\n')
    .filter((line) => line.includes('postgres -D') && line.includes(folder))
    .map((line) => line.trim().split(/\s+/, 2).map(Number) as [number, number])
  const pids = new Set(found.map(([pid]) => pid))
  // A child that was forked just now still has its parent's arguments.
  return found.filter(([, parent]) => !pids.has(parent)).map(([pid]) => pid)
}

/** The number of the PostgreSQL that runs on a data folder. */
export async function serverPid(dataFolder: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataFolder, 'postgres/postmaster.pid'), 'utf8'), 10)
}

/** A connection to the PostgreSQL that runs on a data folder. */
export async function databaseOf(dataFolder: string): Promise<pg.Client> {
  const host = (await readFile(join(dataFolder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[4]
  const client = new pg.Client({ host, user: 'licet', database: 'licet' })
  await client.connect()
  return client
}

const [FIRST_LOOK_MS, LATER_LOOKS_MS] = [10, 100]

/**
 * Waits until a condition is true; the test fails if that takes too long. It looks less and less often, because a look may
 * ask a service or start a program, and the longer a busy machine takes, the less it should have to do for it.
 */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  let pauseMs = FIRST_LOOK_MS
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`it never happened: ${what}`)
    await sleep(pauseMs)
    pauseMs = Math.min(pauseMs * 1.5, LATER_LOOKS_MS)
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
