import { randomProductId } from '#catalog/products/commands.ts'
import { readMirrorsOf } from '#catalog/products/mirrors/queries.ts'
import { insertMirrors, noteFollowed, setPercent, takeChanges } from '#catalog/products/mirrors/rows.commands.ts'
import { followedChanges, followOriginal, newMirror, type Standing } from '#catalog/products/mirrors/rules.ts'
import { lockProducts, PRODUCTS, readProducts } from '#catalog/products/queries.ts'
import { documentOf, eventData, insertProducts, saveMirrors } from '#catalog/products/rows.commands.ts'
import type { ProductState } from '#catalog/products/state.ts'
import { emit } from '#history/events/emit.commands.ts'
import { lockCompanyById } from '#identity/companies/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import type { Caller } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { marketProductNotFound, ownEntry } from '../errors.ts'
import { getMarketProduct } from '../products/queries.ts'
import { findOfferOf, lockOfferedForShare, lockOfferForShare, readSelected } from '../queries.ts'
import { isOfferFor } from '../rules.ts'
import type { TakenProduct } from '../schema.ts'
import type { Offer } from '../state.ts'
import { findMirrors, readDocuments } from './queries.ts'

/** How many products are copied or updated at once; this limits the memory for a large offer. */
const BATCH = 500

/**
 * Mirrors every product of an entry that the company does not have yet, and publishes them all if requested. All of it
 * is one transaction: if it is killed nothing is done, and a second request at the same time waits for the first.
 */
export async function takeProducts(
  tx: Tx,
  { companyId }: Pick<Caller, 'companyId'>,
  ref: string,
  activate: boolean,
  now: Date,
): Promise<Written<{ added: number }>> {
  const offer = await lockOfferForShare(tx, companyId, ref)
  if (offer.company_id === companyId) throw ownEntry()
  await lockCompanyById(tx, companyId)
  return takeAll(tx, companyId, offer, await lockOfferedForShare(tx, offer), activate, now)
}

/** takeProducts for a single product of an entry. */
export async function takeProduct(
  tx: Tx,
  { companyId }: Pick<Caller, 'companyId'>,
  ref: string,
  activate: boolean,
  now: Date,
): Promise<Written<{ added: number }>> {
  const { id, market_id } = await getMarketProduct(tx, companyId, ref)
  const offer = await lockOfferForShare(tx, companyId, String(market_id))
  await lockCompanyById(tx, companyId)
  const keys = await lockOfferedForShare(tx, offer, id)
  if (keys.length === 0) throw marketProductNotFound(ref)
  return takeAll(tx, companyId, offer, keys, activate, now)
}

async function takeAll(
  tx: Tx,
  companyId: number,
  offer: Offer,
  keys: number[],
  activate: boolean,
  now: Date,
): Promise<Written<{ added: number }>> {
  const taken: string[] = []
  let added = 0
  for (let start = 0; start < keys.length; start += BATCH) {
    const batch = await takeBatch(tx, companyId, offer, keys.slice(start, start + BATCH), activate, now)
    added += batch.added
    taken.push(...batch.taken.map((product) => asciiJson(presentTaken(product))))
  }
  return { state: { added }, document: `{"products":[${taken.join()}],"added":${added}}` }
}

function presentTaken({ id, product_id, title, published }: ProductState): TakenProduct {
  return { id, product_id, title, published }
}

async function takeBatch(
  tx: Tx,
  companyId: number,
  offer: Offer,
  keys: number[],
  activate: boolean,
  now: Date,
): Promise<{ taken: ProductState[]; added: number }> {
  const originals = await readProducts(tx, offer.company_id, keys)
  const known = await findMirrors(tx, companyId, offer.company_id, keys)
  const added = await addMirrors(
    tx,
    companyId,
    offer,
    originals.filter(({ id }) => !known.has(id)),
    activate,
    now,
  )
  const byKey = new Map(originals.map((original) => [original.id, original]))
  const before = await lockProducts(tx, companyId, [...known.values()])
  const kept = before.map((mirror) => {
    const followed = followOriginal(mirror, byKey.get(originalKey(mirror)), 'offered')
    return { ...followed, published: activate || mirror.published }
  })
  // A company that takes products again agrees to the current percentage of the entry.
  await setPercent(tx, companyId, [...known.values()], offer.cost_to_licensees_percent)
  await saveChanged(tx, companyId, before, kept, now)
  const taken = [...added, ...kept].sort((a, b) => originalKey(a) - originalKey(b))
  return { taken, added: added.length }
}

