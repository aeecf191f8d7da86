import { type Static, Type } from 'typebox'
import { Id, nullable, optional, Reference, Text, Time } from '#platform/wire/schema.ts'
import { home, homeInput, LanguageReference } from './home/schema.ts'

const ADDRESS_MAX = 2000
const HOST_MAX = 253
const HTML_MAX = 65_535
const NAME_MAX = 100
const TITLE_MAX = 255
const ORIGIN_MAX = 300
const ORIGINS_MAX = 20

const Flag = (description: string) => Type.Boolean({ description })
const Address = (description: string) => Text(ADDRESS_MAX, `${description} An http or https address, or empty.`)
const OwnPage = (subject: string) =>
  Text(HTML_MAX, `${subject}, as a page of the shop. HTML is allowed. Empty: there is no such page.`)

const localeTexts = {
  shop_name: Text(TITLE_MAX, 'Name of the shop.', ['Books & Co']),
  shop_description: Text(HTML_MAX, 'What the shop is about. HTML is allowed.'),
  offline_message: Text(HTML_MAX, 'Shown while the shop is offline. HTML is allowed.'),
  seo_title: Text(TITLE_MAX, 'Title for search engines.'),
  seo_description: Text(1000, 'Description for search engines.'),
  seo_keywords: Text(1000, 'Keywords for search engines.'),
  about: OwnPage('Who runs the shop'),
  imprint: OwnPage('The imprint'),
  terms: OwnPage('The terms of sale'),
  withdrawal: OwnPage('The right of withdrawal'),
  privacy: OwnPage('How the shop handles personal data'),
}

const domains = {
  access_domain: Text(HOST_MAX, 'Separate domain of the My Content section, or empty.', ['my.example.com']),
  shop_domain: Text(HOST_MAX, "The shop's own domain, or empty.", ['shop.example.com']),
  vanity_domain: Text(HOST_MAX, "Label below the service's own host, or empty.", ['books']),
}

const texts = {
  homepage_url: Address('Home page.'),
  facebook_url: Address('Page on Facebook.'),
  google_url: Address('Page on Google.'),
  twitter_url: Address('Page on Twitter.'),
  youtube_url: Address('Channel on YouTube.'),
  google_tracking_id: Text(NAME_MAX, 'Id for Google Analytics.', ['G-AB12CD34EF']),
  google_shopping_account_id: Text(NAME_MAX, 'Account for Google Shopping.'),
  html_tag: Text(HTML_MAX, 'HTML that is placed into every page of the shop.'),
  meta_tag: Text(HTML_MAX, 'HTML meta tags.'),
  shop_icon: Address('Icon of the shop.'),
  accent_color: Type.String({
    pattern: '^(#[0-9A-Fa-f]{6})?$',
    description:
      'Colour of links and buttons, or empty for that of the theme. Pages show it darker or lighter where it would be hard to read.',
    examples: ['#7b2d72'],
  }),
}

const settings = {
  affiliates_enabled: Flag('Affiliates may sell for the shop.'),
  affiliate_percentage: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'Percent of revenue paid to affiliates.',
  }),
  allow_reviews: Flag('Customers may review products.'),
  allow_anonymous_reviews: Flag('Reviews need no name.'),
  need_approval_of_reviews: Flag('Reviews are shown after somebody has approved them.'),
  send_email_on_new_review: Flag('A mail tells of every new review.'),
  newsletter_enabled: Flag('Visitors may sign up for the newsletter.'),
  google_ecommerce_enabled: Flag('Purchases are told to Google Analytics.'),
  shop_offline: Flag('The shop shows its offline message, and is open to its owner only.'),
}

const references = {
  sample_product_id: nullable(Id("Id of one of the company's products that serves as a sample; null: none.")),
  sample_product_license_id: nullable(Id('License of the sample; null: none.')),
}

const frameOrigins = Type.Array(Text(ORIGIN_MAX, 'Origin of a site.', ['https://www.example.com']), {
  maxItems: ORIGINS_MAX,
  description: 'Origins of the sites that may show the shop in a frame. No other site may.',
})

export const ThemeLocale = Type.Object({
  id: Id('Id of the locale.'),
  language_id: Type.String({ description: 'Code of the language.', examples: ['en'] }),
  ...localeTexts,
})

