import { type Static, Type } from 'typebox'
import { Id, optional, Text, Time } from '#platform/wire/schema.ts'

const NAME_MAX = 100
const SHORT_MAX = 50
const LEVEL_MAX = 2_147_483_647

const Flag = (description: string) => Type.Boolean({ description })
const Level = (description: string) => Type.Integer({ minimum: 0, maximum: LEVEL_MAX, description })
const Bit = (description: string) => Type.Integer({ enum: [0, 1], description })

const CountryDetails = Type.Object(
  {
    ID: Type.Integer({ description: 'Id of the country: its numeric ISO code.', examples: [276] }),
    Country: Type.String({ description: 'Name in English.', examples: ['Germany'] }),
    Eu: Bit('1: member of the European Union.'),
    Country_id: Type.String({ description: 'Two-letter ISO code.', examples: ['DE'] }),
    Euro: Bit('1: pays in euros.'),
    Culture: Type.String({ description: 'First language and country.', examples: ['de-DE'] }),
    Num: Type.Integer({ description: 'Numeric ISO code.', examples: [276] }),
    VideoFormat: Bit('0 NTSC, 1 PAL.'),
    DVDRegion: Type.Integer({ minimum: 0, maximum: 6, description: 'Region code of DVDs.' }),
    Currency: Type.String({ description: 'Three-letter code of the currency.', examples: ['EUR'] }),
    VAT: Type.Number({ minimum: 0, description: 'Standard rate of VAT in percent; 0 where none is known.' }),
    TimeOffset: Type.Integer({ description: 'Minutes to GMT, without summer time.', examples: [60] }),
  },
  { description: 'Read-only.' },
)

const ShopStatus = Type.Object(
  {
    'No payment system': Flag('Customers cannot pay.'),
    'No products': Flag('There is no product.'),
    Disabled: Flag('The company is disabled, or its shop is not active.'),
    'Incomplete company data': Flag('A name or a part of the address is missing.'),
    'Products incomplete': Flag('There are products without a price.'),
    'No active theme/domain': Flag('There is no shop that customers can visit.'),
    'Limited access mode': Flag('The company is restricted.'),
  },
  { description: 'What keeps the shop from selling. Read-only.' },
)

const texts = {
  company_additional_name: Text(NAME_MAX, 'Second line of the name.'),
  first_name: Text(NAME_MAX, 'First name of the primary contact.', ['Jane']),
  last_name: Text(NAME_MAX, 'Last name of the primary contact.', ['Roe']),
  phone: Text(SHORT_MAX, 'Phone number of the primary contact.'),
  moblile_phone: Text(SHORT_MAX, 'Mobile phone number of the primary contact.'),
  street: Text(NAME_MAX, 'Street and number.'),
  zip: Text(SHORT_MAX, 'Postal code.'),
  city: Text(NAME_MAX, 'City.'),
  province: Text(NAME_MAX, 'Province or state.'),
  province_code: Text(SHORT_MAX, 'Code of the province or state.', ['TX']),
  creditcard_expiration: Text(SHORT_MAX, 'When the card expires.', ['11/2028']),
}

const settings = {
  affiliates_active: Flag('Affiliates may sell for the shop.'),
  api_active: Flag('Orders may be created through the interface.'),
  inventory_management_active: Flag('Stock is counted.'),
  managed_users_active: Flag('Users are managed by the company.'),
  show_recommended_products_player: Flag('The player shows recommendations.'),
  partner_model: Level('Model of the partnership.'),
  stop_selling_at_stock_level_below: Level('Effective with inventory management only.'),
  warn_at_stock_level_below: Level('Effective with inventory management only.'),
}

const language = Type.String({
  pattern: '^[A-Za-z]{2}$',
  description: 'Two-letter code of the primary language.',
  examples: ['en'],
})

