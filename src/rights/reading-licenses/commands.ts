import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompanyTime } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { decideAccess } from '#rights/content-files/access.rules.ts'
import { getGrant } from '#rights/content-files/delivery/queries.ts'
import { accessEnded, fileBeingPrepared } from '#rights/content-files/errors.ts'
import type { Grant } from '#rights/content-files/state.ts'
import { useEntitlement } from '#rights/entitlements/commands.ts'
import { lockEntitlement, type Viewer } from '#rights/entitlements/queries.ts'
import { endOf } from '#rights/entitlements/rights/periods.rules.ts'
import { readQuestion, rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { requestPublication } from '#rights/publications/commands.ts'
import { findPublication } from '#rights/publications/queries.ts'
import type { PublicationState } from '#rights/publications/state.ts'
import { publicationFailed } from './errors.ts'
import { givePassphrase } from './passphrases.commands.ts'
import { presentAllowed, presentShown } from './present.ts'
import { EVENTS_MAX, findHeldLicense, readEvents } from './queries.ts'
import { type Chosen, choosePublication } from './sources.rules.ts'
import type { ReadingLicense } from './state.ts'

/** Longer than a book takes, and shorter than programs wait. */
const PREPARATION_MS = 10_000
const LOOK_AGAIN_MS = 200

type Write = <Result>(change: (tx: Tx) => Promise<Result>) => Promise<Result>

/**
 * Has the publication of a file encrypted, if it is not yet, and waits for it, so that nothing is counted before there is something
 * to read. If it takes longer, the worker goes on without anybody waiting.
 */
export async function preparePublication(
  { db, vault, change, now }: { db: Db; vault: Vault; change: Write; now: CompanyTime },
  grant: Grant,
  { file, source }: Chosen,
  waitMs = PREPARATION_MS,
): Promise<void> {
  const verdict = decideAccess(grant, { kind: 'file', id: file.id }, now(grant.entitlement.company_id))
  if (verdict.kind !== 'allowed') return
  const start = performance.now()
  let publication: PublicationState | undefined = await change((tx) =>
    requestPublication(tx, vault, source, now(source.company_id)),
  )
  const { id } = publication
  while (publication?.state === 'pending' && performance.now() - start < waitMs) {
    await sleep(LOOK_AGAIN_MS)
    publication = await findPublication(db, source.company_id, id)
  }
}

/** A license that was asked for, with the decision of the engine as it is presented. */
export type Issue = {
  entitlement: EntitlementState
  decision: string
  code: string
  license: ReadingLicense | undefined
}

type Asking = Viewer & { appId: number }

/**
 * Gives a customer a license for reading apps. The first one counts as a download, and the time from first use begins; asking again
 * gives the same one, until it is returned.
 */
export async function takeReadingLicense(
  tx: Tx,
  vault: Vault,
  viewer: Asking,
  ref: string,
  fileId: number | null | undefined,
  now: Date,
): Promise<Issue> {
  // Whoever asks at the same time waits here.
  const { entitlement, language } = await lockEntitlement(tx, viewer, ref)
  const grant = await getGrant(tx, viewer, ref)
  const chosen = choosePublication(grant, fileId)
  const { company_id: companyId, customer_id: customerId } = entitlement
  const held = await findHeldLicense(tx, companyId, entitlement.id, chosen.file.id)
  if (held !== undefined) {
    const verdict = decideAccess(grant, { kind: 'file', id: chosen.file.id }, now)
    if (verdict.kind === 'ended') throw accessEnded(verdict.reason)
    const decision = presentAllowed(rightsOf(entitlement), language, now)
    return { entitlement, decision, code: 'allowed', license: held }
  }
  const question = readQuestion({ action: 'download' }, viewer.appId)
  const { code, entitlement: after, document: decision } = await useEntitlement(tx, viewer, ref, question, now)
  if (code !== 'allowed') return { entitlement: after, decision, code, license: undefined }
  // A publication that is missing throws, which takes the count back.
  const publication = await requestPublication(tx, vault, chosen.source, now)
  if (publication.state === 'pending') throw fileBeingPrepared(chosen.file.name)
  if (publication.state === 'failed')
    throw publicationFailed({ name: chosen.file.name, reason: publication.reason ?? '' })
  await givePassphrase(tx, vault, { companyId, customerId }, now)
  const license = await insertLicense(tx, after, chosen, publication, now)
  return { entitlement: after, decision, code, license }
}

function insertLicense(
  tx: Tx,
  entitlement: EntitlementState,
  { file }: Chosen,
  publication: PublicationState,
  now: Date,
): Promise<ReadingLicense> {
  return tx
    .insertInto('reading_licenses')
    .values({
      company_id: entitlement.company_id,
      uid: randomUUID(),
      entitlement_id: entitlement.id,
      customer_id: entitlement.customer_id,
      file_id: file.id,
      file_name: file.name,
      publication_company_id: publication.company_id,
      publication_id: publication.id,
      ends_at: endOf(rightsOf(entitlement)),
      issued_at: now,
      updated_at: now,
      status_updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** preparePublication for what a customer owns. */
export async function prepareReading(
  work: Parameters<typeof preparePublication>[0],
  viewer: Viewer,
  ref: string,
  fileId: number | null | undefined,
): Promise<void> {
  const grant = await getGrant(work.db, viewer, ref)
  await preparePublication(work, grant, choosePublication(grant, fileId))
}

/** takeReadingLicense for the API. */
export async function issueReadingLicense(
  tx: Tx,
  vault: Vault,
  viewer: Asking,
  ref: string,
  fileId: number | null | undefined,
  baseUrl: string,
  now: Date,
): Promise<Written<EntitlementState>> {
  const { entitlement, decision, license } = await takeReadingLicense(tx, vault, viewer, ref, fileId, now)
  const events = license === undefined ? [] : await readEvents(tx, license, EVENTS_MAX)
  const shown = license && presentShown(license, events, rightsOf(entitlement), baseUrl, now)
  return { state: entitlement, document: `{"reading_license":${asciiJson(shown ?? null)},"decision":${decision}}` }
}
