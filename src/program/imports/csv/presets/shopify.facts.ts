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

/** Orders → Export: a line for each item, of which the first has what is said about the whole order. */
export const SHOPIFY_SALES: Preset = {
  shop: 'shopify',
  kind: 'sales',
  marks: [['lineitemname'], ['lineitemquantity'], ['financialstatus']],
  fields: {
    name: 'order_number',
    email: 'email',
    financialstatus: 'status',
    createdat: 'sold_at',
    paidat: 'sold_at',
    lineitemquantity: 'quantity',
    lineitemname: 'product',
    lineitemsku: 'sku',
    billingname: 'name',
  },
  knowsOthers: false,
  left: [
    [/^(shipping|billing|fulfil|lineitemrequiresshipping|lineitemfulfillment)/, 'shipping'],
    [/^(acceptsmarketing|discount|lineitemdiscount|tags|risk|source|note)/, 'marketing'],
    [/./, 'payment'],
  ],
}
