import type { CompanyTime } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { refusalInWords } from '#rights/entitlements/rights/sentences.rules.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import { assertGivenOut, decideAccess, filesOf } from '../access.rules.ts'
import { accessEnded, fileNotFound } from '../errors.ts'
import type { Download } from '../schema.ts'
import type { FileOfPurchase } from '../state.ts'
import { takeDownload } from './commands.ts'
import { getGrant, readEntitlementsWith } from './queries.ts'
import type { Signatures } from './signatures.secrets.ts'
import { prepareCopy } from './stamped.commands.ts'
import { sentVersion } from './stamped.queries.ts'

type Options = {
  db: Db
  now: CompanyTime
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
}

type Customer = { companyId: number; customerId: number; appId: number }

/**
 * Gives a customer the address of a file by the first of the customer's entitlements that allows a download, and counts it
 * there. A file that nothing of the customer includes is not found.
 */
export async function takeOwnDownload(
  { db, now, change }: Options,
  signatures: Signatures,
  customer: Customer,
  fileId: number,
): Promise<Download> {
  let refusal: string | undefined
  for (const id of await readEntitlementsWith(db, customer, fileId)) {
    const grant = await getGrant(db, customer, String(id))
    const file = filesOf(grant).find((each) => each.id === fileId)
    if (file === undefined) continue
    await prepareCopy(db, change, grant, file, now(customer.companyId))
    const { used, download } = await change((tx) =>
      takeDownload(tx, signatures, customer, String(id), { file_id: fileId }, now(customer.companyId)),
    )
    if (download !== null) return download
    if (used.code !== 'allowed')
      refusal ??= refusalInWords(used.code, rightsOf(used.entitlement), now(customer.companyId), used.language)
  }
  throw refusal === undefined ? fileNotFound(String(fileId)) : accessEnded(refusal)
}

/** The file that such an address leads to, without giving one out: nothing is counted. */
export async function getOwnDownload(
  { db, now }: Options,
  customer: Customer,
  fileId: number,
): Promise<FileOfPurchase> {
  for (const id of await readEntitlementsWith(db, customer, fileId)) {
    const grant = await getGrant(db, customer, String(id))
    const verdict = decideAccess(grant, { kind: 'file', id: fileId }, now(customer.companyId))
    if (verdict.kind !== 'allowed') continue
    assertGivenOut(verdict.file, 'download')
    return sentVersion(db, grant, verdict.file)
  }
  throw fileNotFound(String(fileId))
}
