import type { ShopTextName } from '#catalog/theme-settings/state.ts'
import { isInEu } from '#identity/addresses/vat-rates.facts.ts'
import type { Missing } from './schema.ts'
import type { SetUp, Step } from './state.ts'

/** What shops have to say, in the European Union and elsewhere. */
const TEXTS_IN_EU: readonly ShopTextName[] = ['imprint', 'terms', 'withdrawal', 'privacy']
const TEXTS_ELSEWHERE: readonly ShopTextName[] = ['terms', 'privacy']

const asMissing = (lacks: Partial<Record<Missing, boolean>>): Missing[] =>
  (Object.entries(lacks) as [Missing, boolean][]).flatMap(([what, isMissing]) => (isMissing ? [what] : []))

/** Sellers of content in the European Union owe VAT in the countries of their customers, and need a number for that. */
function companyStep({ company, vatId }: SetUp): Step {
  const { company_name, street, zip, city, country_code } = company
  const missing = asMissing({
    company_name: company_name.trim() === '',
    street: street.trim() === '',
    zip: zip.trim() === '',
    city: city.trim() === '',
    country: country_code === '',
    vat_id: isInEu(country_code) && vatId === '',
  })
  return { key: 'company', missing }
}

function paymentsStep({ offers }: SetUp): Step {
  if (offers.some(({ is_test }) => !is_test)) return { key: 'payments', missing: [] }
  return { key: 'payments', missing: [offers.length === 0 ? 'payment_method' : 'live_payment_method'] }
}

/** Without a product that can be bought, it is about the one that was made last, and says what that lacks. */
function productStep({ assortment: { has_buyable, latest } }: SetUp): Step {
  if (has_buyable) return { key: 'product', missing: [] }
  if (latest === undefined) return { key: 'product', missing: ['product'] }
  const lacks = asMissing({ published: !latest.published, price: !latest.priced, content: !latest.has_content })
  const missing: Missing[] = lacks.length === 0 ? ['release'] : lacks
  return { key: 'product', missing, subject: latest.title, subjectId: latest.id }
}

function textsStep({ company, shop }: SetUp): Step {
  const needed = isInEu(company.country_code) ? TEXTS_IN_EU : TEXTS_ELSEWHERE
  return { key: 'legal_texts', missing: needed.filter((name) => shop?.written.includes(name) !== true) as Missing[] }
}

/** A domain that is proved will do; otherwise the first one has to be. */
function domainStep({ domains }: SetUp): Step {
  const proved = domains.find(({ proved_at }) => proved_at !== null)
  if (proved !== undefined) return { key: 'domain', missing: [], subject: proved.host }
  const [asked] = domains
  if (asked === undefined) return { key: 'domain', missing: ['shop_domain'] }
  return { key: 'domain', missing: ['domain_proof'], subject: asked.host, record: asked.record }
}

/** What a company has to do before it can sell, in the order in which it is best done. */
export function stepsOf(setUp: SetUp): Step[] {
  const { sendsMails, assortment, shop, shippingMethods, hasPaidOrder } = setUp
  const shipping: Step = { key: 'shipping', missing: shippingMethods === 0 ? ['shipping_method'] : [] }
  return [
    companyStep(setUp),
    productStep(setUp),
    paymentsStep(setUp),
    ...(assortment.has_goods ? [shipping] : []),
    textsStep(setUp),
    { key: 'mails', missing: sendsMails ? [] : ['mail_server'] },
    domainStep(setUp),
    {
      key: 'order',
      missing: hasPaidOrder ? [] : ['paid_order'],
      ...(shop === undefined ? {} : { subjectId: shop.id }),
    },
  ]
}
