import type { ClubView } from '#shop/catalog-pages/memberships/club.present.ts'
import type { DetailsView, PayView } from './pages.present.ts'

export type MembershipAlreadyPage = {
  club: ClubView
  /** The address that has a subscription already. */
  email: string
}

declare module '#shop/site/pages.site.ts' {
  interface ShopPages {
    /** The first step of a sign-up: who the customer is. */
    'membership-join': DetailsView
    /** The second step of a sign-up: how the customer pays. */
    'membership-pay': PayView
    /** The customer has a subscription to the group already. */
    'membership-already': MembershipAlreadyPage
  }
}
