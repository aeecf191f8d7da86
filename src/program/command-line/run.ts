import { existsSync } from 'node:fs'
import { type Command, CommanderError } from 'commander'
import { isDatabaseAway } from '#platform/db/database.ts'
import { withCauses } from '#platform/errors/error-summary.ts'
import { Problem } from '#platform/errors/problem.ts'
import { ConfigError, readConfig } from '#platform/settings/config.ts'
import { isInterrupted, listenForInterrupts } from '#program/boot/interrupt.ts'
import { StartError } from '#program/boot/start-error.ts'
import { addAdministration } from './administration.ts'
import { addApps } from './apps.ts'
import { addAudit } from './audit.ts'
import { addBackups } from './backups.ts'
import { addCodes } from './codes.ts'
import { addCompanySettings, addCustomers } from './company-settings.ts'
import { addContent } from './content.ts'
import { addContentFiles } from './content-files.ts'
import { addDiscounts } from './discounts.ts'
import { addDomains } from './domains.ts'
import { addImport } from './import.ts'
import { addInspection } from './inspection.ts'
import { addKeys } from './keys.ts'
import { addLedger } from './ledger.ts'
import { addListen } from './listen.ts'
import { addMails } from './mails.ts'
import { addMarket } from './market.ts'
import { openInBrowser } from './open-in-browser.ts'
import { addPayments } from './payments.ts'
import { createProgram, messageOf, type Terminal } from './program.ts'
import { addSecrets } from './secrets.ts'
import { addSeed } from './seed.ts'
import { addServe } from './serve.ts'
import { addShipping } from './shipping.ts'
import { addSigningKeys } from './signing-keys.ts'
import { addStatistics } from './statistics.ts'
import { addTaxRates } from './tax-rates.ts'
import { addTrigger } from './trigger.ts'
import { addExamples } from './usage.ts'
import { addUsers } from './users.ts'
import { addWebhooks } from './webhooks.ts'

const WRONG_USE = 2

const terminal: Terminal = {
  config: () => {
    // Settings may be in a file .env in the current folder; environment variables win.
    if (existsSync('.env')) readSettingsFile('.env')
    return readConfig(process.env)
  },
  out: (text: string) => console.log(text),
  err: (text: string) => console.error(text),
  exitCode: (code: number) => {
    process.exitCode = code
  },
  ...(process.stderr.isTTY ? { redraw } : {}),
  open: openInBrowser,
}

/** Carriage return, the line, and the end of what an earlier line has left. */
function redraw(line: string, last?: 'last'): void {
  process.stderr.write(`\r${line}\u001b[K${last === undefined ? '' : '\n'}`)
}

function readSettingsFile(file: string): void {
  try {
    process.loadEnvFile(file)
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

/** All commands, on one terminal. */
export function createCommandLine(terminal: Terminal): Command {
  const program = createProgram()
  for (const add of [
    addServe,
    addAdministration,
    addUsers,
    addApps,
    addSeed,
    addImport,
    addBackups,
    addInspection,
    addMails,
    addAudit,
    addSecrets,
    addSigningKeys,
    addMarket,
    addLedger,
    addStatistics,
    addDomains,
    addCompanySettings,
    addCustomers,
    addTaxRates,
    addDiscounts,
    addCodes,
    addKeys,
    addShipping,
    addPayments,
    addContent,
    addContentFiles,
    addWebhooks,
    addListen,
    addTrigger,
  ])
    add(program, terminal)
  return addExamples(program)
}

/** A defect outside of any command ends the program, as it would without this, and prints no more than its stack. */
function endWith(error: unknown): void {
  console.error(withCauses(error))
  process.exit(1)
}

/** Runs one command and sets the program's exit code. */
export async function runCommandLine(argv: string[]): Promise<void> {
  listenForInterrupts({ followsParent: process.env.npm_lifecycle_event !== undefined })
  process.on('uncaughtException', endWith)
  try {
    await createCommandLine(terminal).parseAsync(argv)
  } catch (error) {
    // A failure after an interrupt closed the database needs no message.
    const known = isInterrupted() ? { code: 1, lines: [] } : exitOf(error)
    if (known === undefined) console.error(withCauses(error))
    for (const line of known?.lines ?? []) terminal.err(line)
    terminal.exitCode(known?.code ?? 1)
  }
}
