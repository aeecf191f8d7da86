import type { MenuEntry, Section, ShopChange, ShopSettings } from './queries.ts'

/** The pages of a shop that an owner writes, in the order of the footer. */
export const PAGES = ['about', 'imprint', 'terms', 'withdrawal', 'privacy'] as const
export type PageName = (typeof PAGES)[number]

const TEXTS = ['shop_name', 'shop_description', 'seo_title', 'seo_description', 'offline_message', ...PAGES] as const
export type TextName = (typeof TEXTS)[number]

/** The texts in one language. */
export type Texts = { language_id: string } & Record<TextName, string>

const SWITCHES = [
  'shop_offline',
  'newsletter_enabled',
  'allow_reviews',
  'allow_anonymous_reviews',
  'need_approval_of_reviews',
  'send_email_on_new_review',
  'player_watermark',
] as const
export type SwitchName = (typeof SWITCHES)[number]

const SINGLE = ['accent_color', 'shop_icon', 'shop_domain', 'vanity_domain', 'access_domain'] as const
export type SingleName = (typeof SINGLE)[number]

/** What the screen changes of a shop. */
export type Draft = Record<SwitchName, boolean> &
  Record<SingleName, string> & {
    texts: Texts[]
    /** One for each line. */
    origins: string
    reminderHours: string
    /** Null: as the categories are. */
    sections: Section[] | null
    menu: MenuEntry[] | null
  }

export function draftOf({ shop }: { shop: ShopSettings }): Draft {
  const { shop_offline, newsletter_enabled, allow_reviews, allow_anonymous_reviews } = shop
  const { need_approval_of_reviews, send_email_on_new_review, player_watermark } = shop
  const { accent_color, shop_icon, shop_domain, vanity_domain, access_domain } = shop
  return {
    shop_offline,
    newsletter_enabled,
    allow_reviews,
    allow_anonymous_reviews,
    need_approval_of_reviews,
    send_email_on_new_review,
    player_watermark,
    accent_color,
    shop_icon,
    shop_domain,
    vanity_domain,
    access_domain,
    texts: shop.locales.map(({ id: _id, seo_keywords: _keywords, ...texts }) => texts),
    origins: shop.frame_origins.join('\n'),
    reminderHours: shop.cart_reminder_hours === null ? '' : String(shop.cart_reminder_hours),
    sections: shop.home_sections,
    menu: shop.menu,
  }
}

export function emptyTexts(language_id: string): Texts {
  return {
    language_id,
    shop_name: '',
    shop_description: '',
    seo_title: '',
    seo_description: '',
    offline_message: '',
    about: '',
    imprint: '',
    terms: '',
    withdrawal: '',
    privacy: '',
  }
}

/** The languages whose texts differ. Only what differs is sent. */
function changedTexts(before: readonly Texts[], after: readonly Texts[]): NonNullable<ShopChange['locales']> {
  return after.flatMap((texts) => {
    const known = before.find(({ language_id }) => language_id === texts.language_id)
    const changed = TEXTS.filter((name) => texts[name] !== (known?.[name] ?? ''))
    if (known !== undefined && changed.length === 0) return []
    return { language_id: texts.language_id, ...Object.fromEntries(changed.map((name) => [name, texts[name]])) }
  })
}

export const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

export function changesIn(before: Draft, after: Draft): ShopChange {
  const changed = [...SWITCHES, ...SINGLE].filter((name) => before[name] !== after[name])
  const locales = changedTexts(before.texts, after.texts)
  const hours = after.reminderHours.trim()
  return {
    ...Object.fromEntries(changed.map((name) => [name, after[name]])),
    ...(locales.length === 0 ? {} : { locales }),
    ...(before.origins === after.origins ? {} : { frame_origins: linesOf(after.origins) }),
    ...(before.reminderHours === after.reminderHours
      ? {}
      : { cart_reminder_hours: hours === '' ? null : Number(hours) }),
    ...(isSame(before.sections, after.sections) ? {} : { home_sections: after.sections }),
    ...(isSame(before.menu, after.menu) ? {} : { menu: after.menu }),
  }
}
