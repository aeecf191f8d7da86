import { type Command, InvalidArgumentError } from 'commander'
import { createCompany } from '#companies/commands.ts'
import { COUNTRY_CODES } from '#companies/countries.ts'
import { findCompany } from '#companies/queries.ts'
import { createApp, issueToken } from '#oauth/commands.ts'
import { type App, findApp, findOwnApp } from '#oauth/queries.ts'
import { ALL_SCOPES, knownScopes, type Scope } from '#oauth/scopes.ts'
import { nowInSeconds, systemClock } from '#platform/clock.ts'
import { hashPassword, randomToken } from '#platform/crypto.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { NewerSchemaError } from '#platform/db/migrate.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createUser } from '#users/commands.ts'
import { findFirstUser, isEmailTaken } from '#users/queries.ts'
import { EMAIL_MAX, EMAIL_PATTERN } from '#users/schema.ts'
import { command, print, type Terminal, wholeNumber } from './program.ts'
import { StartError } from './start-error.ts'
import { closeStore, openStore, upgrade, withDatabase } from './store.ts'

const ACCESS_TOKEN_SECONDS = 1800
const COMMAND_LINE = 'Command line'
export const companyId = wholeNumber(1, Number.MAX_SAFE_INTEGER)

export function pattern(expression: RegExp, hint: string): (text: string) => string {
  return (text) => {
    if (!expression.test(text)) throw new InvalidArgumentError(hint)
    return text
  }
}

const companyName = pattern(/^(?=.*\S).{1,100}$/su, 'It must have 1 to 100 characters.')
export const email = pattern(
  new RegExp(`^(?=.{1,${EMAIL_MAX}}$)${EMAIL_PATTERN}`, 'u'),
  'It must be an e-mail address.',
)
const currency = pattern(/^[A-Z]{3}$/, 'It must be a three-letter code such as EUR.')
const redirectUri = pattern(/^https?:\/\/\S+$/, 'It must be an http or https address.')

function country(text: string): string {
  if (!COUNTRY_CODES.has(text))
    throw new InvalidArgumentError('It must be the two-letter code of a country, such as DE.')
  return text
}

function scopes(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !(ALL_SCOPES as string[]).includes(name))
  if (unknown.length > 0)
    throw new InvalidArgumentError(`There is no scope ${unknown.join(', ')}; there are ${ALL_SCOPES.join(', ')}.`)
  return knownScopes(names)
}

export function addAdministration(program: Command, terminal: Terminal): void {
  command(program, 'migrate', 'Bring the database schema up to date.').action(async (options: { json?: boolean }) => {
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
    .description('Companies.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  command(company, 'create', 'Open a company with its first user.')
    .requiredOption('--name <name>', 'name of the company', companyName)
    .requiredOption('--email <address>', 'e-mail address of its first user', email)
    .option('--country <code>', 'two-letter code of its country', country, 'US')
    .option('--currency <code>', 'three-letter code of its currency', currency, 'USD')
    .option('--partner <id>', 'company that is its partner', companyId)
    .action(async (options: CompanyOptions & { json?: boolean }) => {
      const result = await withDatabase(terminal.config(), (db) => openCompany(db, options))
      print(
        terminal,
        options.json,
        result,
        `Company ${result.company_id}. Its user is ${result.user_email} with the password ${result.password} (shown this once).`,
      )
    })

  const app = program
    .command('app')
    .description('Apps.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  command(app, 'create', 'Register an app.')
    .requiredOption('--company <id>', 'company that owns the app', companyId)
    .requiredOption('--name <name>', 'name of the app, as people see it when they allow it')
    .requiredOption(
      '--redirect-uri <address...>',
      'where people are sent after they allowed it',
      (text: string, all: string[] = []) => [...all, redirectUri(text)],
    )
    .action(async (options: { company: number; name: string; redirectUri: string[]; json?: boolean }) => {
      const result = await withDatabase(terminal.config(), async (db) => {
        await getCompany(db, options.company)
        const created = await inTransaction(db, (tx) =>
          createApp(
            tx,
            { companyId: options.company, name: options.name, redirectUris: options.redirectUri },
            nowInSeconds(systemClock),
          ),
        )
        return { client_id: created.client_id, client_secret: created.client_secret }
      })
      print(
        terminal,
        options.json,
        result,
        `Client id ${result.client_id}\nSecret    ${result.client_secret} (shown this once)`,
      )
    })

  command(program, 'token', 'Issue an access token.')
    .requiredOption('--company <id>', 'company to act for', companyId)
    .option('--app <client id>', 'app that acts; one for the command line if absent')
    .requiredOption('--scope <scopes>', `comma-separated: ${ALL_SCOPES.join(', ')}`, scopes)
    .option('--expires-in <seconds>', 'how long it is good for', wholeNumber(1, 31_536_000), ACCESS_TOKEN_SECONDS)
    .action(async (options: { company: number; app?: string; scope: Scope[]; expiresIn: number; json?: boolean }) => {
      const token = await withDatabase(terminal.config(), (db) => makeToken(db, options))
      print(
        terminal,
        options.json,
        { access_token: token, scope: options.scope.join(','), expires_in: options.expiresIn },
        token,
      )
    })
}

export async function getCompany(db: Db, id: number): Promise<void> {
  if ((await findCompany(db, id)) === undefined) throw new StartError(`There is no company ${id}.`, 2)
}

export const userExists = (email: string) => new StartError(`There is a user ${email} already.`, 2)

type CompanyOptions = { name: string; email: string; country: string; currency: string; partner?: number }

async function openCompany(db: Db, options: CompanyOptions) {
  if (options.partner !== undefined) await getCompany(db, options.partner)
  if (await isEmailTaken(db, options.email)) throw userExists(options.email)
  const password = randomToken(12)
  const passwordHash = await hashPassword(password)
  const now = nowInSeconds(systemClock)
  const company = await inTransaction(db, async (tx) => {
    const created = await createCompany(
      tx,
      {
        company_name: options.name,
        email: options.email,
        country_code: options.country,
        currency: options.currency,
        partner_id: options.partner,
      },
      now,
    )
    await createUser(tx, { companyId: created.id, email: options.email, passwordHash }, now)
    return created
  }).catch(async (error) => {
    // Somebody was faster between the look and the insert.
    throw (await isEmailTaken(db, options.email)) ? userExists(options.email) : error
  })
  return { company_id: company.id, user_email: options.email, password }
}

async function makeToken(
  db: Db,
  options: { company: number; app?: string; scope: Scope[]; expiresIn: number },
): Promise<string> {
  await getCompany(db, options.company)
  const user = await findFirstUser(db, options.company)
  if (user === undefined) throw new StartError(`Company ${options.company} has no user to act for.`)
  const now = nowInSeconds(systemClock)
  return inTransaction(db, async (tx) => {
    const app = await appFor(tx, options, now)
    return issueToken(
      tx,
      {
        companyId: options.company,
        appId: app.id,
        userId: user.id,
        scopes: options.scope,
        lifetimeSeconds: options.expiresIn,
      },
      now,
    )
  })
}

/** The named app, or the company's own one for the command line. */
async function appFor(tx: Tx, options: { company: number; app?: string }, now: Date): Promise<App> {
  if (options.app !== undefined) {
    const app = await findApp(tx, options.app)
    if (app === undefined) throw new StartError(`There is no app ${options.app}.`, 2)
    return app
  }
  const own = await findOwnApp(tx, options.company, COMMAND_LINE)
  return own ?? createApp(tx, { companyId: options.company, name: COMMAND_LINE, redirectUris: [] }, now)
}
