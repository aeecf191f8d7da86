import { createCommandLine, exitOf } from '#command-line/run.ts'
import { readConfig } from '#platform/config.ts'
import type { Ended } from './program.ts'

/** Runs a command in this process. */
export async function run(args: string[], env: Record<string, string>): Promise<Ended> {
  const ended = { code: 0, signal: null, out: '', err: '' }
  const terminal = {
    config: () => readConfig(env),
    out: (text: string) => {
      ended.out += `${text}\n`
    },
    err: (text: string) => {
      ended.err += `${text}\n`
    },
    exitCode: (code: number) => {
      ended.code = code
    },
  }
  await createCommandLine(terminal)
    .parseAsync(args, { from: 'user' })
    .catch((error) => {
      const known = exitOf(error)
      if (known === undefined) throw error
      ended.code = known.code
      for (const line of known.lines) terminal.err(line)
    })
  return ended
}
