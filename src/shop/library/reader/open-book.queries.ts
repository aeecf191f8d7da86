import { hasCustomerSession } from '#people/customers/sessions/queries.ts'
import { type CompanyTime, type MachineClock, nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { decideAccess } from '#rights/content-files/access.rules.ts'
import { getGrant, getPublicFile } from '#rights/content-files/delivery/queries.ts'
import { sentVersion } from '#rights/content-files/delivery/stamped.queries.ts'
import { accessEnded } from '#rights/content-files/errors.ts'
import { readAs } from '#rights/content-files/media.rules.ts'
import type { FileOfPurchase } from '#rights/content-files/state.ts'
import { bookClosed } from './errors.ts'
import type { Reading } from './tokens.secrets.ts'

/**
 * The file of an open book, if its customer may still read it. Every part that a reader asks for passes here, so an open
 * book closes with the entitlement or the session.
 */
export async function getOpenBook(
  db: Db,
  reading: Reading | undefined,
  { now, clock }: { now: CompanyTime; clock: MachineClock },
): Promise<{ file: FileOfPurchase; kind: 'pdf' | 'epub'; reading: Reading }> {
  if (reading === undefined) throw bookClosed()
  if ('sample' in reading) {
    const file = await getPublicFile(db, reading.company, reading.file)
    const sampleKind = readAs(file)
    if (sampleKind === undefined) throw bookClosed()
    return { file, kind: sampleKind, reading }
  }
  const viewer = { companyId: reading.company, customerId: reading.customer }
  const [grant, isOpen] = await Promise.all([
    getGrant(db, viewer, String(reading.entitlement)),
    hasCustomerSession(db, { ...viewer, key: reading.session }, nowInSeconds(clock)),
  ])
  if (!isOpen) throw bookClosed()
  const verdict = decideAccess(grant, { kind: 'file', id: reading.file }, now(reading.company))
  if (verdict.kind === 'ended') throw accessEnded(verdict.reason)
  const kind = verdict.kind === 'allowed' ? readAs(verdict.file) : undefined
  if (verdict.kind !== 'allowed' || kind === undefined) throw bookClosed()
  return { file: await sentVersion(db, grant, verdict.file), kind, reading }
}
