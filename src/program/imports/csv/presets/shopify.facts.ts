import type { Preset } from './state.ts'

/** Products → Export. Files of before 2025 and of today have other headings. */
export const SHOPIFY_PRODUCTS: Preset = {
  shop: 'shopify',
  kind: 'products',
  marks: [
    ['handle', 'urlhandle'],
    ['variantprice', 'price'],
    ['option1name', 'bodyhtml', 'variantrequiresshipping', 'requiresshipping', 'publishedononlinestore'],
  ],
  fields: {},
  knowsOthers: true,
  left: [
    [/^option\d/, 'variants'],
    [/^(googleshopping|giftcard|imagealttext|productimagealttext|collection)/, 'marketing'],
    [/^(variantfulfillmentservice|fulfillmentservice|variantinventorypolicy|continueselling)/, 'shipping'],
    [
      /^(varianttaxable|chargetax|varianttaxcode|taxcode|costperitem|unitprice|variantweightunit|weightunit)/,
      'settings',
    ],
    [/(price|included)(international|.+markets?)$/, 'settings'],
  ],
}

/** Customers → Export. */
export const SHOPIFY_CUSTOMERS: Preset = {
  shop: 'shopify',
  kind: 'customers',
  marks: [['firstname'], ['email'], ['acceptsemailmarketing', 'acceptsmarketing']],
  fields: {},
  knowsOthers: true,
  left: [
    [/^accepts|marketing|^tags$/, 'marketing'],
    [/^total/, 'counted'],
    [/^taxexempt|^customerid$/, 'settings'],
  ],
}
