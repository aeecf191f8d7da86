import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { run } from '../start/terminal.ts'
import { ROOT } from './commands.ts'

/**
 * What a shell of a newcomer has besides programs: `licet` runs in the process of the test, because a start takes longer
 * than most commands do, and `curl` fails if the service refuses.
 */
const FUNCTIONS = `
  set -e -o pipefail
  licet() { printf '%s\\0' "$@" | command curl -sS --fail-with-body --data-binary @- "$COMMANDS"; }
  npx() { [ "$1" = licet ]; shift; licet "$@"; }
  curl() { command curl -sS --fail-with-body "$@"; }
`

export type Shell = {
  /** Runs a script as a newcomer would, and returns what it printed and how it ended. */
  run(script: string, env: Record<string, string>): Promise<{ code: number; out: string }>
  /** The commands of licet that have succeeded. */
  succeeded: string[][]
  close(): void
}

/** A shell in a folder. Relative paths in the arguments of licet are paths in that folder. */
export async function openShell(folder: string, settings: Record<string, string>): Promise<Shell> {
  const succeeded: string[][] = []
  const place = (word: string) =>
    /^[\w.-]+\.(csv|json|key|mp4|txt)$|^backups\//.test(word) ? join(folder, word) : word
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const args = (await text(request)).split('\0').slice(0, -1)
    const ended = await run(args.map(place), settings).catch((error: Error) => ({ code: 1, out: '', err: error.stack }))
    if (ended.code === 0) succeeded.push(args)
    response.writeHead(ended.code === 0 ? 200 : 500).end(ended.code === 0 ? ended.out : `${ended.out}${ended.err}`)
  }
  const server: Server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const commands = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    succeeded,
    run: (script, env) =>
      new Promise((resolve) => {
        const options = {
          cwd: folder,
          env: { PATH: process.env.PATH, COMMANDS: commands, ...env },
          maxBuffer: 64 * 1_048_576,
        }
        execFile('bash', ['--norc', '-c', `${FUNCTIONS}\n${script}`], options, (error, out, err) =>
          resolve({ code: error === null ? 0 : Number(error.code), out: `${out}${err}` }),
        )
      }),
    close: () => void server.close().closeAllConnections(),
  }
}

/** What `npm start` and `npm run dev` run, with the Node of this process and from any folder. */
export function scriptOf(name: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const words = (scripts[name] ?? '').split(' ')
  return words.map((word) => {
    if (word === 'node') return process.execPath
    const [, option = '', path = word] = /^(--[\w-]+=)(.*)$/.exec(word) ?? []
    return existsSync(join(ROOT, path)) && !path.startsWith('-') ? `${option}${join(ROOT, path)}` : word
  })
}
