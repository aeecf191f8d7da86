import { record } from '#history/audit/commands.ts'
import { emit } from '#history/events/emit.commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { fieldInvalid, urlInvalid } from '#platform/errors/faults.ts'
import { FieldReport, validationFailed } from '#platform/errors/problem.ts'
import { randomToken, tokenHash } from '#platform/identity/crypto.ts'
import type { Origin } from '#platform/identity/origin.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { appNameInvalid, appNotFound, clientIdInvalid, clientIdTaken, redirectUriInvalid } from './errors.ts'
import { isClientId, isRedirectUri } from './rules.ts'
import type { Scope } from './scopes.facts.ts'

export const APP_SECRETS_PURPOSE = 'app secrets'
const NAME_MAX = 100

export type AppDetails = {
  name: string
  redirectUris: string[]
  scopes?: Scope[]
  developerEmail?: string
  dataChangeSyncUrl?: string | null
}

/** A client with a fixed client id brings it along; for others the service makes one. */
export type NewApp = AppDetails & { companyId: number; clientId?: string }

/** The user who changes an app, and the origin of the request. */
export type Actor = { userId: number | null; origin: Origin }

function check({ name, redirectUris, developerEmail, dataChangeSyncUrl }: Partial<AppDetails>): void {
  const report = new FieldReport()
  if (name !== undefined && (name.trim() === '' || name.length > NAME_MAX)) report.add('name', appNameInvalid(NAME_MAX))
  for (const [index, uri] of (redirectUris ?? []).entries())
    if (!isRedirectUri(uri)) report.add(`redirect_uris[${index}]`, redirectUriInvalid())
  if (developerEmail !== undefined && developerEmail !== '' && !/^[^@\s]{1,64}@[^@\s]+$/.test(developerEmail))
    report.add('developer_email', fieldInvalid('must be an email address'))
  if (dataChangeSyncUrl != null && !(URL.canParse(dataChangeSyncUrl) && /^https?:/.test(dataChangeSyncUrl)))
    report.add('data_change_sync_url', urlInvalid())
  report.throwIfAny()
}

function newSecret(vault: Vault) {
  const secret = randomToken()
  return { secret, secret_hash: tokenHash(secret), sealed_secret: vault.seal(APP_SECRETS_PURPOSE, secret) }
}

/** The secret of an app, to sign what is sent to it. */
export function openSecret(vault: Vault, sealed: Buffer): string {
  return vault.open(APP_SECRETS_PURPOSE, sealed)
}

export type RegisteredApp = { id: number; company_id: number; client_id: string; name: string; client_secret: string }

/** A random client id. One token in 32 begins with a hyphen or an underscore, and another is drawn instead. */
export function newClientId(): string {
  let id = randomToken(18)
  while (!isClientId(id)) id = randomToken(18)
  return id
}

/** Registers an app and returns its secret, which is shown only once. */
export async function createApp(tx: Tx, app: NewApp, vault: Vault, actor: Actor, now: Date): Promise<RegisteredApp> {
  check(app)
  if (app.clientId !== undefined && !isClientId(app.clientId)) throw validationFailed('client_id', clientIdInvalid())
  const { secret, ...kept } = newSecret(vault)
  const created = await tx
    .insertInto('apps')
    .values({
      ...kept,
      company_id: app.companyId,
      client_id: app.clientId ?? newClientId(),
      name: app.name,
      redirect_uris: app.redirectUris,
      scopes: app.scopes ?? [],
      developer_email: app.developerEmail ?? '',
      data_change_sync_url: app.dataChangeSyncUrl ?? null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((on) => on.column('client_id').doNothing())
    .returning(['id', 'company_id', 'client_id', 'name'])
    .executeTakeFirst()
  if (created === undefined) throw validationFailed('client_id', clientIdTaken())
  await put(tx, created, 'app created', actor, now)
  return { ...created, client_secret: secret }
}

/** Changes the named fields of an app, and tells the companies in which it is installed. */
export async function changeApp(
  tx: Tx,
  companyId: number,
  clientId: string,
  changes: Partial<AppDetails>,
  actor: Actor,
  now: Date,
): Promise<void> {
  check(changes)
  const changed = await tx
    .updateTable('apps')
    .set({
      ...(changes.name === undefined ? {} : { name: changes.name }),
      ...(changes.redirectUris === undefined ? {} : { redirect_uris: changes.redirectUris }),
      ...(changes.scopes === undefined ? {} : { scopes: changes.scopes }),
      ...(changes.developerEmail === undefined ? {} : { developer_email: changes.developerEmail }),
      ...(changes.dataChangeSyncUrl === undefined ? {} : { data_change_sync_url: changes.dataChangeSyncUrl }),
      updated_at: now,
    })
    .where('company_id', '=', companyId)
    .where('client_id', '=', clientId)
    .returning(['id', 'company_id', 'name'])
    .executeTakeFirst()
  if (changed === undefined) throw appNotFound(clientId)
  await put(tx, changed, 'app changed', actor, now)
  for (const installed of await companiesWith(tx, changed.id))
    await emit(tx, installed, 'app/update', now, [{ type: 'app', id: String(changed.id) }])
}

async function companiesWith(tx: Tx, appId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('grants')
    .select('company_id')
    .distinct()
    .where('app_id', '=', appId)
    .where('customer_id', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
  return rows.map(({ company_id }) => company_id)
}

/** Gives an app a new secret and returns it. The previous one works for a while, so that the app keeps running. */
export async function rotateSecret(
  tx: Tx,
  companyId: number,
  clientId: string,
  overlapSeconds: number,
  vault: Vault,
  actor: Actor,
  now: Date,
): Promise<string> {
  const { secret, ...kept } = newSecret(vault)
  const rotated = await tx
    .updateTable('apps')
    .set((row) => ({
      ...kept,
      previous_secret_hash: row.ref('secret_hash'),
      previous_sealed_secret: row.ref('sealed_secret'),
      previous_secret_until: new Date(now.getTime() + overlapSeconds * 1000),
      updated_at: now,
    }))
    .where('company_id', '=', companyId)
    .where('client_id', '=', clientId)
    .returning(['id', 'company_id', 'name'])
    .executeTakeFirst()
  if (rotated === undefined) throw appNotFound(clientId)
  await put(tx, rotated, 'app secret rotated', actor, now)
  return secret
}

function put(
  tx: Tx,
  app: { id: number; company_id: number; name: string },
  action: 'app created' | 'app changed' | 'app secret rotated',
  { userId, origin }: Actor,
  now: Date,
): Promise<void> {
  return record(tx, { companyId: app.company_id, userId, appId: app.id, action, subject: app.name }, origin, now)
}
