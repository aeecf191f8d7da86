import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Row } from '#platform/db/expressions.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { listPublishedKeys, listSigningKeys } from './queries.ts'
import { isPublished, PUBLISHED_BEFORE_SECONDS, retiredForGood, roundedEnd } from './rules.ts'
import { generateKey, signClaims } from './sign.secrets.ts'
import type { PlacedKey, SigningKey } from './state.ts'

/** Any number that no other advisory lock of the service uses. */
const KEYS_LOCK = 5_601_001

export const SIGNING_KEYS_PURPOSE = 'signing key'

/** Only one transaction at a time adds or removes keys, so that many processes agree on the first and the next one. */
async function lockKeys(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${KEYS_LOCK})`.execute(tx)
}

async function insertKey(tx: Tx, vault: Vault, signsFrom: Date, now: Date): Promise<SigningKey> {
  const { kid, publicKey, privateKey } = await generateKey()
  return tx
    .insertInto('signing_keys')
    .values({
      kid,
      public_key: publicKey,
      private_key: vault.seal(SIGNING_KEYS_PURPOSE, privateKey),
      created_at: now,
      signs_from: signsFrom,
    })
    .returning(['kid', 'public_key', 'created_at', 'signs_from', 'files_end_at', 'signed_for_good'])
    .executeTakeFirstOrThrow()
}

/** The published keys. The first one is created here, because an empty list would be kept by those who read it. */
export async function publishKeys(tx: Tx, vault: Vault, now: Date): Promise<PlacedKey[]> {
  await lockKeys(tx)
  const published = await listPublishedKeys(tx, now)
  if (published.length > 0) return published
  await insertKey(tx, vault, now, now)
  return listPublishedKeys(tx, now)
}

/**
 * Adds a key that signs when everybody who keeps the published keys has read it. While one is waiting already, no other
 * is added, so that two rotations at once are one.
 */
export async function rotateKeys(tx: Tx, vault: Vault, now: Date): Promise<{ key: SigningKey; isNew: boolean }> {
  await lockKeys(tx)
  const keys = await listSigningKeys(tx, now)
  const waiting = keys.find(({ state }) => state === 'waiting')
  if (waiting !== undefined) return { key: waiting, isNew: false }
  const signsFrom = keys.length === 0 ? now : new Date(now.getTime() + PUBLISHED_BEFORE_SECONDS * 1000)
  return { key: await insertKey(tx, vault, signsFrom, now), isNew: true }
}

type OpenKey = { kid: string; privateKey: string; files_end_at: Date | null; signed_for_good: boolean }

/** The private half, or undefined if it was sealed with a secret that the installation has lost. */
function opened(vault: Vault, sealed: Buffer): string | undefined {
  try {
    return vault.open(SIGNING_KEYS_PURPOSE, sealed)
  } catch {
    return undefined
  }
}

/** The key that signs now. Where there is none, or none that can be opened, one is created that signs at once. */
async function keyThatSigns(tx: Tx, vault: Vault, now: Date): Promise<OpenKey> {
  const found = await findOpenKey(tx, vault, now)
  if (found !== undefined) return found
  await lockKeys(tx)
  const foundMeanwhile = await findOpenKey(tx, vault, now)
  if (foundMeanwhile !== undefined) return foundMeanwhile
  await insertKey(tx, vault, now, now)
  const created = await findOpenKey(tx, vault, now)
  if (created === undefined) throw new Error('a signing key that was just created cannot be opened')
  return created
}

async function findOpenKey(tx: Tx, vault: Vault, now: Date): Promise<OpenKey | undefined> {
  const key = await tx
    .selectFrom('signing_keys')
    .select(['kid', 'private_key', 'files_end_at', 'signed_for_good'])
    // The first key signs for processes too whose clock is behind that of its creator.
    .where(
      'signs_from',
      '<=',
      sql<Row<'signing_keys'>['signs_from']>`greatest(${now}, (select min(signs_from) from signing_keys))`,
    )
    .orderBy('signs_from', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('kid', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (key?.private_key === undefined || key.private_key === null) return undefined
  const privateKey = opened(vault, key.private_key)
  return privateKey === undefined ? undefined : { ...key, privateKey }
}

export type Signed = { jws: string; kid: string }

/**
 * Signs a file that is valid until `end`, or without an end. The key stays published for as long as the file is valid,
 * which is written in the transaction that issues the file.
 */
export async function signFile(
  tx: Tx,
  vault: Vault,
  file: { type: string; claims: Record<string, unknown>; end: Date | null },
  now: Date,
): Promise<Signed> {
  const key = await keyThatSigns(tx, vault, now)
  await noteEnd(tx, key, file.end)
  return { jws: await signClaims(key, file.type, file.claims), kid: key.kid }
}

async function noteEnd(tx: Tx, { kid, files_end_at, signed_for_good }: OpenKey, end: Date | null): Promise<void> {
  const update = tx.updateTable('signing_keys').where('kid', '=', kid)
  if (end === null) {
    if (!signed_for_good) await update.set({ signed_for_good: true }).execute()
    return
  }
  if (files_end_at !== null && files_end_at >= end) return
  const noted = roundedEnd(end)
  // Another transaction may have noted a later end.
  await update.set({ files_end_at: sql<Row<'signing_keys'>['signs_from']>`greatest(files_end_at, ${noted})` }).execute()
}

/** Deletes the private halves of keys that no longer sign, and the keys that are no longer published. */
export async function forgetOldKeys(tx: Tx, now: Date): Promise<void> {
  await lockKeys(tx)
  const keys = await listSigningKeys(tx, now)
  const unpublished = keys.filter((key) => !isPublished(key, now)).map(({ kid }) => kid)
  if (unpublished.length > 0) await tx.deleteFrom('signing_keys').where('kid', 'in', unpublished).execute()
  const retired = placedBefore(keys, retiredForGood(now))
  if (retired.length > 0)
    await tx.updateTable('signing_keys').set({ private_key: null }).where('kid', 'in', retired).execute()
}

/** The keys whose successor has signed since before a time. */
function placedBefore(keys: readonly PlacedKey[], time: Date): string[] {
  return keys.flatMap(({ kid }, index) => {
    const next = keys[index + 1]
    return next !== undefined && next.signs_from < time ? [kid] : []
  })
}
