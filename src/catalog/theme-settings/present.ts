import { wireTime } from '#platform/wire/times.ts'
import { answeringHosts, recommendedDomain } from './domains.rules.ts'
import type { StoredTitle } from './home/state.ts'
import { proofRecord } from './proofs/rules.ts'
import type { DomainProof, ThemeSetting } from './schema.ts'
import type { ThemeSettingState } from './state.ts'
import { THEMES } from './themes.facts.ts'

/** A theme setting as the API shows it, with a placeholder for the service's own host in its domain. */
export function presentThemeSetting(setting: ThemeSettingState): ThemeSetting {
  const { hosts } = setting
  return {
    id: setting.id,
    company_id: setting.company_id,
    theme_id: setting.theme_id,
    name: THEMES.get(setting.theme_id)?.name ?? '',
    domain: recommendedDomain(answeringHosts(hosts, setting.answering)),
    enabled: setting.enabled,
    // Phones use the same domain.
    mobile_domain_available: false,
    access_domain: hosts.access_domain,
    shop_domain: hosts.shop_domain,
    sub_domain: hosts.sub_domain,
    vanity_domain: hosts.vanity_domain,
    homepage_url: setting.homepage_url,
    facebook_url: setting.facebook_url,
    google_url: setting.google_url,
    twitter_url: setting.twitter_url,
    youtube_url: setting.youtube_url,
    affiliates_enabled: setting.affiliates_enabled,
    affiliate_percentage: setting.affiliate_percentage,
    allow_reviews: setting.allow_reviews,
    allow_anonymous_reviews: setting.allow_anonymous_reviews,
    need_approval_of_reviews: setting.need_approval_of_reviews,
    send_email_on_new_review: setting.send_email_on_new_review,
    newsletter_enabled: setting.newsletter_enabled,
    google_tracking_id: setting.google_tracking_id,
    google_ecommerce_enabled: setting.google_ecommerce_enabled,
    google_shopping_account_id: setting.google_shopping_account_id,
    html_tag: setting.html_tag,
    meta_tag: setting.meta_tag,
    sample_product_id: setting.sample_product_id,
    sample_product_license_id: setting.sample_product_license_id,
    shop_offline: setting.shop_offline,
    shop_icon: setting.shop_icon,
    accent_color: setting.accent_color,
    updated_at: wireTime(setting.updated_at),
    domain_proofs: domainProofs(setting),
    locales: setting.locales.map(({ id, language, ...texts }) => ({ id, language_id: language, ...texts })),
    frame_origins: setting.frame_origins,
    cart_reminder_hours: setting.cart_reminder_hours,
    home_sections: setting.home_sections?.map(withTitles) ?? null,
    menu: setting.menu?.map(withTitles) ?? null,
    player_watermark: setting.player_watermark,
  }
}

function withTitles<Part extends { locales: readonly StoredTitle[] }>({ locales, ...part }: Part) {
  return { ...part, locales: locales.map(({ language, title }) => ({ language_id: language, title })) }
}

/** The domains that need a proof, and the record with which the owner proves each. */
function domainProofs({ company_id, hosts, answering }: ThemeSettingState): DomainProof[] {
  return [hosts.shop_domain, hosts.access_domain]
    .filter((domain) => domain !== '')
    .map((domain) => ({
      domain,
      status: answering.includes(domain) ? 'proved' : 'waiting',
      record: proofRecord(company_id, domain),
    }))
}
