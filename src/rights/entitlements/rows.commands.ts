import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { prepareInsertRows } from '#platform/db/row-inserts.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import type { Alike } from './alike.queries.ts'
import { saveUsage } from './memberships/usage.commands.ts'
import { storedDocument } from './present.ts'
import type { Owned } from './queries.ts'
import { NO_USAGE } from './rights/rules.ts'
import type { Usage } from './rights/state.ts'
import { newPiece, presentedUntil } from './rules.ts'
import type { EntitlementState, NewEntitlement } from './state.ts'

/** How entitlements are stored: a row each, with a document that holds until a certain time. */

function documentOf(entitlement: EntitlementState, language: string, now: Date) {
  const document_until = presentedUntil(entitlement, now)
  return { document: storedDocument(entitlement, language, now), document_until }
}

const insertPieces = prepareWrite('insert', 'entitlements', (tx: Tx, companyId: number, rows: string) =>
  sql`insert into entitlements (company_id, customer_id, customer_token, order_id, line_id, piece, test, product_key,
      content_company_id, content_key, product_id, product_type, title, hd, audio_type, num_users, license_id,
      license_title, terms, acquired_at, granted_at, released_at, awaits_release, first_used_at, revoked, revoked_at,
      on_hold, suspended, usage, updated_at, document, language, document_until)
    select ${companyId}, customer_id, customer_token, order_id, line_id, number, test, product_key, content_company_id,
      content_key, product_id, product_type, title, hd, audio_type, num_users, license_id, license_title, terms,
      acquired_at, granted_at, released_at, awaits_release, first_used_at, revoked, revoked_at, on_hold, suspended, usage,
      updated_at, document, language, document_until
    from json_to_recordset(${rows}::json) as granted (customer_id bigint, customer_token text, order_id bigint,
      line_id bigint, pieces integer, test boolean, product_key bigint, content_company_id bigint, content_key bigint,
      product_id text, product_type smallint, title text, hd boolean, audio_type integer, num_users integer,
      license_id bigint, license_title text, terms jsonb, acquired_at timestamptz, granted_at timestamptz,
      released_at timestamptz, awaits_release boolean, first_used_at timestamptz, revoked text, revoked_at timestamptz,
      on_hold boolean, suspended boolean, usage jsonb, updated_at timestamptz, document text, language text,
      document_until timestamptz)
    cross join generate_series(1, granted.pieces) as number`.compile(tx),
)

/** Most people buy one of a thing. */
const insertSingles = prepareInsertRows('entitlements', {
  company_id: true,
  id: false,
  customer_id: true,
  customer_token: true,
  order_id: true,
  line_id: true,
  piece: true,
  test: true,
  product_key: true,
  content_company_id: true,
  content_key: true,
  product_id: true,
  product_type: true,
  title: true,
  hd: true,
  audio_type: true,
  num_users: true,
  license_id: true,
  license_title: true,
  group_id: true,
  group_product_key: true,
  terms: true,
  acquired_at: true,
  granted_at: true,
  released_at: true,
  awaits_release: true,
  first_used_at: true,
  revoked: true,
  revoked_at: true,
  on_hold: true,
  suspended: true,
  usage: true,
  updated_at: true,
  document: true,
  language: true,
  document_until: true,
})

/** Adds the pieces of everything that is granted. Each piece has a row of its own. */
export async function insertEntitlements(
  tx: Tx,
  granted: readonly NewEntitlement[],
  language: string,
  now: Date,
): Promise<void> {
  const [first] = granted
  if (first === undefined) return
  const rows = granted.map((entitlement) => {
    const piece = newPiece(entitlement, now)
    return { ...piece, pieces: entitlement.pieces, language, ...documentOf(piece, language, now) }
  })
  if (rows.every(({ pieces }) => pieces === 1)) await insertSingles(tx, rows)
  else await insertPieces(tx, first.company_id, JSON.stringify(rows))
}

const updateRows = prepareWrite('update', 'entitlements', (tx: Tx, companyId: number, rows: string) =>
  sql`update entitlements set acquired_at = fresh.acquired_at, released_at = fresh.released_at,
      awaits_release = fresh.awaits_release, first_used_at = fresh.first_used_at, revoked = fresh.revoked,
      revoked_at = fresh.revoked_at, on_hold = fresh.on_hold, suspended = fresh.suspended, usage = fresh.usage,
      updated_at = fresh.updated_at, document = fresh.document, language = fresh.language,
      document_until = fresh.document_until
    from json_to_recordset(${rows}::json) as fresh (ids bigint[], acquired_at timestamptz, released_at timestamptz,
      awaits_release boolean, first_used_at timestamptz, revoked text, revoked_at timestamptz, on_hold boolean,
      suspended boolean, usage jsonb, updated_at timestamptz, document text, language text,
      document_until timestamptz)
    cross join lateral unnest(fresh.ids) as changed (id)
    where entitlements.company_id = ${companyId} and entitlements.id = changed.id`.compile(tx),
)

