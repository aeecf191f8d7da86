import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { type Command, CommanderError } from 'commander'
import { isDatabaseAway } from '#platform/db/database.ts'
import { errorCode } from '#platform/errors/error-code.ts'
import { withCauses } from '#platform/errors/error-summary.ts'
import { Problem } from '#platform/errors/problem.ts'
import { ConfigError, readConfig } from '#platform/settings/config.ts'
import { isInterrupted, listenForInterrupts } from '#program/boot/interrupt.ts'
import { StartError } from '#program/boot/start-error.ts'
import { GATEWAY_URLS } from '#selling/payments/gateways/table.facts.ts'
import { addCommands } from './commands.ts'
import { createProgram, messageOf, type Terminal } from './program.ts'
import { openInBrowser } from './terminal/open-in-browser.ts'
import { addExamples } from './terminal/usage.ts'

const WRONG_USE = 2

const terminal: Terminal = {
  // Settings may be in a file .env in the current folder.
  config: (file = existsSync('.env') ? '.env' : undefined) => readConfig(settingsOf(process.env, file), GATEWAY_URLS),
  out: (text: string) => console.log(text),
  err: (text: string) => console.error(text),
  exitCode: (code: number) => {
    process.exitCode = code
  },
  ...(process.stderr.isTTY ? { redraw } : {}),
  ...(process.stdout.isTTY ? { screen: { columns: () => process.stdout.columns, draw } } : {}),
  open: openInBrowser,
}

/** Carriage return, the line, and the end of what an earlier line has left. */
function redraw(line: string, last?: 'last'): void {
  process.stderr.write(`\r${line}\u001b[K${last === undefined ? '' : '\n'}`)
}

/** From the corner on, each line over the one that was there, and nothing below: a cleared screen would flicker. */
function draw(text: string): void {
  const lines = text.split('\n').slice(0, process.stdout.rows - 1)
  process.stdout.write(`\u001b[H${lines.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`)
}

/** The settings of an environment and of a file. What the environment has wins. */
export function settingsOf(env: NodeJS.ProcessEnv, file: string | undefined): NodeJS.ProcessEnv {
  if (file === undefined) return env
  try {
    return { ...parseEnv(readFileSync(file, 'utf8')), ...env }
  } catch (error) {
    throw new StartError(`${file} can't be read: ${messageOf(error)}.`, WRONG_USE)
  }
}

/** The message and exit code for an error; undefined for a defect, which shows its stack. */
export function exitOf(error: unknown): { code: number; lines: string[] } | undefined {
  if (error instanceof CommanderError) {
    const silent = error.exitCode === 0
    return { code: silent ? 0 : WRONG_USE, lines: silent ? [] : [error.message] }
  }
  if (error instanceof ConfigError) return { code: WRONG_USE, lines: error.mistakes }
  if (error instanceof StartError) return { code: error.exitCode, lines: [error.message] }
  if (error instanceof Problem) return { code: 1, lines: [error.message] }
  if (isDatabaseAway(error)) return { code: 1, lines: [`The database went away: ${messageOf(error)}.`] }
  return undefined
}

/** The command of a name on a terminal, or all commands if there is none of that name. */
export async function createCommandLine(terminal: Terminal, name?: string): Promise<Command> {
  const program = createProgram()
  let envFile: string | undefined
  program.hook('preAction', (_program, action) => {
    envFile = action.opts<{ envFile?: string }>().envFile
  })
  await addCommands(program, { ...terminal, config: () => terminal.config(envFile) }, name)
  return addExamples(program)
}

/** A defect outside of any command ends the program, as it would without this, and prints no more than its stack. */
function endWith(error: unknown): void {
  console.error(withCauses(error))
  process.exit(1)
}

/** Whoever reads the output has seen enough, as `head` after its lines. */
function endUnread(error: Error): void {
  if (errorCode(error) === 'EPIPE') process.exit()
  endWith(error)
}

/** Runs one command and sets the program's exit code. */
export async function runCommandLine(argv: string[]): Promise<void> {
  listenForInterrupts({ followsParent: process.env.npm_lifecycle_event !== undefined })
  process.on('uncaughtException', endWith)
  process.stdout.on('error', endUnread)
  try {
    const program = await createCommandLine(terminal, argv[2])
    await program.parseAsync(argv)
  } catch (error) {
    // A failure after an interrupt closed the database needs no message.
    const known = isInterrupted() ? { code: 1, lines: [] } : exitOf(error)
    if (known === undefined) console.error(withCauses(error))
    for (const line of known?.lines ?? []) terminal.err(line)
    terminal.exitCode(known?.code ?? 1)
  }
}
