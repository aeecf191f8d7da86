import { languageUnknown } from '#identity/languages/errors.ts'
import { type LocaleChange, mergeLocales, readLanguage } from '#identity/languages/rules.ts'
import { urlInvalid } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { isWebAddress } from './addresses.rules.ts'
import { changeHosts } from './domains.rules.ts'
import { frameOriginInvalid, themeUnknown } from './errors.ts'
import { readMenu, readSections } from './home/rules.ts'
import type { ThemeLocaleInput, ThemeSettingInput } from './schema.ts'
import type { ShopTextName, StoredThemeLocale, ThemeSettingState } from './state.ts'
import { DEFAULT_THEME, THEMES } from './themes.facts.ts'

/** The texts with a page of their own, in the order in which pages link to them. */
export const SHOP_TEXTS = ['about', 'imprint', 'terms', 'withdrawal', 'privacy'] as const satisfies ShopTextName[]

export function isShopText(name: string): name is ShopTextName {
  return SHOP_TEXTS.some((text) => text === name)
}

const ADDRESSES = ['homepage_url', 'facebook_url', 'google_url', 'twitter_url', 'youtube_url', 'shop_icon'] as const

/** `ownHost` is the host of the service, which no shop can take. */
export type Change = { now: Date; takeId: () => number; ownHost: string }

export function newThemeSetting(
  companyId: number,
  id: number,
  input: ThemeSettingInput,
  change: Change,
): ThemeSettingState {
  const blank: ThemeSettingState = {
    company_id: companyId,
    id,
    theme_id: DEFAULT_THEME,
    enabled: true,
    hosts: { sub_domain: String(id), vanity_domain: '', shop_domain: '', access_domain: '' },
    answering: [],
    homepage_url: '',
    facebook_url: '',
    google_url: '',
    twitter_url: '',
    youtube_url: '',
    affiliates_enabled: false,
    affiliate_percentage: 0,
    allow_reviews: false,
    allow_anonymous_reviews: false,
    need_approval_of_reviews: true,
    send_email_on_new_review: false,
    newsletter_enabled: false,
    google_tracking_id: '',
    google_ecommerce_enabled: false,
    google_shopping_account_id: '',
    html_tag: '',
    meta_tag: '',
    sample_product_id: null,
    sample_product_license_id: null,
    shop_offline: false,
    shop_icon: '',
    accent_color: '',
    updated_at: change.now,
    locales: [],
    frame_origins: [],
    cart_reminder_hours: null,
    home_sections: null,
    menu: null,
    player_watermark: false,
  }
  return changeThemeSetting(blank, input, change)
}

