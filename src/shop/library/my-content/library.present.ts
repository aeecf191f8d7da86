import { filesOf } from '#rights/content-files/access.rules.ts'
import { booksOf, titlesOf } from '#rights/content-files/media.rules.ts'
import type { Grant } from '#rights/content-files/state.ts'
import { presentEntitlement } from '#rights/entitlements/present.ts'
import { decide, deviceLimitOf, mayDownload, statusOf } from '#rights/entitlements/rights/rules.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { kindOf, type Part, titleOfSold } from '#shop/catalog-pages/cards.present.ts'
import { clausesOnPage, refusalOnPage } from '#shop/site/rights-sentences.rules.ts'
import { remedyFor } from '../player/rules.ts'
import { timeLeft } from './rules.ts'

const DOWNLOAD = { action: 'download', device: null, client_time: null, pages: 1 } as const

/** Something that the customer owns, in words: what remains, until when, and why it cannot be used. */
function shown(entitlement: EntitlementState, language: string, now: Date, part?: Part) {
  const { title, ends_at, starts_at, remaining, state, license_title, acquired_at } = presentEntitlement(
    entitlement,
    language,
    now,
  )
  const rights = rightsOf(entitlement)
  const { refusal } = statusOf(rights, now)
  const clauses = clausesOnPage(rights, language)
  return {
    id: entitlement.id,
    picture: part?.picture,
    ...kindOf(entitlement.product_type),
    title: titleOfSold(title, part),
    terms: clauses.map(({ text }) => text).join(' '),
    reason: refusal === null ? '' : refusalOnPage(refusal, rights, now, language),
    state,
    license: license_title ?? '',
    // Downloads that were never offered are not mentioned.
    remaining: mayDownload(rights.terms) ? remaining : { ...remaining, downloads: null },
    devices_max: deviceLimitOf(rights),
    /** How long it can be used, as long as nobody has begun to. */
    period: ends_at === null ? periodIn(clauses) : '',
    is_usable: state === 'active',
    // The times of the API are GMT without saying so.
    acquired_at: `${acquired_at}Z`,
    ends_at: ends_at === null ? '' : `${ends_at}Z`,
    starts_at: starts_at === null ? '' : `${starts_at}Z`,
    left: timeLeft(ends_at === null ? null : new Date(`${ends_at}Z`), now),
  }
}

function periodIn(clauses: ReturnType<typeof clausesOnPage>): string {
  const period = clauses.find(({ kind }) => kind === 'ends after first use')
  return period?.text.replace(/\.$/, '') ?? ''
}

export type OwnedItem = ReturnType<typeof shown>

/** Something on a shelf: with its picture, and with one thing to do about it if it cannot be used. */
export function shelved(entitlement: EntitlementState, part: Part | undefined, language: string, now: Date) {
  return { ...shown(entitlement, language, now, part), remedy: remedyOf(entitlement, part, now) }
}

/** One thing to do about something that cannot be used. A product that is gone cannot be bought again. */
function remedyOf(entitlement: EntitlementState, part: Part | undefined, now: Date) {
  const { refusal } = statusOf(rightsOf(entitlement), now)
  const remedy = refusal === null ? undefined : remedyFor(refusal, entitlement.product_key)
  if (remedy === undefined || remedy.path === '/my-content') return undefined
  const isInShop = remedy.path.startsWith('/products/')
  return isInShop && part === undefined ? undefined : { ...remedy, is_in_shop: isInShop }
}

/** One thing with its files, and whether they can be downloaded now. */
export function presentOwned(grant: Grant, part: Part | undefined, language: string, now: Date) {
  const rights = rightsOf(grant.entitlement)
  const code = decide(rights, DOWNLOAD, now)
  const files = filesOf(grant)
  const is_playable = titlesOf(files).length > 0
  const is_readable = booksOf(files).length > 0
  // Somebody who can watch or read it does not miss files that were never offered.
  const isListed = mayDownload(rights.terms) || !(is_playable || is_readable)
  return {
    item: shown(grant.entitlement, language, now, part),
    files: isListed ? files.map(({ id, name, size }) => ({ id, name, size })) : [],
    is_playable,
    is_readable,
    download_reason: code === 'allowed' ? '' : refusalOnPage(code, rights, now, language),
  }
}
