import { browserName } from '#identity/users/sessions/rules.ts'
import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { CompanyTime, MachineClock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { chooseFile } from '#rights/content-files/delivery/commands.ts'
import { PAGE_PREPARATION_MS, prepareCopy } from '#rights/content-files/delivery/stamped.commands.ts'
import { sentVersion } from '#rights/content-files/delivery/stamped.queries.ts'
import { isBeingPreparedProblem } from '#rights/content-files/errors.ts'
import type { Grant } from '#rights/content-files/state.ts'
import { type Used, useEntitlement } from '#rights/entitlements/commands.ts'
import { nameDevice } from '#rights/entitlements/devices/commands.ts'
import { readQuestion } from '#rights/entitlements/rules.ts'
import { clientTimeIn } from '../player/rules.ts'
import { READING_SECONDS, type ReaderTokens } from './tokens.secrets.ts'

type Dependencies = {
  db: Db
  now: CompanyTime
  clock: MachineClock
  /** Opens its own transaction. */
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
}

type Asked = { shop: number; fileId: number; device: string; userAgent: string; clientTime: string; parent: string }

/** Pages of a shop act without an app. */
const NO_APP = 0

/** Opens a book; undefined if the copy that names the customer is still being made. */
export async function openBook(...request: Parameters<typeof openNow>): Promise<OpenedBook | undefined> {
  try {
    return await openNow(...request)
  } catch (error) {
    if (isBeingPreparedProblem(error)) return undefined
    throw error
  }
}

type OpenedBook = { used: Used; token: string | undefined }

/** Asks the rights engine, and gives out the token of the frame in which the book is read. */
async function openNow(
  { db, now, clock, change }: Dependencies,
  tokens: ReaderTokens,
  { companyId, customerId, orderIds, key }: CustomerSession,
  grant: Grant,
  { shop, fileId, device, userAgent, clientTime, parent }: Asked,
): Promise<OpenedBook> {
  const file = chooseFile(grant, fileId)
  await prepareCopy(db, change, grant, file, now(companyId), PAGE_PREPARATION_MS)
  const { id: entitlement } = grant.entitlement
  const used = await change(async (tx) => {
    const question = readQuestion({ action: 'play', device, ...clientTimeIn(clientTime) }, NO_APP)
    const asked = await useEntitlement(
      tx,
      { companyId, customerId, orderIds },
      String(entitlement),
      question,
      now(companyId),
    )
    if (asked.code !== 'allowed') return asked
    // A copy that is missing throws, which takes the use back.
    await sentVersion(tx, grant, file)
    await nameDevice(tx, { companyId, customerId }, device, browserName(userAgent))
    return asked
  })
  if (used.code !== 'allowed') return { used, token: undefined }
  const expires = Math.floor(clock.now().getTime() / 1000) + READING_SECONDS
  const book = { company: companyId, shop, entitlement, customer: customerId, file: fileId }
  return { used, token: tokens.seal({ ...book, session: key, parent, expires }) }
}
