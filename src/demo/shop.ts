import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCompany } from '#companies/commands.ts'
import { findCompany, readCompanyIds } from '#companies/queries.ts'
import { createApp, issueToken } from '#oauth/commands.ts'
import { findApp } from '#oauth/queries.ts'
import { ALL_SCOPES } from '#oauth/scopes.ts'
import { type Clock, nowInSeconds } from '#platform/clock.ts'
import { hashPassword, randomToken } from '#platform/crypto.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createUser } from '#users/commands.ts'
import { findFirstUser } from '#users/queries.ts'
import { seedShop } from './seed.ts'

const EMAIL = 'demo@licet.example'
const PRODUCTS = 24
const SEED = 1
const TOKEN_SECONDS = 86_400

/** How to get into the demo shop. */
export type DemoAccess = {
  company_id: number
  user_email: string
  password: string
  client_id: string
  access_token: string
}

type Kept = Omit<DemoAccess, 'access_token'>

/** Makes the demo shop in an empty database, and a fresh access token at every start. Other people's data stays alone. */
export async function demoAccess(db: Db, dataFolder: string, clock: Clock): Promise<DemoAccess | undefined> {
  const file = join(dataFolder, 'demo.json')
  const kept =
    (await readKept(db, file)) ??
    ((await readCompanyIds(db)).length === 0 ? await makeDemo(db, file, clock) : undefined)
  if (kept === undefined) return undefined
  const [app, user] = await Promise.all([findApp(db, kept.client_id), findFirstUser(db, kept.company_id)])
  if (app === undefined || user === undefined) return undefined
  const grant = {
    companyId: kept.company_id,
    appId: app.id,
    userId: user.id,
    scopes: ALL_SCOPES,
    lifetimeSeconds: TOKEN_SECONDS,
  }
  const token = await inTransaction(db, (tx) => issueToken(tx, grant, nowInSeconds(clock)))
  return { ...kept, access_token: token }
}

/** What was kept of an earlier start, if it still fits this database. */
async function readKept(db: Db, file: string): Promise<Kept | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const kept = JSON.parse(text) as Kept
  return (await findCompany(db, kept.company_id)) === undefined ? undefined : kept
}

async function makeDemo(db: Db, file: string, clock: Clock): Promise<Kept> {
  const password = randomToken(9)
  const passwordHash = await hashPassword(password)
  const now = nowInSeconds(clock)
  const kept = await inTransaction(db, async (tx) => {
    const company = await createCompany(
      tx,
      { company_name: 'Licet Demo Shop', email: EMAIL, country_code: 'DE', currency: 'EUR' },
      now,
    )
    await createUser(tx, { companyId: company.id, email: EMAIL, passwordHash }, now)
    const app = await createApp(tx, { companyId: company.id, name: 'Demo app', redirectUris: [] }, now)
    return { company_id: company.id, user_email: EMAIL, password, client_id: app.client_id }
  })
  await seedShop(db, { companyId: kept.company_id, products: PRODUCTS, seed: SEED, now })
  await writeFile(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  return kept
}
