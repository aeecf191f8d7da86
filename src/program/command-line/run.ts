import { existsSync } from 'node:fs'
import { type Command, CommanderError } from 'commander'
import { isDatabaseAway } from '#platform/db/database.ts'
import { withCauses } from '#platform/errors/error-summary.ts'
import { Problem } from '#platform/errors/problem.ts'
import { ConfigError, readConfig } from '#platform/settings/config.ts'
import { isInterrupted, listenForInterrupts } from '#program/boot/interrupt.ts'
import { StartError } from '#program/boot/start-error.ts'
import { GATEWAY_URLS } from '#selling/payments/gateways/table.facts.ts'
import { addAdministration } from './administration.ts'
import { addAudit } from './audit.ts'
import { addBackups } from './backups.ts'
import { addApps } from './company/apps.ts'
import { addCodes } from './company/codes.ts'
import { addCompanySettings, addCustomers } from './company/company-settings.ts'
import { addContent } from './company/content.ts'
import { addContentFiles } from './company/content-files.ts'
import { addDiscounts } from './company/discounts.ts'
import { addDomains } from './company/domains.ts'
import { addKeys } from './company/keys.ts'
import { addLedger } from './company/ledger.ts'
import { addMails } from './company/mails.ts'
import { addMarket } from './company/market.ts'
import { addPayments } from './company/payments.ts'
import { addReviews } from './company/reviews.ts'
import { addShipping } from './company/shipping.ts'
import { addSigningKeys } from './company/signing-keys.ts'
import { addStatistics } from './company/statistics.ts'
import { addTaxRates } from './company/tax-rates.ts'
import { addUsers } from './company/users.ts'
import { addWebhooks } from './company/webhooks.ts'
import { addImport } from './import.ts'
import { addInspection } from './inspection.ts'
import { addListen } from './listen.ts'
import { createProgram, messageOf, type Terminal } from './program.ts'
import { addSecrets } from './secrets.ts'
import { addSeed } from './seed.ts'
import { addServe } from './serve.ts'
import { openInBrowser } from './terminal/open-in-browser.ts'
import { addExamples } from './terminal/usage.ts'
import { addTrigger } from './trigger.ts'

const WRONG_USE = 2

const terminal: Terminal = {
  config: () => {
    // Settings may be in a file .env in the current folder; environment variables win.
    if (existsSync('.env')) readSettingsFile('.env')
    return readConfig(process.env, GATEWAY_URLS)
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
    addReviews,
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
