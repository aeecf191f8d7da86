import { type Command, InvalidArgumentError } from 'commander'
import { countryCode } from '#identity/addresses/countries.facts.ts'
import { findCompany, listCompanies } from '#identity/companies/queries.ts'
import { isEmailTaken } from '#identity/users/queries.ts'
import { machineClock, nowInSeconds } from '#platform/clock.ts'

import type { Db } from '#platform/db/database.ts'
import { NewerSchemaError } from '#platform/db/migrations/migrate.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { hashPassword, randomToken } from '#platform/identity/crypto.ts'
import { EMAIL_MAX, EMAIL_PATTERN } from '#platform/wire/schema.ts'
import { StartError } from '#program/boot/start-error.ts'
import { closeStore, openStore, upgrade, withDatabase } from '#program/boot/store.ts'
import { openCompany } from '#program/first-run/open-company.ts'
import { command, localTime, print, type Terminal, wholeNumber } from './program.ts'
import { table } from './terminal/table.ts'

const LIST_MAX = 10_000

export const companyId = wholeNumber(1, Number.MAX_SAFE_INTEGER)

export function pattern(expression: RegExp, hint: string): (text: string) => string {
  return (text) => {
    if (!expression.test(text)) throw new InvalidArgumentError(hint)
    return text
  }
}

const companyName = pattern(/^(?=.*\S).{1,100}$/su, 'It must have 1 to 100 characters.')
export const email = pattern(new RegExp(`^(?=.{1,${EMAIL_MAX}}$)${EMAIL_PATTERN}`, 'u'), 'It must be an email address.')
const currency = pattern(/^[A-Z]{3}$/, 'It must be a three-letter code such as EUR.')

function country(text: string): string {
  const code = countryCode(text)
  if (code === undefined) throw new InvalidArgumentError('It must be a country, such as DE or Germany.')
  return code
}

export function addAdministration(program: Command, terminal: Terminal): void {
  command(program, 'migrate', 'Update the database schema.').action(async (options: { json?: boolean }) => {
    const store = await openStore(terminal.config())
    try {
      const applied = await upgrade(store.db).catch((error) => {
        throw error instanceof NewerSchemaError ? new StartError(error.message) : error
      })
      print(
        terminal,
        options.json,
        { applied },
        applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`,
      )
    } finally {
      await closeStore(store)
    }
  })

  const company = program
    .command('company')
    .description('Create and list companies.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  command(company, 'create', 'Create a company with its first user.')
    .requiredOption('--name <name>', 'name of the company', companyName)
    .requiredOption('--email <address>', 'email address of its first user', email)
    .option('--country <code>', 'two-letter code of its country', country, 'US')
    .option('--currency <code>', 'three-letter code of its currency', currency, 'USD')
    .option('--partner <id>', 'company that is its partner', companyId)
    .option('--sandbox', 'make a sandbox, whose clock you move with "licet clock"')
    .option('--sandbox-of <id>', 'make a sandbox in which the users of a company work, too', companyId)
    .action(async (options: CompanyOptions & { json?: boolean }) => {
      const result = await withDatabase(terminal.config(), (db) => openWithUser(db, options))
      print(
        terminal,
        options.json,
        result,
        `${isSandbox(options) ? 'Sandbox' : 'Company'} ${result.company_id}. Its user is ${result.user_email} with the password ${result.password} (shown this once).`,
      )
    })

  command(company, 'list', 'List all companies, oldest first.')
    .option('--limit <number>', 'list at most so many', wholeNumber(1, LIST_MAX), LIST_MAX)
    .action(async (options: { limit: number; json?: boolean }) => {
      const companies = await withDatabase(terminal.config(), (db) => listCompanies(db, options.limit))
      const text = table(companies, 'There are no companies. "licet company create" makes one.', {
        Id: ({ id }) => id,
        Name: ({ company_name }) => company_name,
        Email: ({ email }) => email,
        Country: ({ country_code }) => country_code,
        Currency: ({ currency }) => currency,
        State: ({ company_disabled, sandbox }) =>
          `${company_disabled ? 'disabled' : 'active'}${sandbox ? ', sandbox' : ''}`,
        Created: ({ created_at }) => localTime(created_at),
      })
      print(terminal, options.json, { companies }, text)
    })
}

export async function getCompany(db: Db, id: number): Promise<void> {
  if ((await findCompany(db, id)) === undefined) throw new StartError(`There is no company ${id}.`, 2)
}

export const userExists = (email: string) => new StartError(`There is a user ${email} already.`, 2)

type CompanyOptions = {
  name: string
  email: string
  country: string
  currency: string
  partner?: number
  sandbox?: boolean
  sandboxOf?: number
}

const isSandbox = ({ sandbox, sandboxOf }: CompanyOptions) => sandbox === true || sandboxOf !== undefined

async function openWithUser(db: Db, options: CompanyOptions) {
  if (options.partner !== undefined) await getCompany(db, options.partner)
  if (options.sandboxOf !== undefined) await getCompany(db, options.sandboxOf)
  if (await isEmailTaken(db, options.email)) throw userExists(options.email)
  const password = randomToken(12)
  const passwordHash = await hashPassword(password)
  const now = nowInSeconds(machineClock)
  const company = {
    company_name: options.name,
    email: options.email,
    country_code: options.country,
    currency: options.currency,
    partner_id: options.partner,
    sandbox: isSandbox(options),
    sandbox_of: options.sandboxOf,
  }
  const user = { email: options.email, passwordHash }
  const { companyId } = await inTransaction(db, (tx) => openCompany(tx, company, user, now)).catch(async (error) => {
    // Another process created it between the check and the insert.
    throw (await isEmailTaken(db, options.email)) ? userExists(options.email) : error
  })
  return { company_id: companyId, user_email: options.email, password }
}