export const Company = Type.Object(
  {
    id: Id('Id of the company. Read-only.'),
    company_name: Text(NAME_MAX, 'Name of the company.', ['Books & Co']),
    email: Text(NAME_MAX, 'Email address of the primary contact.', ['jane@example.com']),
    ...texts,
    country: Type.String({ description: 'Name of the country. Read-only.', examples: ['Germany'] }),
    country_details: CountryDetails,
    language,
    creation_date: Time('When the company was opened. Read-only.'),
    updated_at: Time('When the company was last changed. Read-only.'),
    creditcard_number: Type.String({
      description: 'The last four digits; empty: none.',
      examples: ['************1234'],
    }),
    account_level: Type.Integer({ description: '0 none, 1 basic, 2 silver, 3 gold. Read-only.' }),
    affiliate_mode: Type.Integer({ description: 'Who pays affiliates: 0 the platform, 1 the shop owner. Read-only.' }),
    company_type: Type.Integer({ description: 'Kind of company. Read-only.' }),
    accounting_export_active: Flag('Accounting data is exported. Read-only.'),
    company_disabled: Flag('The company is disabled. Read-only.'),
    digital_products_only: Flag('Only digital products are sold. Read-only.'),
    sample_mode: Flag('The company is a sample. Read-only.'),
    sandbox: Type.Optional(
      Flag(
        'The company is a sandbox, whose clock you move: see `GET /api/test_clock.json`. Absent: it is not. Read-only.',
      ),
    ),
    shop_active: Flag('The shop is open to visitors. Read-only.'),
    valid: Flag('Names and address are complete. Read-only.'),
    ...settings,
    esd_payment_route: Bit('Payment of downloads: 0 direct, 1 through a partner or replicator. Read-only.'),
    prod_payment_route: Bit('Payment of goods: 0 direct, 1 through a partner or replicator. Read-only.'),
    external_access_token: Type.Optional(
      Type.String({
        description:
          'Secret with which the company signs login tokens. Read-only, left out for users without the permission `create_users`.',
      }),
    ),
    payment_reminders: Type.Integer({ description: 'Reminders sent. Read-only.' }),
    restricted: Type.Integer({ description: '1 or higher: restricted. Read-only.' }),
    tax_options: Type.Integer({ description: '0 and 1: sells to consumers, 2: to businesses. Read-only.' }),
    comment: Type.Optional(Type.String({ description: 'Read-only, shown to the partner of the company only.' })),
    commission_model: Type.Optional(Type.Integer({ description: 'Read-only, shown to the partner only.' })),
    price_model: Type.Optional(Type.Integer({ description: 'Read-only, shown to the partner only.' })),
    sales_contact: Type.Optional(Type.String({ description: 'Read-only, shown to the partner only.' })),
    partner: Type.Optional(Type.Integer({ description: 'Id of the partner. Read-only, shown to the partner only.' })),
    shop_status: ShopStatus,
  },
  { $id: 'Company' },
)

export const CompanyInput = Type.Object(
  {
    company_name: Type.Optional(
      Type.String({ minLength: 1, maxLength: NAME_MAX, description: 'Name of the company.' }),
    ),
    email: Type.Optional(
      Type.String({
        maxLength: NAME_MAX,
        pattern: '^[^@\\s]+@[^@\\s]+$',
        description: 'Email address of the primary contact.',
      }),
    ),
    ...optional(texts),
    language: Type.Optional(language),
    creditcard_number: Type.Optional(
      Text(
        NAME_MAX,
        'Of a card number the last four digits are kept. What was read changes nothing; empty removes it.',
      ),
    ),
    creditcard_cvc: Type.Optional(Text(SHORT_MAX, 'Neither kept nor returned.')),
    ...optional(settings),
  },
  { $id: 'CompanyInput', examples: [{ company_name: 'Books & Co', first_name: 'Jane', last_name: 'Roe' }] },
)

/** Settings that apps only read, and the users of the company change. */
export const CompanySettings = Type.Object(
  {
    country: Type.Optional(
      Text(NAME_MAX, 'Code or English name of the country, which decides about taxes.', ['Germany']),
    ),
    tax_options: Type.Optional(
      Type.Integer({
        enum: [0, 1, 2],
        description: '0 and 1: sells to consumers, prices include tax. 2: to businesses.',
      }),
    ),
    shop_active: Type.Optional(Flag('False: the pages of the shops show their offline message.')),
  },
  { $id: 'CompanySettings', examples: [{ tax_options: 2, shop_active: true }] },
)

/** What the users of a company change of it. */
export const OwnCompanyInput = Type.Object(
  { ...CompanyInput.properties, ...CompanySettings.properties },
  { $id: 'OwnCompanyInput', examples: [{ street: 'Harbour 1', zip: '20457', city: 'Hamburg', country: 'Germany' }] },
)

export type OwnCompanyInput = Static<typeof OwnCompanyInput>
export type CompanySettings = Static<typeof CompanySettings>

/** The operator can also disable a company. */
export type OperatorSettings = CompanySettings & { company_disabled?: boolean }

export type Company = Static<typeof Company>
export type CompanyInput = Static<typeof CompanyInput>
export type CountryDetails = Static<typeof CountryDetails>

/** The fields that only the partner of a company may read. */
export type PartnerPart = Required<
  Pick<Company, 'comment' | 'commission_model' | 'price_model' | 'sales_contact' | 'partner'>
>
