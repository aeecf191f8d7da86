import type { Offer, OfferInput } from './queries.ts'

export type OfferDraft = {
  /** Percent, as it was typed. */
  share: string
  /** Null: the products of all categories. */
  categories: readonly number[] | null
  /** The companies that it is for; null: every company. */
  companies: readonly number[] | null
  /** The id of the shop that others see; empty: the first one. */
  shop: string
}

export const NEW_OFFER: OfferDraft = { share: '30', categories: null, companies: null, shop: '' }

export function draftOf({ offer }: { offer: Offer }): OfferDraft {
  const { cost_to_licensees_percent, category_ids, company_ids, theme_setting_id } = offer
  return {
    share: String(cost_to_licensees_percent),
    categories: category_ids,
    companies: company_ids,
    shop: String(theme_setting_id),
  }
}

/** What was typed as percent; undefined if it is none. */
export function shareIn(typed: string): number | undefined {
  const text = typed.trim().replace(',', '.')
  const share = /^\d{1,3}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN
  return share <= 100 ? share : undefined
}

export const isReadable = ({ share, categories, companies }: OfferDraft) =>
  shareIn(share) !== undefined && categories?.length !== 0 && companies?.length !== 0

export function inputOf(draft: OfferDraft): OfferInput {
  return {
    cost_to_licensees_percent: shareIn(draft.share) ?? 0,
    category_ids: draft.categories === null ? null : [...draft.categories],
    company_ids: draft.companies === null ? null : [...draft.companies],
    ...(draft.shop === '' ? {} : { theme_setting_id: Number(draft.shop) }),
  }
}

const idsOf = (ids: readonly number[] | null) => ids?.toSorted((one, other) => one - other).join() ?? 'all'

/** What differs, as the API takes it. */
export function changesIn(before: OfferDraft, after: OfferDraft): OfferInput {
  const { cost_to_licensees_percent = 0, category_ids = null, company_ids = null, theme_setting_id } = inputOf(after)
  return {
    ...(before.share === after.share ? {} : { cost_to_licensees_percent }),
    ...(idsOf(before.categories) === idsOf(after.categories) ? {} : { category_ids }),
    ...(idsOf(before.companies) === idsOf(after.companies) ? {} : { company_ids }),
    ...(before.shop === after.shop || theme_setting_id === undefined ? {} : { theme_setting_id }),
  }
}