/** Stores entitlements as they are now, with their documents. */
export function saveEntitlements(tx: Tx, companyId: number, changed: readonly Owned[], now: Date): Promise<void> {
  const each = changed.map((owned) => ({ ...owned, pieces: [owned.entitlement] }))
  return saveAlike(tx, companyId, each, now)
}

/** Pieces that one statement changes. Each of them may have a document of its own. */
const PIECES_AT_ONCE = 1000

/** Stores pieces as they are now. Those that are alike share one document. */
export async function saveAlike(tx: Tx, companyId: number, changed: readonly Alike[], now: Date): Promise<void> {
  for (const batch of batchesOf(changed)) {
    const rows = batch.map(({ entitlement, language, pieces }) => ({
      ids: pieces.map(({ id }) => id),
      acquired_at: entitlement.acquired_at,
      released_at: entitlement.released_at,
      awaits_release: entitlement.awaits_release,
      first_used_at: entitlement.first_used_at,
      revoked: entitlement.revoked,
      revoked_at: entitlement.revoked_at,
      on_hold: entitlement.on_hold,
      suspended: entitlement.suspended,
      usage: ownUsage(entitlement),
      updated_at: entitlement.updated_at,
      language,
      ...documentOf(entitlement, language, now),
    }))
    await updateRows(tx, companyId, JSON.stringify(rows))
    for (const { entitlement } of batch) await saveUsageOf(tx, entitlement)
  }
}

function* batchesOf(changed: readonly Alike[]): Generator<Alike[]> {
  let batch: Alike[] = []
  let room = PIECES_AT_ONCE
  for (const { pieces, ...rest } of changed)
    for (let at = 0; at < pieces.length; ) {
      const part = pieces.slice(at, at + room)
      batch.push({ ...rest, pieces: part })
      at += part.length
      room -= part.length
      if (room > 0) continue
      yield batch
      batch = []
      room = PIECES_AT_ONCE
    }
  if (batch.length > 0) yield batch
}

const updateUse = prepareWrite(
  'update',
  'entitlements',
  (
    tx: Tx,
    companyId: number,
    id: number,
    firstUsedAt: Date | null,
    releasedAt: Date | null,
    awaitsRelease: boolean,
    revoked: string | null,
    revokedAt: Date | null,
    suspended: boolean,
    usage: string,
    updatedAt: Date,
    document: string,
    language: string,
    documentUntil: Date | null,
  ) =>
    sql`update entitlements set first_used_at = ${firstUsedAt}::timestamptz, released_at = ${releasedAt}::timestamptz,
        awaits_release = ${awaitsRelease}, revoked = ${revoked}::text,
        revoked_at = ${revokedAt}::timestamptz, suspended = ${suspended}, usage = ${usage}::jsonb,
        updated_at = ${updatedAt}, document = ${document}, language = ${language},
        document_until = ${documentUntil}::timestamptz
      where company_id = ${companyId} and id = ${id}`.compile(tx),
)

/** Stores what a use has changed. */
export async function saveUse(tx: Tx, { entitlement, language }: Owned, now: Date): Promise<void> {
  const { company_id, id, first_used_at, released_at, awaits_release, revoked, revoked_at, suspended, updated_at } =
    entitlement
  const { document, document_until } = documentOf(entitlement, language, now)
  const stored = JSON.stringify(ownUsage(entitlement))
  const saving = saveUsageOf(tx, entitlement)
  await updateUse(
    tx,
    company_id,
    id,
    first_used_at,
    released_at,
    awaits_release,
    revoked,
    revoked_at,
    suspended,
    stored,
    updated_at,
    document,
    language,
    document_until,
  )
  await saving
}

/** The uses of what a member has opened are counted with the membership. */
function ownUsage({ group_id, usage }: EntitlementState): Usage {
  return group_id === null ? usage : NO_USAGE
}

async function saveUsageOf(tx: Tx, { company_id, customer_id, group_id, usage }: EntitlementState): Promise<void> {
  if (group_id !== null) await saveUsage(tx, { company_id, customer_id, group_id }, usage)
}
