import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#platform/config.ts'
import { randomToken } from '#platform/crypto.ts'
import type { Db } from '#platform/db/database.ts'
import { createVault, type Vault } from '#platform/vault.ts'
import { StartError } from './start-error.ts'

const FINGERPRINT = 'fingerprint of the secret'

/** The vault of this installation. A process with another secret than the rest is stopped before it seals anything. */
export async function openVault({ secret, dataFolder }: Pick<Config, 'secret' | 'dataFolder'>, db: Db): Promise<Vault> {
  const file = join(dataFolder, 'secret')
  const vault = createVault(secret ?? (await keptSecret(file)))
  const fingerprint = vault.key(FINGERPRINT).toString('hex')
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
  if (value !== fingerprint)
    throw new StartError(
      `This database was set up with another secret than the one in ${secret === undefined ? file : 'LICET_SECRET'}: give this machine the same one. If it is lost, run licet secret renew.`,
    )
  return vault
}

/** Takes the secret of this process for the right one from now on. What the old one had sealed can't be opened any more. */
export async function renewSecret(
  { secret, dataFolder }: Pick<Config, 'secret' | 'dataFolder'>,
  db: Db,
): Promise<void> {
  const vault = createVault(secret ?? (await keptSecret(join(dataFolder, 'secret'))))
  const value = vault.key(FINGERPRINT).toString('hex')
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('installation')
      .values({ name: FINGERPRINT, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
  })
}

/** The secret in the file, which the first start makes; of two first starts at once one makes it and both read it. */
async function keptSecret(file: string): Promise<string> {
  await writeFile(file, `${randomToken()}\n`, { mode: 0o600, flag: 'wx' }).catch((error: { code?: string }) => {
    if (error.code !== 'EEXIST') throw error
  })
  const secret = (await readFile(file, 'utf8')).trim()
  if (secret.length < 32) throw new StartError(`The file ${file} does not hold the secret that it should.`)
  return secret
}
