import type { DB } from '#platform/db/types.gen.ts'

type Table = keyof DB

/** What lets somebody in: it goes first. */
export const ACCESS = [
  'access_tokens',
  'refresh_tokens',
  'sessions',
  'known_browsers',
  'one_time_links',
  'customer_sessions',
  'customer_links',
  'customer_sign_ups',
  'used_login_tokens',
] as const satisfies readonly Table[]

/** Then whoever worked for it. Their grants are ended before, because others see that. */
export const PEOPLE = [
  'recovery_codes',
  'second_factors',
  'invitation_mails',
  'users',
] as const satisfies readonly Table[]

/** What was sold, counted and sent. Rows go before those that they refer to. */
export const BUSINESS = [
  'deliveries',
  'webhooks',
  'webhook_blocks',
  'backup_runs',
  'import_changes',
  'import_contents',
  'imports',
  'import_keys',
  'idempotency_keys',
  'cart_reminder_addresses',
  'abandoned_carts',
  'carts',
  'cart_changes',
  'cart_days',
  'page_views',
  'visits',
  'visit_referrer_days',
  'traffic_days',
  'wishes',
  'reviews',
  'product_ratings',
  'content_positions',
  'played_days',
  'usage_changes',
  'usage_days',
  'entitlement_uses',
  'software_activations',
  'software_key_waits',
  'software_key_lists',
  'devices',
  'stamped_files',
  'device_licenses',
  'reading_license_events',
  'reading_licenses',
  'reading_passphrases',
  'playbacks',
  'redemption_gifts',
  'redemptions',
  'redemption_codes',
  'entitlements',
  'fulfillments',
  'order_notes',
  'withdrawals',
  'order_changes',
  'order_counts',
  'order_days',
  'order_origin_days',
  'order_product_days',
  'order_product_months',
  'order_recounts',
  'sold_titles',
  'early_payment_events',
  'payment_gateways',
  'vat_id_checks',
  'former_unsubscribe_tokens',
  'news_confirmations',
  'news_recipients',
  'subscribers',
  'group_members',
  'subscription_changes',
  'subscription_days',
  'subscription_periods',
  'subscriptions',
  'subscription_settings',
  'plans',
  'groups',
  'membership_uses',
  'discount_codes',
  'shipping_methods',
  'tax_rates',
  'mail_texts',
  'theme_previews',
  'pictures',
] as const satisfies readonly Table[]

/** What products were made of. Products themselves go one by one, because other companies may sell them. */
export const CATALOG = [
  'product_bindings',
  'product_groups',
  'product_themes',
  'product_words',
  'product_mirrors',
  'category_entries',
  'prices',
  'licenses',
  'theme_setting_hosts',
  'theme_settings',
] as const satisfies readonly Table[]

/** What is left when all the rest is gone, and is written while it goes. */
export const TRACES = [
  'original_changes',
  'market_offers',
  'mails',
  'counters',
  'test_clocks',
  'versions',
] as const satisfies readonly Table[]

/** What a seller has to keep for years. Rows go before those that they refer to. */
export const BOOKS = [
  'invoices',
  'payment_refunds',
  'payments',
  'refunds',
  'order_lines',
  'orders',
  'invoice_settings',
  'ledger_entries',
] as const satisfies readonly Table[]

/** What is deleted by the rules of its room, and which of its rows stay. */
export const BY_RULE: Readonly<Partial<Record<Table, string>>> = {
  grants: 'all go, also those that its users made for other companies',
  products: 'all go, and what other companies sell of them ends',
  categories: 'all go, from the leaves',
  customer_relations: 'all go, and the accounts that no other company knows',
  unproved_relations: 'they go with the relations',
  events: 'all go',
  apps: 'those stay, without a secret, that other companies have installed: their records name them',
  content_files: 'those stay that customers of other companies have bought',
  content_blobs: 'the bytes of those files stay',
  content_uploads: 'they go with their files',
  packed_files: 'they go with the bytes that they were packed from',
  packed_parts: 'they go with what they are parts of',
  protected_publications: 'they go with the files that were encrypted',
  content_keys: 'they go with what they are for',
  software_keys: 'those stay that customers of other companies have got',
  audit_entries: 'they are deleted a year after they were written, as everywhere',
  jobs: 'they are done, and go then',
  company_deletions: 'it says what was deleted, and when',
}
