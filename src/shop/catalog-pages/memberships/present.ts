import { isContent } from '#catalog/products/types.facts.ts'
import { titleIn } from '#people/groups/rules.ts'
import { membershipPath } from '#shop/site/paths.rules.ts'
import type { Viewer } from '../cards.present.ts'
import { usesOf } from '../opens.present.ts'
import type { OfferedGroup, ProductRow } from '../state.ts'
import { cheapestPlan, type PlanOffer } from './plans.present.ts'

/** More groups than these are not named. */
const NAMED_MAX = 3

/** A group whose members may use the product. */
export type IncludedIn = {
  /** The name of the group, in the language of the visitor. */
  title: string
  /** The time from which, if that lies ahead. */
  opens_at: Date | undefined
  /** The page of the group, on which people sign up; nothing if it has no plan for the visitor. */
  url: string | undefined
  /** Its plan with the lowest price. */
  plan: PlanOffer | undefined
}

/** The groups whose members may use a product. */
export function includedIn({ memberships, product_type }: ProductRow, viewer: Viewer): IncludedIn[] {
  if (!isContent(product_type)) return []
  return (memberships ?? []).slice(0, NAMED_MAX).map(({ opens_at, ...group }) => ({
    ...offerOf(group, viewer),
    opens_at: opens_at === null ? undefined : new Date(opens_at),
  }))
}

/** A group and its plan with the lowest price. */
export type GroupOffer = Omit<IncludedIn, 'opens_at'>

function offerOf({ plans, ...group }: OfferedGroup, viewer: Viewer): GroupOffer {
  const title = titleIn(group, viewer.language)
  const plan = cheapestPlan(plans ?? [], viewer)
  return { title, url: plan && `${viewer.base}${membershipPath(group.group_id, title)}`, plan }
}

/** The groups that the visitor can sign up to. */
export function offersOf(groups: readonly OfferedGroup[], viewer: Viewer): GroupOffer[] {
  return groups.map((group) => offerOf(group, viewer)).filter(({ plan }) => plan !== undefined)
}

/** A membership of the visitor that opens the product. */
export type OpenedBy = {
  /** The name of the group. */
  title: string
  /** The key of the text of the button. */
  text: string
  icon: 'play' | 'book'
}

/** The first of the visitor's groups that opens a product now; undefined if none does, or there is nothing to use yet. */
export function openedBy(row: ProductRow, running: readonly string[], { language }: Viewer): OpenedBy | undefined {
  if (!isContent(row.product_type) || row.released_at !== null) return undefined
  if (!row.has_content && !row.parts?.some(({ has_content }) => has_content)) return undefined
  const group = row.memberships?.find(({ group_id, opens_at }) => opens_at === null && running.includes(group_id))
  if (group === undefined) return undefined
  const [use = 'open'] = usesOf(row)
  return { title: titleIn(group, language), text: `checkout.use.${use}`, icon: use === 'read' ? 'book' : 'play' }
}
