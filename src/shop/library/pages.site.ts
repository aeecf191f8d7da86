import type { RefusedForm } from '#shop/site/pages.site.ts'
import type { giftModel } from './gift/page.present.ts'
import type { readMembershipPage } from './memberships/queries.ts'
import type { OwnedItem } from './my-content/library.present.ts'
import type { readOwned } from './my-content/library.queries.ts'
import type { readLibrary } from './my-content/shelves.queries.ts'
import type { playerModel } from './player/page.present.ts'
import type { readerModel } from './reader/page.present.ts'
import type { readReading } from './reading-apps/queries.ts'
import type { sampleModel } from './sample/page.present.ts'

/** The values of a page without those for the layout. */
type ValuesOf<Make extends (...values: never[]) => unknown> = Omit<NonNullable<Awaited<ReturnType<Make>>>, 'page'>

export type MyContentPage = ValuesOf<typeof readLibrary> & {
  /** Was a code just redeemed? */
  is_redeemed: boolean
  /** A code that was refused. */
  code?: string
  /** Why it was refused, as the key of a text. */
  redeem_error?: string
  /** Why a product cannot be opened, as the key of a text. */
  open_error?: string
}

export type MyContentItemPage = ValuesOf<typeof readOwned> & {
  /** Does the software have a key? */
  has_key: boolean
  /** The key of the software; empty if it follows. */
  key: string | undefined
  /** What opens in reading apps, and the passphrase; nothing if there is nothing. */
  reading: Awaited<ReturnType<typeof readReading>>
}

export type GiftPage = ValuesOf<typeof giftModel> & Pick<RefusedForm, 'errors'>

export type PreparingPage = { item: OwnedItem }

declare module '#shop/site/pages.site.ts' {
  interface ShopPages {
    /** A gift that somebody can accept. */
    gift: GiftPage
    /** What the customer owns. */
    'my-content': MyContentPage
    /** One thing that the customer owns, and its files. */
    'my-content-item': MyContentItemPage
    /** What a membership of the customer includes. */
    'my-content-membership': ValuesOf<typeof readMembershipPage>
    /** A copy that names the customer is being made. The page loads again by itself. */
    preparing: PreparingPage
    /** The player. */
    play: ValuesOf<typeof playerModel>
    /** The reader. The book itself is in a frame. */
    read: ValuesOf<typeof readerModel>
    /** What everybody can try without an account. */
    sample: ValuesOf<typeof sampleModel>
  }
}
