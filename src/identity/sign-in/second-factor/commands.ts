import { randomInt } from 'node:crypto'
import { record } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import type { Origin } from '#platform/identity/origin.ts'
import type { Session } from '#platform/identity/session.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { lockSecondFactor } from './queries.ts'
import { newSecret, stepOf } from './totp.secrets.ts'

type User = Pick<Session, 'companyId' | 'userId'>

export const SECOND_FACTORS_PURPOSE = 'second factors'
const RECOVERY_CODES = 10

/** Letters and digits that are not confused with one another. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

function newRecoveryCode(): string {
  const letters = Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)])
  return [0, 4, 8].map((at) => letters.slice(at, at + 4).join('')).join('-')
}

const plain = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '')

/**
 * Creates a secret that is not active yet: the user first has to show that a device knows it. Undefined if there is one
 * that is active.
 */
export async function prepareSecondFactor(tx: Tx, user: User, vault: Vault): Promise<string | undefined> {
  const secret = newSecret()
  const sealed_secret = vault.seal(SECOND_FACTORS_PURPOSE, secret)
  const prepared = await tx
    .insertInto('second_factors')
    .values({ company_id: user.companyId, user_id: user.userId, sealed_secret })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'user_id'])
        .doUpdateSet({ sealed_secret, used_step: 0 })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return prepared === undefined ? undefined : secret
}

/** The secret; undefined if it was sealed with a key that the service no longer has. */
function openSecret(vault: Vault, sealed: Buffer): string | undefined {
  try {
    return vault.open(SECOND_FACTORS_PURPOSE, sealed)
  } catch {
    return undefined
  }
}

/**
 * Turns the second factor on if the code is right, and returns the recovery codes, which are shown only once;
 * undefined if there is no secret to turn on.
 */
export async function confirmSecondFactor(
  tx: Tx,
  user: User,
  code: string,
  vault: Vault,
  origin: Origin,
  now: Date,
): Promise<string[] | 'wrong' | undefined> {
  const factor = await lockSecondFactor(tx, user)
  const secret = factor?.confirmed_at === null ? openSecret(vault, factor.sealed_secret) : undefined
  if (secret === undefined) return undefined
  const step = stepOf(secret, code, now)
  if (step === undefined) return 'wrong'
  await tx
    .updateTable('second_factors')
    .set({ confirmed_at: now, used_step: step })
    .where('company_id', '=', user.companyId)
    .where('user_id', '=', user.userId)
    .execute()
  await record(tx, { ...user, action: 'second factor turned on', subject: '' }, origin, now)
  return makeRecoveryCodes(tx, user, origin, now)
}

/** Replaces the recovery codes; undefined if the second factor is off. */
export async function renewRecoveryCodes(tx: Tx, user: User, origin: Origin, now: Date): Promise<string[] | undefined> {
  const factor = await lockSecondFactor(tx, user)
  return factor?.confirmed_at ? makeRecoveryCodes(tx, user, origin, now) : undefined
}

async function makeRecoveryCodes(tx: Tx, user: User, origin: Origin, now: Date): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await deleteRecoveryCodes(tx, user)
  await tx
    .insertInto('recovery_codes')
    .values(
      codes.map((code) => ({ company_id: user.companyId, user_id: user.userId, code_hash: tokenHash(plain(code)) })),
    )
    .execute()
  await record(tx, { ...user, action: 'recovery codes made', subject: '' }, origin, now)
  return codes
}

async function deleteRecoveryCodes(tx: Tx, { companyId, userId }: User): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('company_id', '=', companyId).where('user_id', '=', userId).execute()
}

/** Checks a code of the device or a recovery code. Either works once. `unreadable`: the secret cannot be opened. */
export async function passSecondFactor(
  tx: Tx,
  user: User,
  code: string,
  vault: Vault,
  now: Date,
): Promise<'code' | 'recovery code' | 'wrong' | 'unreadable'> {
  const factor = await lockSecondFactor(tx, user)
  if (factor === undefined || factor.confirmed_at === null) return 'wrong'
  const digits = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return useRecoveryCode(tx, user, code, now)
  const secret = openSecret(vault, factor.sealed_secret)
  if (secret === undefined) return 'unreadable'
  const step = stepOf(secret, digits, now)
  if (step === undefined || step <= factor.used_step) return 'wrong'
  await tx
    .updateTable('second_factors')
    .set({ used_step: step })
    .where('company_id', '=', user.companyId)
    .where('user_id', '=', user.userId)
    .execute()
  return 'code'
}

async function useRecoveryCode(tx: Tx, user: User, code: string, now: Date): Promise<'recovery code' | 'wrong'> {
  const used = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('company_id', '=', user.companyId)
    .where('user_id', '=', user.userId)
    .where('code_hash', '=', tokenHash(plain(code)))
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return used === undefined ? 'wrong' : 'recovery code'
}

/** Turns the second factor off, if it is on. */
export async function removeSecondFactor(tx: Tx, user: User, origin: Origin, now: Date): Promise<void> {
  const factor = await lockSecondFactor(tx, user)
  if (!factor?.confirmed_at) return
  await tx
    .deleteFrom('second_factors')
    .where('company_id', '=', user.companyId)
    .where('user_id', '=', user.userId)
    .execute()
  await deleteRecoveryCodes(tx, user)
  await record(tx, { ...user, action: 'second factor turned off', subject: '' }, origin, now)
}
