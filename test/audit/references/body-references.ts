import { aCustomer, anEmail } from '../../customers.ts'
import { type BodyValue, valuesAt } from './body-values.ts'
import type { NamedCompany } from './named-company.ts'

type Value = number | string

export type Sent = {
  of(company: NamedCompany, path: string): Value | Promise<Value>
  /** Why another company may use it, too: it is a text of whoever sends it. Without a reason it is refused, or not used. */
  free?: string
  /** Whether each is made for this. */
  isMade?: boolean
}

/** What a name has to end in to be that of a reference, or of something that only one may have. */
const NAME = /(^|_)(ids?|tokens?|codes?|keys?|emails?|src|domain|secret|groups?|device|file)$/

export function looksLikeReference({ name, schema }: BodyValue): boolean {
  return NAME.test(name) || schema['x-reads'] === 'reference'
}

/** The part of the same resource that the company has itself. */
const samePart: Sent['of'] = ({ documents }, path) => {
  const [value] = valuesAt(documents, path)
  if (value === undefined) throw new Error(`${path}: the company has none, so nothing can be tried`)
  return value as Value
}

const product: Sent = { of: ({ sold }) => sold.product_id }
const productKey: Sent = { of: ({ sold }) => sold.id }
const license: Sent = { of: ({ things }) => things.license.id }
const price: Sent = { of: ({ things }) => things.price.id }
const category: Sent = { of: ({ things }) => things.category.id }
const shop: Sent = { of: ({ things }) => things.themeSetting.id }
const customer: Sent = { of: ({ things }) => things.customer.token }
const line: Sent = { of: ({ documents }) => documents.order.line_items[0].id }
/** Somebody whom only this company knows. A company that has once added them knows them, too. */
const email = (free: string): Sent => ({
  of: async ({ shop, name }) => (await aCustomer(shop, { email: anEmail(), first_name: name })).email,
  free,
  isMade: true,
})
const device: Sent = { of: () => 'own', free: 'a text of the client; devices are found by their customer' }
const group: Sent = { of: () => 's1', free: 'each company numbers its own groups' }
const picture: Sent = { of: samePart, free: 'an address on the web, which anyone can read' }
const host: Sent = {
  of: ({ documents }) => documents.ThemeSetting.shop_domain,
  free: 'a domain is of the company that proves it, and leads to no other shop until then',
}
const OWN_ACCOUNT =
  'an account is on the whole platform: whoever knows the address can add the person, and sees nothing of others'

/** What is sent, by the path of the value, or else by its name. */
export const REFERENCES: Record<string, Sent> = {
  id: { of: samePart },
  'price_change.prices[].id': price,
  'order.customer.addresses[].id': { of: ({ documents }) => documents.customer.addresses[0].id },
  'product.included_products[].id': { of: ({ variation }) => variation.included_products[0].id },
  'product.product_id': { of: ({ variation }) => variation.product_id, free: 'a new product may bring its own' },
  product_id: product,
  'import.matches[].product_id': {
    ...product,
    free: 'it is looked up among the products of the company when the file is checked',
  },
  'file.product_id': { of: ({ program }) => program.product_id },
  chosen_product_id: { of: ({ variation }) => variation.included_products[0].product_id },
  product_ids: productKey,
  sample_product_id: productKey,
  sample_product_license_id: license,
  license_id: license,
  price_id: price,
  compare_price_id: price,
  category_id: category,
  category_ids: category,
  parent_id: { of: ({ parent }) => parent.id },
  theme_setting_id: shop,
  customer_token: customer,
  'order.customer.token': customer,
  line_item_id: line,
  order_id: { of: ({ things }) => things.order.id },
  file_id: { of: ({ things }) => things.file.id },
  'reading_license.file_id': {
    of: ({ things }) => things.file.id,
    free: 'only what the entitlement includes, and what is protected, is taken',
  },
  'device_license.file_id': {
    of: ({ things }) => things.file.id,
    free: 'only what the entitlement includes, and what is protected, is taken',
  },
  app_id: { of: ({ things }) => things.app.id },
  company_id: { of: ({ shop: { companyId } }) => companyId },
  company_ids: {
    of: ({ shop: { companyId } }) => companyId,
    free: 'an offer is for companies that it names, and says nothing of them',
  },
  'app.client_id': { of: ({ clientId }) => clientId },
  'redeem.code': { of: ({ redemptionCode }) => redemptionCode },
  'order.discount_codes[].code': { of: ({ discountCodes }) => discountCodes[0] },
  'order.line_items[].code': { of: ({ redemptionCode }) => redemptionCode },
  'discount_code.code': { of: ({ discountCodes }) => discountCodes[1], free: 'each company names its own' },
  keys: { of: ({ program }) => program.keys[0]!, free: 'the list of keys of a product is what its company says' },
  access_domain: host,
  shop_domain: host,
  vanity_domain: { of: samePart },
  src: picture,
  group_id: group,
  'group.id': group,
  'plan.group_id': { of: ({ things }) => things.plan.group_id, free: 'each company numbers its own groups' },
  plan_id: { of: ({ things }) => things.plan.id },
  'plan_change.plan_id': { of: ({ things }) => things.subscription.plan_id },
  // A customer has one subscription to a group.
  'subscription.customer_token': { of: async ({ shop: own }) => (await aCustomer(own)).token, isMade: true },
  'subscription.email': email(OWN_ACCOUNT),
  device,
  device_id: device,
  'user.email': {
    of: ({ things }) => things.user.email,
    free: 'an invitation does not say whether somebody has an account',
  },
  'customer.email': email(OWN_ACCOUNT),
  'order.email': email(OWN_ACCOUNT),
  'order.customer.email': email(OWN_ACCOUNT),
  'groupmember.email': email(OWN_ACCOUNT),
  'subscriber.email': email(OWN_ACCOUNT),
  'newsrecipient.email': email(OWN_ACCOUNT),
  'gift.email': email('a code is given to any address'),
  'company.email': email('where the company is reached; nobody signs in with it'),
  developer_email: email('where the maker of the app is reached'),
}

/** Looks like a reference, and refers to nothing that a company has. */
export const NO_REFERENCE: Record<string, string> = {
  attribute_set_id: 'a number of the client',
  check_vat_ids: 'a switch',
  generate_codes: 'a switch',
  request_beta_code: 'a permission',
  request_rescue_code: 'a permission',
  country_code: 'a country',
  country_id: 'a country',
  province_code: 'a part of a country',
  language_id: 'a language',
  theme_id: 'a design that comes with the service',
  google_tracking_id: 'an account at another service',
  google_shopping_account_id: 'an account at another service',
  shipping_partner_id: 'an account at another service',
  location_id: 'a text of the client',
  vat_id: 'a number of the tax office',
  secret_key: 'a key of a gateway, which is asked whether it is one',
  webhook_secret: 'a secret of a gateway',
  'company_deletion.code': 'of the second factor of the user who asks',
  'second_factor.code': 'of the second factor of the user who asks',
}

/** Which references a company could not make itself in this way: an own one would be refused, too. */
export const WITHOUT_OWN: Record<string, string> = {
  'PUT order.line_items[].chosen_product_id': 'a line that was sold is not changed',
  'PUT order.line_items[].code': 'a line that was sold is not changed',
  'POST app.client_id': 'it is taken',
  'POST open.product_id': 'only a membership opens it, which foreign ids have none of',
  'POST ThemeSetting.vanity_domain': 'it is taken',
}
