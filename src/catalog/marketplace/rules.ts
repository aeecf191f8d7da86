import type { Offer } from './state.ts'

/** Is an offer for another company? */
export function isOfferFor({ company_ids }: Pick<Offer, 'company_ids'>, companyId: number): boolean {
  return company_ids === null || company_ids.includes(companyId)
}
