import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import { findCompany } from '#identity/companies/queries.ts'
import { namesOf, readPermissions } from '#identity/users/rules.ts'
import type { Permissions } from '#identity/users/schema.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf, condition } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import type { DB } from '#platform/db/types.gen.ts'
import type { Caller, TokenCaller } from '#platform/identity/caller.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import { appNotFound } from './errors.ts'
import { isForCustomer } from './scopes.facts.ts'
import type { App, OwnApp } from './state.ts'

/**
 * The caller behind a token; undefined if the token is unknown or its grant was revoked. A token of a company cannot act
 * for a customer, and one of a customer can do nothing else, whatever scopes are stored.
 */
export async function findCaller(db: Db, token: string): Promise<TokenCaller | undefined> {
  const row = await db
    .selectFrom('access_tokens')
    .innerJoin('grants', (join) =>
      join
        .onRef('grants.company_id', '=', 'access_tokens.company_id')
        .onRef('grants.id', '=', 'access_tokens.grant_id'),
    )
    .innerJoin('apps', 'apps.id', 'grants.app_id')
    // The user of a partner lets apps in for other companies.
    .leftJoin('users', 'users.id', 'grants.user_id')
    .select([
      'access_tokens.company_id',
      'access_tokens.scopes',
      'access_tokens.expires_at',
      'grants.user_id',
      'grants.customer_id',
      'grants.app_id',
      'apps.client_id',
      'users.permissions',
    ])
    .$narrowType<{ permissions: Partial<Permissions> | null }>()
    .where('access_tokens.token_hash', '=', tokenHash(token))
    .where('grants.revoked_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { company_id: companyId, customer_id: customerId, user_id: userId } = row
  const app = {
    appId: row.app_id,
    clientId: row.client_id,
    scopes: new Set(row.scopes.filter((scope) => isForCustomer(scope) === (customerId !== null))),
    expiresAt: row.expires_at,
  }
  if (customerId !== null) return { kind: 'customer', companyId, userId: null, customerId, ...app }
  // A grant that no customer gave was given by a user.
  const permissions = namesOf(readPermissions(row.permissions ?? {}))
  return { kind: 'app', companyId, userId: userId ?? 0, customerId, permissions, ...app }
}

export type Holder = { id: number; token: string; email: string; isEnabled: boolean; companyId: number }

/** The customer whom a token or a grant acts for; undefined if it acts for the company. */
export async function findHolder(
  db: Db,
  { companyId, customerId }: Pick<Caller, 'companyId' | 'customerId'>,
): Promise<Holder | undefined> {
  if (customerId === null) return undefined
  const row = await db
    .selectFrom('customers')
    .select(['id', 'token', 'email', 'state'])
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { state, ...customer } = row
  return { ...customer, isEnabled: state === 'enabled', companyId }
}

const APP = [
  'id',
  'company_id',
  'client_id',
  'name',
  'redirect_uris',
  'scopes',
  'developer_email',
  'data_change_sync_url',
  'secret_hash',
  'previous_secret_hash',
  'previous_secret_until',
] as const

export function findApp(db: Db, clientId: string): Promise<App | undefined> {
  return db.selectFrom('apps').select(APP).where('client_id', '=', clientId).executeTakeFirst()
}

/** Every read of what a company has registered starts here. */
function appsOf(db: Db, companyId: number) {
  return db
    .selectFrom('apps')
    .select(APP.map((column) => `apps.${column}` as const))
    .where('apps.company_id', '=', companyId)
}

/** Has a user of the company let the app in? */
function isLetInBy(companyId: RawBuilder<unknown>) {
  return condition`exists (select from grants where grants.company_id = ${companyId} and grants.app_id = apps.id
    and grants.customer_id is null and grants.revoked_at is null)`
}

function registeredBy(db: Db, companyId: number) {
  return appsOf(db, companyId)
    .select(['apps.created_at', 'apps.updated_at'])
    .select(isLetInBy(sql.ref('apps.company_id')).as('is_installed'))
}

const registered = prepareList((db: Db, { company }: { company: number }) => registeredBy(db, company))

/** The apps that a company has registered. */
export function listOwnApps(db: Db, companyId: number): RowList<OwnApp> {
  return registered(db, { company: companyId })
}

function ownApp(db: Db, companyId: number, ref: string) {
  if (!/^\d{1,15}$/.test(ref)) throw appNotFound(ref)
  return registeredBy(db, companyId).where('apps.id', '=', Number(ref))
}

/** An app that the company has registered; another company's is not found. */
export async function getOwnApp(db: Db, companyId: number, ref: string): Promise<OwnApp> {
  const app = await ownApp(db, companyId, ref).executeTakeFirst()
  if (app === undefined) throw appNotFound(ref)
  return app
}

/** getOwnApp that locks the row until the transaction ends. */
export async function lockOwnApp(tx: Tx, companyId: number, ref: string): Promise<OwnApp> {
  const app = await ownApp(tx, companyId, ref).forNoKeyUpdate('apps').executeTakeFirst()
  if (app === undefined) throw appNotFound(ref)
  return app
}

/** An app that acts, or could act, for a company: one that the company has let in, or has registered. */
export async function findUsableApp(
  db: Db,
  companyId: number,
  appId: number,
): Promise<{ name: string; is_installed: boolean } | undefined> {
  const app = await db
    .selectFrom('apps')
    .select(['apps.name', 'apps.company_id'])
    .select(isLetInBy(sql.val(companyId)).as('is_installed'))
    .where('apps.id', '=', appId)
    .executeTakeFirst()
  return app !== undefined && (app.is_installed || app.company_id === companyId) ? app : undefined
}

/** The app, whoever registered it, as a mail to its developer names it. */
export function getDeveloper(db: Db, appId: number): Promise<Pick<App, 'company_id' | 'name' | 'developer_email'>> {
  return db
    .selectFrom('apps')
    .select(['company_id', 'name', 'developer_email'])
    .where('id', '=', appId)
    .executeTakeFirstOrThrow()
}

/** The names of apps, by their ids. */
export async function readAppNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('apps').select(['id', 'name']).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The company that registered an app. */
export async function findOwnerName(db: Db, app: Pick<App, 'company_id'>): Promise<string> {
  return (await findCompany(db, app.company_id))?.company_name ?? ''
}

/** A company's own app with this name; the oldest, if there are several. */
export function findOwnApp(db: Db, companyId: number, name: string): Promise<App | undefined> {
  return appsOf(db, companyId).where('name', '=', name).orderBy('id').limit(1).executeTakeFirst()
}

export function listApps(db: Db, companyId: number): Promise<App[]> {
  return appsOf(db, companyId).orderBy('id').execute()
}

export type AllowedApp = {
  app_id: number
  client_id: string
  name: string
  scopes: string[]
  user_email: string
  created_at: Date
  last_token_at: Date | null
}

/** When a grant was last used to get a token. One in use gets a new one every half hour, and its refresh tokens are kept. */
function lastTokenAt({ fn, selectFrom }: ExpressionBuilder<DB, 'grants'>) {
  const access = selectFrom('access_tokens')
    .select((token) => token.fn.max('issued_at').as('at'))
    .whereRef('access_tokens.company_id', '=', 'grants.company_id')
    .whereRef('access_tokens.grant_id', '=', 'grants.id')
  const refresh = selectFrom('refresh_tokens')
    .select((token) => token.fn.max('issued_at').as('at'))
    .whereRef('refresh_tokens.company_id', '=', 'grants.company_id')
    .whereRef('refresh_tokens.grant_id', '=', 'grants.id')
  return fn<Date | null>('greatest', [access, refresh])
}

/** The grants of a company, newest first. */
export function listAllowedApps(db: Db, companyId: number): Promise<AllowedApp[]> {
  return db
    .selectFrom('grants')
    .innerJoin('apps', 'apps.id', 'grants.app_id')
    .innerJoin('users', 'users.id', 'grants.user_id')
    .select((grant) => [
      'grants.app_id',
      'apps.client_id',
      'apps.name',
      'grants.scopes',
      'users.email as user_email',
      'grants.created_at',
      lastTokenAt(grant).as('last_token_at'),
    ])
    .where('grants.company_id', '=', companyId)
    .where('grants.revoked_at', 'is', null)
    .orderBy('grants.id', 'desc')
    .limit(200)
    .execute()
}

export type CustomerApp = Pick<AllowedApp, 'app_id' | 'client_id' | 'name'> & { customers: number; created_at: Date }

/** The apps that customers of a company have let in, with the number of customers. */
export function listCustomerApps(db: Db, companyId: number): Promise<CustomerApp[]> {
  return db
    .selectFrom('grants')
    .innerJoin('apps', 'apps.id', 'grants.app_id')
    .select((select) => [
      'grants.app_id',
      'apps.client_id',
      'apps.name',
      select.fn.count<number>('grants.customer_id').distinct().as('customers'),
      select.fn.max('grants.created_at').as('created_at'),
    ])
    .where('grants.company_id', '=', companyId)
    .where('grants.customer_id', 'is not', null)
    .where('grants.revoked_at', 'is', null)
    .groupBy(['grants.app_id', 'apps.client_id', 'apps.name'])
    .orderBy('grants.app_id', 'desc')
    .limit(200)
    .execute()
}
