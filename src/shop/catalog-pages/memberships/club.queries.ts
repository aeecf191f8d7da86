import { readLicenses } from '#catalog/licenses/queries.ts'
import { GENERAL } from '#catalog/licenses/rules.ts'
import { readPrices } from '#catalog/prices/queries.ts'
import { INVALID } from '#catalog/prices/rules.ts'
import { findGroup } from '#people/groups/queries.ts'
import { kindOf } from '#people/groups/rules.ts'
import type { Db } from '#platform/db/database.ts'
import { listIncluded } from '#rights/entitlements/memberships/queries.ts'
import { NO_LICENSE } from '#rights/entitlements/rules.ts'
import { readPlansOfGroup } from '#selling/plans/queries.ts'
import { findCurrent, wasSubscribed } from '#selling/subscriptions/queries.ts'
import { readSettings } from '#selling/subscriptions/settings/queries.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { groupIdIn } from '#shop/site/paths.rules.ts'
import type { ShopVisit } from '#shop/site/state.ts'
import { readListedCards } from '../queries.ts'
import type { CardRow } from '../state.ts'
import type { Club } from './state.ts'

/** The products of one page. */
const PAGE_SIZE = 30
/** More are not counted. */
const COUNT_MAX = 10_000

/** A subscription group of a company, open or not; another company's, and a group of another kind, is not found. */
export async function getClub(db: Db, companyId: number, ref: string): Promise<Club> {
  const groupId = groupIdIn(ref)
  const group = groupId === undefined ? undefined : await findGroup(db, companyId, groupId)
  if (group === undefined || kindOf(group.group_id) !== 'subscription') throw shopPageNotFound()
  const [license, offered] = await Promise.all([
    group.license_id === null ? undefined : findLicense(db, companyId, group.license_id),
    readPlansOfGroup(db, companyId, group.group_id),
  ])
  const prices = offered.length === 0 ? [] : await readPrices(db, companyId, [...new Set(offered.map(priceIdOf))])
  const valid = new Map(prices.filter((price) => price.valid !== INVALID).map((price) => [price.id, price]))
  const plans = offered.flatMap((plan) => {
    const price = valid.get(plan.price_id)
    return price === undefined ? [] : [{ ...plan, price }]
  })
  const isOpen = group.valid && (group.license_id === null || license?.valid === 1)
  return { group, terms: license ?? NO_LICENSE, isOpen, plans }
}

const priceIdOf = ({ price_id }: { price_id: number }) => price_id

/** getClub for everybody: a group that is closed, and one without a plan to sign up to, is not found. */
export async function getOpenClub(db: Db, companyId: number, ref: string): Promise<Club> {
  const club = await getClub(db, companyId, ref)
  if (!club.isOpen || club.plans.length === 0) throw shopPageNotFound()
  return club
}

async function findLicense(db: Db, companyId: number, id: number) {
  const [own] = await readLicenses(db, companyId, [id])
  return own ?? (await readLicenses(db, GENERAL, [id]))[0]
}

/** What a group includes and the shop shows, the newest first. */
export type Included = {
  cards: CardRow[]
  count: number
  /** Are there more than were counted? */
  isMore: boolean
  /** After which product the next page begins, if there is one. */
  next: number | undefined
}

export async function readIncluded(
  db: Db,
  { company_id: companyId, theme_id: themeId }: ShopVisit['shop'],
  groupId: string,
  after: number | undefined,
  now: Date,
): Promise<Included> {
  const list = listIncluded(db, companyId, groupId, undefined, now)
  const before = after ?? Number.MAX_SAFE_INTEGER
  const [rows, count] = await Promise.all([
    list({ after: 0, before, limit: PAGE_SIZE, offset: 0 }),
    list.countUpTo(COUNT_MAX),
  ])
  const page = rows.slice(0, PAGE_SIZE)
  const cards = await readListedCards(db, { companyId, themeId, ids: page.map(({ id }) => id) }, now)
  const next = rows.length > PAGE_SIZE ? page.at(-1)?.id : undefined
  return { cards, count: Math.min(count, COUNT_MAX), isMore: count > COUNT_MAX, next }
}

/** Where a customer stands: is there a subscription to the group, and was there one, after which there is no second trial? */
export type Standing = { isSubscriber: boolean; wasSubscriber: boolean }

export const NEW: Standing = { isSubscriber: false, wasSubscriber: false }

export async function readStanding(
  db: Db,
  companyId: number,
  customerId: number | undefined,
  groupId: string,
): Promise<Standing> {
  if (customerId === undefined) return NEW
  const [current, wasSubscriber] = await Promise.all([
    findCurrent(db, companyId, customerId, groupId),
    wasSubscribed(db, companyId, customerId, groupId),
  ])
  // One that was never finished is replaced by the next.
  return { isSubscriber: current !== undefined && current.status !== 'incomplete', wasSubscriber }
}

/** How many days before its end people are reminded of a trial; 0: they are not. */
export async function readReminderDays(db: Db, companyId: number): Promise<number> {
  return (await readSettings(db, companyId)).trial_reminder_days
}
