import { type Command, InvalidArgumentError } from 'commander'
import { type Actor, type AppDetails, changeApp, createApp, rotateSecret } from '#apps/oauth/apps.commands.ts'
import { findApp, findOwnApp, listApps } from '#apps/oauth/queries.ts'
import { ACCESS_TOKEN_SECONDS, isClientId, isRedirectUri } from '#apps/oauth/rules.ts'
import { ALL_SCOPES, isForCustomer, knownScopes, type Scope } from '#apps/oauth/scopes.facts.ts'
import type { App } from '#apps/oauth/state.ts'
import { type Giver, issueToken, removePermission } from '#identity/grants/commands.ts'
import { findFirstUser } from '#identity/users/queries.ts'
import { lockCustomer } from '#people/customers/queries.ts'
import { machineClock, nowInSeconds } from '#platform/clock.ts'

import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { StartError } from '#program/boot/start-error.ts'
import { withDatabase } from '#program/boot/store.ts'
import { companyId, getCompany } from '../administration.ts'
import { command, print, type Terminal, wholeNumber } from '../program.ts'
import { table } from '../terminal/table.ts'

/** The app of the command line, which each company has for itself. */
export const OWN_APP = 'Command line'
const DAY_SECONDS = 86_400
const actor: Actor = { userId: null, origin: COMMAND_LINE }
const now = () => nowInSeconds(machineClock)

function scopes(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !ALL_SCOPES.some((scope) => scope === name))
  if (unknown.length > 0)
    throw new InvalidArgumentError(`There is no scope ${unknown.join(', ')}; there are ${ALL_SCOPES.join(', ')}.`)
  return knownScopes(names)
}

function redirectUris(text: string, all: string[] = []): string[] {
  if (!isRedirectUri(text))
    throw new InvalidArgumentError('It must be a whole https address without a fragment, or one on this machine.')
  return [...all, text]
}

type Json = { json?: boolean }
type Details = { name?: string; redirectUri?: string[]; scope?: Scope[]; developerEmail?: string; syncUrl?: string }

type NewDetails = Details & Json & { company: number; name: string; redirectUri: string[]; clientId?: string }

function clientId(text: string): string {
  if (!isClientId(text))
    throw new InvalidArgumentError(
      'It must have 1 to 100 letters, digits, dots, colons, hyphens and underscores, and begin with a letter or a digit.',
    )
  return text
}

function detailsOf({ name, redirectUri, scope, developerEmail, syncUrl }: Details): Partial<AppDetails> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(redirectUri === undefined ? {} : { redirectUris: redirectUri }),
    ...(scope === undefined ? {} : { scopes: scope }),
    ...(developerEmail === undefined ? {} : { developerEmail }),
    ...(syncUrl === undefined ? {} : { dataChangeSyncUrl: syncUrl === '' ? null : syncUrl }),
  }
}

/** The options that describe an app. */
function withDetails(app: Command): Command {
  return app
    .option('--scope <scopes>', `what it may ask for, comma-separated: ${ALL_SCOPES.join(', ')}; all if absent`, scopes)
    .option('--developer-email <address>', 'where its developer is reached')
    .option('--sync-url <address>', 'where changes of email addresses and passwords are told')
}

