import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { errorCode } from '#platform/errors/error-code.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import { resealColumn, type SealedColumn } from '#platform/identity/sealed-columns.ts'
import { createVault, type Vault } from '#platform/identity/vault.ts'
import type { Config } from '#platform/settings/config.ts'
import { StartError } from './start-error.ts'

const FINGERPRINT = 'fingerprint of the secret'
const SECRET_MIN = 32

export const secretFile = (dataFolder: string) => join(dataFolder, 'secret')
export const fingerprintOf = (vault: Vault) => vault.key(FINGERPRINT).toString('hex')

/** The vault of this installation. A process whose secret differs is stopped before it seals anything. */
export async function openVault(config: Pick<Config, 'secret' | 'dataFolder'>, db: Db): Promise<Vault> {
  const vault = await ownVault(config)
  const fingerprint = fingerprintOf(vault)
  await db
    .insertInto('installation')
    .values({ name: FINGERPRINT, value: fingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { value } = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', FINGERPRINT)
    .executeTakeFirstOrThrow()
  const where = config.secret === undefined ? secretFile(config.dataFolder) : 'LICET_SECRET'
  if (value !== fingerprint)
    throw new StartError(
      `This database was set up with another secret than the one in ${where}: give this machine the same one. If it is lost, run licet secret renew.`,
    )
  return vault
}

/** The fingerprint of the secret that the database is sealed with; undefined before the first start. */
export async function findFingerprint(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', FINGERPRINT).executeTakeFirst()
  return row?.value
}

/**
 * Makes the secret of this process the right one from now on. Values sealed with the old one cannot be opened any more.
 * Returns false if it was the right one already.
 */
export async function renewSecret(config: Pick<Config, 'secret' | 'dataFolder'>, db: Db): Promise<boolean> {
  return noteFingerprint(db, await ownVault(config))
}

export type Rotation = { renewed: boolean; sealed: number; lost: number }

/** Makes the secret of this process the right one, and seals with it what was sealed with the one in a file: all or nothing. */
export async function rotateSecret(
  config: Pick<Config, 'secret' | 'dataFolder'>,
  db: Db,
  oldFile: string,
  columns: readonly SealedColumn[],
): Promise<Rotation> {
  const before = createVault(await secretIn(oldFile))
  const vault = await ownVault(config)
  return inTransaction(db, async (tx) => {
    const known = await tx
      .selectFrom('installation')
      .select('value')
      .where('name', '=', FINGERPRINT)
      .forUpdate()
      .executeTakeFirst()
    if (known?.value === fingerprintOf(vault)) return { renewed: false, sealed: 0, lost: 0 }
    if (known !== undefined && known.value !== fingerprintOf(before))
      throw new StartError(`The secret in ${oldFile} is not the one that this database was set up with.`)
    let [sealed, lost] = [0, 0]
    for (const column of columns) {
      const resealed = await resealColumn(tx, column, before, vault)
      sealed += resealed.sealed
      lost += resealed.lost
    }
    return { renewed: await noteFingerprint(tx, vault), sealed, lost }
  })
}

async function noteFingerprint(db: Db | Tx, vault: Vault): Promise<boolean> {
  const value = fingerprintOf(vault)
  const renewed = await db
    .insertInto('installation')
    .values({ name: FINGERPRINT, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }).where('installation.value', '!=', value))
    .returning('name')
    .executeTakeFirst()
  return renewed !== undefined
}

/** The secret that a file holds. */
async function secretIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: { code?: string }) => {
    throw new StartError(`The file ${file}, which holds the old secret, can't be read (${error.code}).`)
  })
  return longEnough(file, text)
}

async function ownVault({ secret, dataFolder }: Pick<Config, 'secret' | 'dataFolder'>): Promise<Vault> {
  return createVault(secret ?? (await keptSecret(secretFile(dataFolder))))
}

/** Reads the secret from the file, or creates it at the first start. Of two first starts at once, one creates it. */
async function keptSecret(file: string): Promise<string> {
  const text = await readOrMake(file).catch((error: { code?: string }) => {
    throw new StartError(
      `The file ${file}, which holds the secret, can't be used (${error.code}): set LICET_SECRET instead.`,
    )
  })
  return longEnough(file, text)
}

function longEnough(file: string, text: string): string {
  const secret = text.trim()
  if (secret.length < SECRET_MIN) throw new StartError(`The file ${file} does not hold the secret that it should.`)
  return secret
}

async function readOrMake(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch((error: { code?: string }) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (kept !== undefined) return kept
  // The file is linked to its name when it is complete, so it is never read half-written and never overwritten.
  const draft = `${file}.${randomToken(6)}`
  await writeFile(draft, `${randomToken()}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  return readFile(file, 'utf8')
}
