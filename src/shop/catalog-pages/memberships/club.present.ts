import { titleIn } from '#people/groups/rules.ts'
import { describedBy } from '#rights/entitlements/memberships/present.ts'
import { addDays } from '#selling/subscriptions/periods.rules.ts'
import { nameOfCountry } from '#shop/site/countries.rules.ts'
import { membershipPath } from '#shop/site/paths.rules.ts'
import { clausesOnPage } from '#shop/site/rights-sentences.rules.ts'
import type { Place } from '#shop/themes/formats.rules.ts'
import { type Card, cardOf, type Picture, type Viewer } from '../cards.present.ts'
import type { Included, Standing } from './club.queries.ts'
import type { Club } from './state.ts'
import { type PlanView, planViews } from './views.present.ts'

/** Pictures in the head of the page. */
const WALL_MAX = 8
const DESCRIPTION_MAX = 160

/** A group that people sign up to. */
export type ClubView = {
  /** Its letter and number, such as `s77`. */
  id: string
  /** Its name, in the language of the visitor. */
  title: string
  /** What the owner says about it in this language; empty if nothing. */
  description: string
  /** Its page. */
  url: string
  /** What it includes, for those who are members already. */
  content_url: string
}

export function clubView(
  { group }: Pick<Club, 'group'>,
  { base, language }: Pick<Viewer, 'base' | 'language'>,
): ClubView {
  const title = titleIn(group, language)
  return {
    id: group.group_id,
    title,
    description: group.locales.find((locale) => locale.language === language)?.description ?? '',
    url: `${base}${membershipPath(group.group_id, title)}`,
    content_url: `${base}/my-content/memberships/${group.group_id}`,
  }
}

/** The shape of a picture, and the picture. */
export type WallPicture = { picture: Picture; art: string }

/** Everything on the page of a group. */
export function clubModel(
  club: Club,
  included: Included,
  standing: Standing,
  days: number,
  viewer: Viewer & Place,
): {
  club: ClubView
  plans: PlanView[]
  /** What members may do with what it includes, in sentences. */
  terms: string[]
  cards: Card[]
  count: number
  is_more: boolean
  next: number | undefined
  wall: WallPicture[]
  /** The day on which somebody who signs up now is reminded that the trial ends; nothing if nobody is. */
  reminded_at: Date | undefined
  is_member: boolean
  had_trial: boolean
} {
  const plans = planViews(club.plans, viewer, standing.wasSubscriber)
  const cards = included.cards.map((row) => cardOf(row, viewer))
  const trialDays = plans[0]?.trial_days ?? 0
  return {
    club: clubView(club, viewer),
    plans,
    terms: termsOf(club, viewer),
    cards,
    count: included.count,
    is_more: included.isMore,
    next: included.next,
    wall: cards.flatMap(({ picture, art }) => (picture === undefined ? [] : [{ picture, art }])).slice(0, WALL_MAX),
    reminded_at: days > 0 && days < trialDays ? addDays(viewer.now, trialDays - days) : undefined,
    is_member: standing.isSubscriber,
    had_trial: standing.wasSubscriber && club.plans.some(({ trial_days }) => trial_days > 0),
  }
}

function termsOf({ group, terms }: Club, viewer: Viewer & Place): string[] {
  const { group_id, title, locales, license_id } = group
  const times = { joined_at: viewer.now, starts_at: null, ends_at: null }
  const described = describedBy({ id: 0, group_id, title, locales, license_id, valid: true, terms, ...times })
  return clausesOnPage(described, viewer).map(({ text }) => text.replace(/\.$/, ''))
}

/** What search engines show below the title. */
export function descriptionOf({ description }: ClubView): string {
  return description.replace(/\s+/g, ' ').trim().slice(0, DESCRIPTION_MAX)
}

/** The country that prices are for; undefined if it is not known. */
export function countryName({ country, language }: Place): string | undefined {
  return country === '' ? undefined : nameOfCountry(country, language)
}