/** The key of a mirror's original; no original has the key 0. */
function originalKey({ original }: ProductState): number {
  return original?.id ?? 0
}

async function addMirrors(
  tx: Tx,
  companyId: number,
  offer: Offer,
  originals: ProductState[],
  published: boolean,
  now: Date,
): Promise<ProductState[]> {
  if (originals.length === 0) return []
  const { takeRowId } = await takeIds(tx, PRODUCTS, originals.length, 0)
  const pairs = originals.map((original) => {
    const identity = { company_id: companyId, id: takeRowId(), product_id: randomProductId(), published }
    return { original, mirror: newMirror(original, identity, now) }
  })
  const mirrors = pairs.map(({ mirror }) => mirror)
  await insertProducts(tx, companyId, mirrors)
  const keys = pairs.map(({ original, mirror }) => ({ key: mirror.id, originalKey: original.id }))
  await insertMirrors(tx, companyId, offer.company_id, keys, offer.cost_to_licensees_percent)
  await emit(tx, companyId, 'product/create', now, mirrors.map(eventData))
  return mirrors
}

/** Stores the mirrors whose documents changed, and emits events. */
async function saveChanged(
  tx: Tx,
  companyId: number,
  before: ProductState[],
  mirrors: ProductState[],
  now: Date,
): Promise<void> {
  const stored = await readDocuments(
    tx,
    companyId,
    mirrors.map(({ id }) => id),
  )
  const hadContent = new Map(before.map(({ id, has_content }) => [id, has_content]))
  const changed = mirrors
    .filter(
      (mirror) => stored.get(mirror.id) !== documentOf(mirror) || hadContent.get(mirror.id) !== mirror.has_content,
    )
    .map((mirror) => ({ ...mirror, updated_at: now }))
  await saveMirrors(tx, companyId, before, changed)
  await emit(tx, companyId, 'product/update', now, changed.map(eventData))
}

/**
 * Updates the mirrors of a batch of changed originals in all companies, and returns the number of originals. A change
 * in progress is waited for, because it has locked its record.
 */
export async function followChanges(tx: Tx, ownerId: number, now: Date): Promise<number> {
  const keys = await takeChanges(tx, ownerId, BATCH)
  if (keys.length === 0) return 0
  const originals = new Map((await readProducts(tx, ownerId, keys)).map((original) => [original.id, original]))
  const offer = await findOfferOf(tx, ownerId)
  const selected = offer === undefined ? undefined : await readSelected(tx, offer, keys)
  const standingOf = (companyId: number, key: number): Standing => {
    if (offer === undefined || !isOfferFor(offer, companyId) || !originals.has(key)) return 'ended'
    return selected?.has(key) ? 'offered' : 'held back'
  }
  for (const [companyId, mirrors] of await readMirrorsOf(tx, ownerId, keys)) {
    const before = await lockProducts(tx, companyId, mirrors)
    const followed = before.map((mirror) => {
      const key = originalKey(mirror)
      return followOriginal(mirror, originals.get(key), standingOf(companyId, key))
    })
    const stored = await readDocuments(tx, companyId, mirrors)
    await saveChanged(tx, companyId, before, followed, now)
    const changes = followed.map((mirror) => {
      const document = documentOf(mirror)
      const previous = stored.get(mirror.id) ?? document
      return { key: mirror.id, changes: followedChanges(JSON.parse(previous), JSON.parse(document)) }
    })
    const told = changes.filter((each) => each.changes.length > 0)
    await noteFollowed(tx, companyId, told, now)
  }
  return keys.length
}
