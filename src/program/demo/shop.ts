import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { changeApp, createApp } from '#apps/oauth/apps.commands.ts'
import { findApp } from '#apps/oauth/queries.ts'
import { isRedirectUri } from '#apps/oauth/rules.ts'
import { ALL_SCOPES } from '#apps/oauth/scopes.facts.ts'
import { updateThemeSetting } from '#catalog/theme-settings/commands.ts'
import { findShopId } from '#catalog/theme-settings/queries.ts'
import { findCompany, readCompanyIds } from '#identity/companies/queries.ts'
import { issueToken } from '#identity/grants/commands.ts'
import { findFirstUser } from '#identity/users/queries.ts'
import { type Clock, nowInSeconds } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { errorCode } from '#platform/errors/error-code.ts'
import { hashPassword, randomToken } from '#platform/identity/crypto.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { ownHost } from '#platform/wire/own-address.ts'
import { openCompany } from '#program/first-run/open-company.ts'
import { updatePaymentSettings } from '#selling/payments/settings.commands.ts'
import { SHOWPIECES } from './catalog.ts'
import { DEMO_TYPES } from './products.ts'
import { seedSmallShop } from './seed.ts'
import { createDemoLink } from './sign-in.commands.ts'
import { ENGLISH_TEXTS, GERMAN_TEXTS } from './texts.ts'

const EMAIL = 'demo@licet.example'
const OWNER = {
  company_name: 'Licet Demo Shop',
  company_additional_name: 'Films, books and sounds',
  first_name: 'Jane',
  last_name: 'Roe',
  phone: '+49 30 5550100',
  moblile_phone: '+49 170 5550100',
  street: 'Musterstraße 1',
  zip: '10115',
  city: 'Berlin',
  province: 'Berlin',
  province_code: 'BE',
  language: 'de',
}
const USER = { first_name: OWNER.first_name, last_name: OWNER.last_name }
/** How many products the shop begins with. */
export const DEMO_PRODUCTS = DEMO_TYPES.length + SHOWPIECES.length
const SEED = 1
const TOKEN_SECONDS = 86_400

/** The credentials of the demo shop. */
export type DemoAccess = {
  company_id: number
  user_email: string
  password: string
  client_id: string
  access_token: string
  /** Signs the owner in by one press, once; absent if that takes more than a link. */
  admin?: string
}

type Kept = Omit<DemoAccess, 'access_token' | 'admin'>

/** Creates the demo shop in an empty database, and a new access token at every start. Other data is left alone. */
export async function demoAccess(
  db: Db,
  vault: Vault,
  dataFolder: string,
  address: string,
  clock: Clock,
): Promise<DemoAccess | undefined> {
  const file = join(dataFolder, 'demo.json')
  const kept = (await readKept(db, file)) ?? (await makeDemo(db, vault, file, address, clock))
  if (kept === undefined) return undefined
  const [app, user] = await Promise.all([findApp(db, kept.client_id), findFirstUser(db, kept.company_id)])
  if (app === undefined || user === undefined) return undefined
  const page = `${address}/docs`
  // The port or the address may have changed since the last start.
  if (isRedirectUri(page) && !app.redirect_uris.includes(page)) {
    const actor = { userId: null, origin: COMMAND_LINE }
    const changes = { redirectUris: [page] }
    await inTransaction(db, (tx) => changeApp(tx, kept.company_id, kept.client_id, changes, actor, nowInSeconds(clock)))
  }
  const grant = {
    companyId: kept.company_id,
    appId: app.id,
    userId: user.id,
    scopes: ALL_SCOPES,
    lifetimeSeconds: TOKEN_SECONDS,
  }
  const owner = { companyId: kept.company_id, userId: user.id }
  return inTransaction(db, async (tx) => {
    const access_token = await issueToken(tx, grant, nowInSeconds(clock))
    const link = await createDemoLink(tx, owner, nowInSeconds(clock))
    return { ...kept, access_token, ...(link === undefined ? {} : { admin: `${address}/demo/${link}` }) }
  })
}

/** The credentials of an earlier start, if they are readable and match this database. */
async function readKept(db: Db, file: string): Promise<Kept | undefined> {
  const kept = await readKeptFile(file)
  return kept === undefined || (await findCompany(db, kept.company_id)) === undefined ? undefined : kept
}

/** Without the database, whose socket may be missing like a file. */
async function readKeptFile(file: string): Promise<Kept | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Kept
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Creates the whole demo shop or nothing: a start that is killed leaves an empty database for the next one. */
async function makeDemo(db: Db, vault: Vault, file: string, address: string, clock: Clock): Promise<Kept | undefined> {
  if ((await readCompanyIds(db)).length > 0) return undefined
  const password = randomToken(9)
  const passwordHash = await hashPassword(password)
  const now = nowInSeconds(clock)
  return inTransaction(db, async (tx) => {
    // Of two first starts at once, the second waits here and then finds the shop of the first.
    await sql`lock table companies in share row exclusive mode`.execute(tx)
    if ((await readCompanyIds(tx)).length > 0) return readKept(tx, file)
    const owner = { ...OWNER, email: EMAIL, country_code: 'DE', currency: 'EUR' }
    const { companyId } = await openCompany(tx, owner, { email: EMAIL, passwordHash, ...USER }, now)
    const details = { companyId, name: 'Demo app', redirectUris: [] }
    const app = await createApp(tx, details, vault, { userId: null, origin: COMMAND_LINE }, now)
    await furnishShop(tx, companyId, ownHost(address), now)
    await seedSmallShop(tx, { companyId, seed: SEED, now })
    const author = { companyId, origin: COMMAND_LINE }
    // Whoever tries the shop out can pay, and no money moves.
    await updatePaymentSettings(tx, vault, author, { test: { enabled: true } }, now)
    const kept = { company_id: companyId, user_email: EMAIL, password, client_id: app.client_id }
    // Saved before the commit: credentials without a shop are harmless, a shop without credentials is lost.
    await writeFile(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
    return kept
  })
}

const LOOK = {
  accent_color: '#7b2d72',
  newsletter_enabled: true,
  locales: [
    {
      language_id: 'en',
      shop_name: 'Licet Demo Shop',
      shop_description: 'Films, music and books from the north, and a few things to hold. Everything here is made up.',
      ...ENGLISH_TEXTS,
    },
    {
      language_id: 'de',
      shop_name: 'Licet Demo-Shop',
      shop_description:
        'Filme, Musik und Bücher aus dem Norden und ein paar Dinge zum Anfassen. Alles hier ist erfunden.',
      ...GERMAN_TEXTS,
    },
  ],
}

/** Gives the shop of the demo a colour, and texts in two languages. */
async function furnishShop(tx: Tx, companyId: number, host: string, now: Date): Promise<void> {
  const id = await findShopId(tx, companyId, 0)
  await updateThemeSetting(tx, { companyId }, String(id), LOOK, host, now)
}
