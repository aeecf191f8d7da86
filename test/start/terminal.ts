import { readConfig } from '#platform/settings/config.ts'
import type { Terminal } from '#program/command-line/program.ts'
import { createCommandLine, exitOf, settingsOf } from '#program/command-line/run.ts'
import type { Ended } from './program.ts'

/** Runs a command in this process, without a browser unless the test has one. */
export async function run(
  args: string[],
  env: Record<string, string>,
  { open, screen }: Pick<Terminal, 'open' | 'screen'> = {},
): Promise<Ended> {
  const ended = { code: 0, signal: null, out: '', err: '' }
  const terminal = {
    config: (file?: string) => readConfig(settingsOf(env, file)),
    out: (text: string) => {
      ended.out += `${text}\n`
    },
    err: (text: string) => {
      ended.err += `${text}\n`
    },
    exitCode: (code: number) => {
      ended.code = code
    },
    ...(open === undefined ? {} : { open }),
    ...(screen === undefined ? {} : { screen }),
  }
  const program = await createCommandLine(terminal, args[0])
  await program.parseAsync(args, { from: 'user' }).catch((error) => {
    const known = exitOf(error)
    if (known === undefined) throw error
    ended.code = known.code
    for (const line of known.lines) terminal.err(line)
  })
  return ended
}