export function addApps(program: Command, terminal: Terminal): void {
  const app = program
    .command('app')
    .description('Register, change and remove apps.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })

  withDetails(command(app, 'create', 'Register an app.'))
    .requiredOption('--company <id>', 'company that owns the app', companyId)
    .requiredOption('--name <name>', 'name of the app, as people see it when they allow it')
    .requiredOption('--redirect-uri <address...>', 'where people are sent after they allowed it', redirectUris)
    .option('--client-id <id>', 'client id of a client that has a fixed one; made if absent', clientId)
    .action(async (options: NewDetails) => {
      const { client_id, client_secret } = await withDatabase(terminal.config(), async (db, vault) => {
        await getCompany(db, options.company)
        const details = {
          ...detailsOf(options),
          ...(options.clientId === undefined ? {} : { clientId: options.clientId }),
          companyId: options.company,
          name: options.name,
          redirectUris: options.redirectUri,
        }
        return inTransaction(db, (tx) => createApp(tx, details, vault, actor, now()))
      })
      const text = `Client id ${client_id}\nSecret    ${client_secret} (shown this once)`
      print(terminal, options.json, { client_id, client_secret }, text)
    })

  withDetails(command(app, 'change', 'Change the details of an app that you name.'))
    .argument('<client id>')
    .option('--name <name>', 'another name')
    .option('--redirect-uri <address...>', 'other redirect URIs, in the place of all earlier ones', redirectUris)
    .action(async (clientId: string, options: Details & Json) => {
      await withDatabase(terminal.config(), async (db) => {
        const { company_id } = await getApp(db, clientId)
        await inTransaction(db, (tx) => changeApp(tx, company_id, clientId, detailsOf(options), actor, now()))
      })
      print(terminal, options.json, { client_id: clientId }, 'The app is changed.')
    })

  command(app, 'rotate', 'Create a new secret for an app. The old one stays valid for a while.')
    .argument('<client id>')
    .option('--overlap <seconds>', 'how long both are valid', wholeNumber(0, 30 * DAY_SECONDS), DAY_SECONDS)
    .action(async (clientId: string, options: { overlap: number } & Json) => {
      const client_secret = await withDatabase(terminal.config(), async (db, vault) => {
        const { company_id } = await getApp(db, clientId)
        return inTransaction(db, (tx) => rotateSecret(tx, company_id, clientId, options.overlap, vault, actor, now()))
      })
      print(terminal, options.json, { client_id: clientId, client_secret }, `Secret ${client_secret} (shown this once)`)
    })

  command(app, 'list', 'List the apps of a company.')
    .requiredOption('--company <id>', 'company that owns them', companyId)
    .action(async (options: { company: number } & Json) => {
      const apps = (await withDatabase(terminal.config(), (db) => listOwnApps(db, options.company))).map(
        ({ client_id, name, redirect_uris, scopes, developer_email, data_change_sync_url }) => ({
          client_id,
          name,
          redirect_uris,
          scopes,
          developer_email,
          data_change_sync_url,
        }),
      )
      const text = table(apps, 'The company has registered no apps.', {
        'Client id': ({ client_id }) => client_id,
        Name: ({ name }) => name,
        Scopes: ({ scopes }) => scopes.join(','),
        'Redirect URIs': ({ redirect_uris }) => redirect_uris.join(' '),
      })
      print(terminal, options.json, { apps }, text)
    })

  command(app, 'remove', 'End the grants of an app in a company. Its tokens end at once.')
    .argument('<client id>')
    .requiredOption('--company <id>', 'company that had allowed it', companyId)
    .action(async (clientId: string, options: { company: number } & Json) => {
      const removed = await withDatabase(terminal.config(), async (db) => {
        const found = await getApp(db, clientId)
        return inTransaction(db, (tx) => removePermission(tx, options.company, found, actor, now()))
      })
      if (!removed) throw new StartError(`Company ${options.company} has not allowed this app anything.`)
      print(terminal, options.json, { removed }, 'The permission is removed.')
    })

  command(program, 'token', 'Issue an access token.')
    .requiredOption('--company <id>', 'company to act for', companyId)
    .option('--app <client id>', 'app that acts; one for the command line if absent')
    .requiredOption('--scope <scopes>', `comma-separated: ${ALL_SCOPES.join(', ')}`, scopes)
    .option('--customer <token>', 'customer to act for; needs the scope player, and takes no other')
    .option('--expires-in <seconds>', 'how long it is valid', wholeNumber(1, 31_536_000), ACCESS_TOKEN_SECONDS)
    .action(async (options: TokenOptions & Json) => {
      const token = await withDatabase(terminal.config(), (db, vault) => makeToken(db, vault, options))
      const answer = { access_token: token, scope: options.scope.join(','), expires_in: options.expiresIn }
      print(terminal, options.json, answer, token)
    })
}

async function listOwnApps(db: Db, company: number): Promise<App[]> {
  await getCompany(db, company)
  return listApps(db, company)
}

async function getApp(db: Db, clientId: string): Promise<App> {
  const app = await findApp(db, clientId)
  if (app === undefined) throw new StartError(`There is no app ${clientId}.`, 2)
  return app
}

type TokenOptions = { company: number; app?: string; scope: Scope[]; customer?: string; expiresIn: number }

/** Issues a token that acts for a company, by its first user, or for one customer of it. */
export async function makeToken(db: Db, vault: Vault, options: TokenOptions): Promise<string> {
  await getCompany(db, options.company)
  const isForPlayer = options.scope.some(isForCustomer)
  if (isForPlayer !== (options.customer !== undefined) || (isForPlayer && options.scope.length > 1))
    throw new StartError('The scope player needs --customer, and goes with no other scope.', 2)
  return inTransaction(db, async (tx) => {
    const giver = await giverFor(tx, options)
    const app = await appFor(tx, vault, options)
    const permission = { companyId: options.company, appId: app.id, ...giver, scopes: options.scope }
    return issueToken(tx, { ...permission, lifetimeSeconds: options.expiresIn }, now())
  })
}

async function giverFor(tx: Tx, { company, customer }: TokenOptions): Promise<Giver> {
  if (customer !== undefined) {
    const { account } = await lockCustomer(tx, company, customer)
    if (account.state !== 'enabled') throw new StartError(`Customer ${customer} is disabled.`)
    return { userId: null, customerId: account.id }
  }
  const user = await findFirstUser(tx, company)
  if (user === undefined) throw new StartError(`Company ${company} has no enabled user to act for.`)
  return { userId: user.id }
}

/** The named app, or the company's own app for the command line. */
async function appFor(tx: Tx, vault: Vault, options: { company: number; app?: string }): Promise<{ id: number }> {
  if (options.app !== undefined) return getApp(tx, options.app)
  const own = await findOwnApp(tx, options.company, OWN_APP)
  const details = { companyId: options.company, name: OWN_APP, redirectUris: [] }
  return own ?? createApp(tx, details, vault, actor, now())
}
