import { type Command, CommanderError, InvalidArgumentError } from 'commander'
import type { Config } from '#platform/settings/config.ts'
import { VERSION } from '#program/version.ts'
import { createRoot } from './terminal/usage.ts'

/** The context of a command: the settings, where to print, and how to set an exit code without an error. */
export type Terminal = {
  /** The settings of the environment, and of a file; without one, of the file `.env` in the current folder. */
  config: (envFile?: string) => Config
  out: (text: string) => void
  err: (text: string) => void
  exitCode: (code: number) => void
  /** Draws a line of progress over the one before. Absent where the error output is no terminal. */
  redraw?: (line: string, last?: 'last') => void
  /** Draws a text over the one before, from the upper left corner. Absent where the output is no terminal. */
  screen?: { columns(): number; draw(text: string): void }
  /** Opens a file in the browser of the person at the terminal; false if there is none. */
  open?: (file: string) => Promise<boolean>
}

export function createProgram(): Command {
  return createRoot('licet')
    .description('A self-hosted shop and content-licensing service.')
    .version(VERSION)
    .showHelpAfterError(false)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
}

/** Every command can print JSON, and read the settings of the service from the file in which they are. */
export function command(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--json', 'answer in JSON')
    .option('--env-file <file>', 'read the settings from this file, as the service does')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
}

/** Prints a result, as JSON if requested, otherwise as readable text. */
export function print(terminal: Terminal, json: boolean | undefined, value: object, text: string): void {
  terminal.out(json === true ? JSON.stringify(value) : text)
}

/** Text from outside that is safe for a terminal: without control characters that move the cursor or set colours. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

/** A time in the zone of the reader, as `2031-06-01 14:05:00`. */
export function localTime(time: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`
}

export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < minimum || value > maximum)
      throw new InvalidArgumentError(
        maximum === Number.MAX_SAFE_INTEGER
          ? `It must be a whole number, at least ${minimum}.`
          : `It must be a whole number from ${minimum} to ${maximum}.`,
      )
    return value
  }
}

export { CommanderError }

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
