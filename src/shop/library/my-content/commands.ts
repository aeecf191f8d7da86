import type { CustomerSession } from '#people/customers/sessions/state.ts'
import { type CompanyTime, type MachineClock, nowInSeconds } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { OWN_ADDRESS } from '#platform/wire/own-address.ts'
import { chooseFile, takeDownload } from '#rights/content-files/delivery/commands.ts'
import type { Signatures } from '#rights/content-files/delivery/signatures.secrets.ts'
import { PAGE_PREPARATION_MS, prepareCopy } from '#rights/content-files/delivery/stamped.commands.ts'
import { isBeingPreparedProblem } from '#rights/content-files/errors.ts'
import type { Grant } from '#rights/content-files/state.ts'
import { openContent } from '#rights/entitlements/memberships/commands.ts'
import { isUnknownCode } from '#rights/redemption-codes/errors.ts'
import { assertMayGuess, countGuess, guessLimits } from '#rights/redemption-codes/limits.commands.ts'
import { redeemCode } from '#rights/redemption-codes/redeem.commands.ts'
import { readTypedCode } from '#rights/redemption-codes/rules.ts'
import { readSoftwareKey } from '#rights/software-keys/commands.ts'
import { isSoftware, stateOf } from '#rights/software-keys/rules.ts'
import { startBeforeWithdrawalEnds } from '#selling/orders/withdrawals/commands.ts'
import { consentText } from '#selling/orders/withdrawals/consent.rules.ts'

export type Dependencies = {
  db: Db
  now: CompanyTime
  clock: MachineClock
  /** Opens its own transaction. */
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
}

/** Downloads in a shop are made without an app. */
const NO_APP = 0

export type Download = { kind: 'given'; path: string } | { kind: 'refused' } | { kind: 'being prepared' }

/** The key of a program for its page, which gives the customer one; empty while it has to wait, undefined if there is none. */
export async function showKey(
  { now, change }: Dependencies,
  { companyId, customerId, orderIds }: CustomerSession,
  { entitlement }: Grant,
): Promise<string | undefined> {
  if (!isSoftware(entitlement.product_type)) return undefined
  const viewer = { companyId, customerId, orderIds }
  const { state } = await change((tx) => readSoftwareKey(tx, viewer, String(entitlement.id), now(companyId)))
  return stateOf(state, now(companyId)) === 'revoked' ? undefined : (state.key ?? '')
}

/** Starts what was bought with its order, and so gives up the right of withdrawal that the text on the page names. */
export async function startNow(
  { now, change }: Dependencies,
  { entitlement: { company_id, order_id } }: Grant,
  language: string,
): Promise<void> {
  if (order_id === null) return
  await change((tx) => startBeforeWithdrawalEnds(tx, company_id, order_id, consentText(language), now(company_id)))
}

/** Opens a product for a member: the path at which it is used, or that of its parts if there are several. */
export async function openIncluded(
  { now, change }: Dependencies,
  { companyId, customerId }: CustomerSession,
  product: string,
): Promise<string> {
  const { state: opened } = await change((tx) =>
    openContent(tx, { companyId, customerId }, product.trim(), now(companyId)),
  )
  const [first, ...others] = opened
  if (first === undefined) return '/my-content'
  return others.length === 0
    ? `/my-content/${first.id}/open`
    : `/my-content/memberships/${first.group_id}?opened=${first.group_product_key}`
}

/** The path of a file if the rights engine allows the download, which it counts. */
export async function download(
  { db, now, change }: Dependencies,
  signatures: Signatures,
  { companyId, customerId, orderIds }: CustomerSession,
  grant: Grant,
  fileId: number,
): Promise<Download> {
  await prepareCopy(db, change, grant, chooseFile(grant, fileId), now(companyId), PAGE_PREPARATION_MS)
  const viewer = { companyId, customerId, orderIds, appId: NO_APP }
  const ref = String(grant.entitlement.id)
  try {
    const { download } = await change((tx) =>
      takeDownload(tx, signatures, viewer, ref, { file_id: fileId }, now(companyId)),
    )
    // Files are served on every host, so the path is enough.
    return download === null ? { kind: 'refused' } : { kind: 'given', path: download.url.replace(OWN_ADDRESS, '') }
  } catch (error) {
    if (isBeingPreparedProblem(error)) return { kind: 'being prepared' }
    throw error
  }
}

/** Redeems a code for the customer. A code that does not exist counts as a guess. */
export async function redeem(
  { db, now, clock, change }: Dependencies,
  { companyId, customerId }: CustomerSession,
  typed: string,
  address: string,
): Promise<void> {
  const code = readTypedCode(typed)
  const limits = guessLimits({ companyId, customerId }, customerId, address)
  await assertMayGuess(db, limits, nowInSeconds(clock))
  try {
    await change((tx) => redeemCode(tx, companyId, String(customerId), code, now(companyId)))
  } catch (error) {
    // The refusal has rolled the transaction back, so the guess is counted in one of its own.
    if (isUnknownCode(error)) await change((tx) => countGuess(tx, limits, nowInSeconds(clock)))
    throw error
  }
}