/** The theme setting after an update. Absent fields stay, locales are merged. */
export function changeThemeSetting(
  before: ThemeSettingState,
  input: ThemeSettingInput,
  { now, takeId, ownHost }: Change,
): ThemeSettingState {
  const report = new FieldReport()
  reportUnstorable(input, report)
  const hosts = changeHosts(before.hosts, input, ownHost, report)
  const locales = changeLocales(before.locales, input.locales ?? [], takeId, report)
  const reference = (sent: number | null | undefined, kept: number | null) => (sent === undefined ? kept : sent)
  const after: ThemeSettingState = {
    ...before,
    theme_id: input.theme_id ?? before.theme_id,
    hosts,
    homepage_url: input.homepage_url ?? before.homepage_url,
    facebook_url: input.facebook_url ?? before.facebook_url,
    google_url: input.google_url ?? before.google_url,
    twitter_url: input.twitter_url ?? before.twitter_url,
    youtube_url: input.youtube_url ?? before.youtube_url,
    affiliates_enabled: input.affiliates_enabled ?? before.affiliates_enabled,
    affiliate_percentage: input.affiliate_percentage ?? before.affiliate_percentage,
    allow_reviews: input.allow_reviews ?? before.allow_reviews,
    allow_anonymous_reviews: input.allow_anonymous_reviews ?? before.allow_anonymous_reviews,
    need_approval_of_reviews: input.need_approval_of_reviews ?? before.need_approval_of_reviews,
    send_email_on_new_review: input.send_email_on_new_review ?? before.send_email_on_new_review,
    newsletter_enabled: input.newsletter_enabled ?? before.newsletter_enabled,
    google_tracking_id: input.google_tracking_id ?? before.google_tracking_id,
    google_ecommerce_enabled: input.google_ecommerce_enabled ?? before.google_ecommerce_enabled,
    google_shopping_account_id: input.google_shopping_account_id ?? before.google_shopping_account_id,
    html_tag: input.html_tag ?? before.html_tag,
    meta_tag: input.meta_tag ?? before.meta_tag,
    sample_product_id: reference(input.sample_product_id, before.sample_product_id),
    sample_product_license_id: reference(input.sample_product_license_id, before.sample_product_license_id),
    shop_offline: input.shop_offline ?? before.shop_offline,
    shop_icon: input.shop_icon ?? before.shop_icon,
    accent_color: (input.accent_color ?? before.accent_color).toLowerCase(),
    updated_at: now,
    locales,
    frame_origins: input.frame_origins === undefined ? before.frame_origins : readOrigins(input.frame_origins, report),
    cart_reminder_hours:
      input.cart_reminder_hours === undefined ? before.cart_reminder_hours : input.cart_reminder_hours || null,
    home_sections: listIn(input.home_sections, before.home_sections, (sections) => readSections(sections, report)),
    menu: listIn(input.menu, before.menu, (entries) => readMenu(entries, report)),
    player_watermark: input.player_watermark ?? before.player_watermark,
  }
  // The theme of the shop may be gone by now: keeping it is no mistake.
  if (after.theme_id !== before.theme_id && !THEMES.has(after.theme_id))
    report.add('theme_id', themeUnknown('is not a theme'))
  for (const name of ADDRESSES) {
    if (after[name] !== '' && !isWebAddress(after[name])) report.add(name, urlInvalid())
  }
  report.throwIfAny()
  return after
}

/** A list that is replaced as a whole, and that null takes away. */
function listIn<Input, Stored>(
  sent: Input[] | null | undefined,
  kept: Stored[] | null,
  read: (inputs: Input[]) => Stored[],
): Stored[] | null {
  if (sent === undefined) return kept
  return sent === null ? null : read(sent)
}

/** The origins in their usual spelling, each once. A session in a frame needs TLS, so only localhost may do without it. */
function readOrigins(texts: readonly string[], report: FieldReport): string[] {
  const origins = texts.map((text, index) => {
    const origin = originOf(text)
    if (origin === undefined) report.add(`frame_origins[${index}]`, frameOriginInvalid())
    return origin ?? text
  })
  return [...new Set(origins)]
}

const ORIGIN = /^https?:\/\/[^\s/?#@;,'"*]+\/?$/i
const LOCAL = /^([\w-]+\.)?localhost$|^127\.0\.0\.1$|^\[::1\]$/

/** Undefined for a text that has more than an origin in it, or that a policy for browsers could not name. */
function originOf(text: string): string | undefined {
  if (!ORIGIN.test(text) || !URL.canParse(text)) return undefined
  const { origin, protocol, hostname } = new URL(text)
  return protocol === 'https:' || LOCAL.test(hostname) ? origin : undefined
}

function changeLocales(
  kept: readonly StoredThemeLocale[],
  inputs: readonly ThemeLocaleInput[],
  takeId: () => number,
  report: FieldReport,
): StoredThemeLocale[] {
  const changes = inputs.map(({ language_id, ...change }, index) => {
    if (language_id === undefined) return change
    const language = readLanguage(language_id)
    if (language === undefined) report.add(`locales[${index}].language_id`, languageUnknown())
    return { ...change, language: language ?? language_id }
  })
  return mergeLocales<StoredThemeLocale, ThemeLocaleInput & LocaleChange>(
    kept,
    changes,
    (before, change, identity) => {
      const text = (name: keyof Omit<StoredThemeLocale, 'id' | 'language'>) => change[name] ?? before?.[name] ?? ''
      return {
        ...identity,
        shop_name: text('shop_name'),
        shop_description: text('shop_description'),
        offline_message: text('offline_message'),
        seo_title: text('seo_title'),
        seo_description: text('seo_description'),
        seo_keywords: text('seo_keywords'),
        about: text('about'),
        imprint: text('imprint'),
        terms: text('terms'),
        withdrawal: text('withdrawal'),
        privacy: text('privacy'),
      }
    },
    { takeId, report, languageField: 'language_id' },
  )
}