const DomainProof = Type.Object({
  domain: Type.String({ description: 'The domain.', examples: ['shop.example.com'] }),
  status: Type.Enum(['waiting', 'proved'], {
    description: '`waiting`: the domain does not answer yet. `proved`: the shop answers under it.',
  }),
  record: Type.Object(
    {
      type: Type.Enum(['TXT'], { description: 'Type of the record.' }),
      name: Type.String({ description: 'Name of the record.', examples: ['_licet.shop.example.com'] }),
      value: Type.String({ description: 'Value of the record.', examples: ['licet-company=1000'] }),
    },
    { description: 'The record that proves the domain. A CNAME to the numeric sub-domain of the shop does, too.' },
  ),
})

const CartReminderHours = Type.Integer({
  minimum: 0,
  maximum: 168,
  description:
    'After as many hours customers are reminded of a cart that they left, by one mail. Null or 0: they are not.',
  examples: [24],
})

const PlayerWatermark = Flag(
  'The player shows the email address of the buyer on the picture of a film, faintly and in changing places, where the license has `drm` 1.',
)

export const ThemeSetting = Type.Object(
  {
    id: Id('Id of the theme setting.'),
    company_id: Id('Company that owns the shop. Read-only.'),
    theme_id: Id('Theme that the shop is made with; 1 is the default theme.'),
    name: Type.String({ description: 'Name of the theme. Read-only.', examples: ['Default'] }),
    domain: Type.String({
      description: "The domain to send people to: the shop's own, else one below the service's. Read-only.",
      examples: ['shop.example.com'],
    }),
    enabled: Flag('Whether the shop is there for anybody. Read-only.'),
    mobile_domain_available: Flag('Whether there is a separate domain for phones. Read-only.'),
    access_domain: domains.access_domain,
    shop_domain: domains.shop_domain,
    sub_domain: Type.String({ description: "Number below the service's own host. Read-only.", examples: ['1000'] }),
    vanity_domain: domains.vanity_domain,
    ...texts,
    ...settings,
    ...references,
    updated_at: Time('When the theme setting was last changed.'),
    domain_proofs: Type.Array(DomainProof, {
      description: 'The state of `shop_domain` and `access_domain`: a domain answers once it is proved. Read-only.',
    }),
    locales: Type.Array(ThemeLocale, {
      description: 'A language without texts of its own shows the English ones, else the first.',
    }),
    frame_origins: frameOrigins,
    cart_reminder_hours: nullable(CartReminderHours),
    ...home,
    player_watermark: PlayerWatermark,
  },
  { $id: 'ThemeSetting' },
)

const LocaleInput = Type.Object({
  id: Type.Optional(Reference('Id of a locale to change.')),
  language_id: Type.Optional(LanguageReference),
  ...optional(localeTexts),
  _destroy: Type.Optional(Type.Boolean({ description: 'Removes the locale with this id.' })),
})

export const ThemeSettingInput = Type.Object(
  {
    theme_id: Type.Optional(Reference('Theme that the shop is made with; the default one unless said otherwise.')),
    ...optional(domains),
    ...optional(texts),
    ...optional(settings),
    sample_product_id: Type.Optional(Reference("Id of one of the company's products that serves as a sample.")),
    sample_product_license_id: Type.Optional(Reference('License of the sample.')),
    locales: Type.Optional(
      Type.Array(LocaleInput, {
        maxItems: 200,
        description: 'An entry with an `id` or a known `language_id` changes that one; others are added.',
      }),
    ),
    frame_origins: Type.Optional(frameOrigins),
    cart_reminder_hours: Type.Optional(nullable(CartReminderHours)),
    player_watermark: Type.Optional(PlayerWatermark),
    ...homeInput,
  },
  {
    $id: 'ThemeSettingInput',
    examples: [{ shop_domain: 'shop.example.com', locales: [{ language_id: 'en', shop_name: 'Books & Co' }] }],
  },
)

export type DomainProof = Static<typeof DomainProof>
export type ThemeSetting = Static<typeof ThemeSetting>
export type ThemeSettingInput = Static<typeof ThemeSettingInput>
export type ThemeLocaleInput = Static<typeof LocaleInput>
