import { createGroup } from '#people/groups/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import { createPlan } from '#selling/plans/commands.ts'
import type { PlanInput } from '#selling/plans/schema.ts'
import { CLUB_LICENSE } from './terms.ts'

/** What of the demo shop belongs to its club, by the covers. */
export const IN_CLUB: ReadonlySet<string> = new Set([
  'morketid',
  'a-house-at-inari',
  'kelp',
  'northbound',
  'fyr',
  'the-last-ferry',
  'harbour-sounds',
  'slow-radio-lofoten',
])

const LOCALES = [
  {
    language_id: 'en',
    title: 'Kino Club',
    description: 'Films and sounds from the north. Watch and listen for as long as you are a member.',
  },
  {
    language_id: 'de',
    title: 'Kino-Club',
    description: 'Filme und Klänge aus dem Norden. Sehen und hören Sie, solange Sie Mitglied sind.',
  },
]

type Plan = Omit<PlanInput, 'group_id' | 'price_id'> & { price: string }

const PLANS: readonly Plan[] = [
  {
    title: 'Monthly',
    price: 'Club, month',
    interval: 'month',
    trial_days: 14,
    locales: [{ language_id: 'de', title: 'Monatlich' }],
  },
  {
    title: 'Yearly',
    price: 'Club, year',
    interval: 'year',
    trial_days: 14,
    locales: [{ language_id: 'de', title: 'Jährlich' }],
  },
]

/** Makes the club, which has no plans yet. Returns the id that products name. */
export async function makeClub(tx: Tx, companyId: number, now: Date): Promise<string> {
  const group = { kind: 'subscription', title: 'Kino Club', license_id: CLUB_LICENSE, locales: LOCALES } as const
  const { state } = await createGroup(tx, { companyId, origin: COMMAND_LINE }, group, now)
  return state.group_id
}

/** Offers the club by the month and by the year. Plans get ids of products, so this comes after them: the README names some. */
export async function offerClub(
  tx: Tx,
  companyId: number,
  group_id: string,
  priceIds: ReadonlyMap<string, number>,
  now: Date,
): Promise<void> {
  for (const { price, ...plan } of PLANS) {
    const price_id = priceIds.get(price)
    if (price_id === undefined) throw new Error(`the demo shop has no price ${price}`)
    await createPlan(tx, { companyId, origin: COMMAND_LINE }, { ...plan, group_id, price_id }, now)
  }
}
