import type { Preset } from './state.ts'

/** Sales → Export. Where a file has two columns for a field, the one that is named first here counts. */
export const GUMROAD_SALES: Preset = {
  shop: 'gumroad',
  kind: 'sales',
  marks: [['purchaseid'], ['itemname'], ['purchaseemail', 'buyeremail', 'email']],
  fields: {
    purchaseid: 'order_number',
    itemname: 'product',
    purchaseemail: 'email',
    buyeremail: 'email',
    email: 'email',
    buyername: 'name',
    purchasedate: 'sold_at',
    quantity: 'quantity',
    fullyrefunded: 'refunded',
    refunded: 'refunded',
  },
  knowsOthers: false,
  left: [
    [/^licensekey/, 'keys'],
    [/^(variants|skuid)/, 'variants'],
    [/^(streetaddress|city|zipcode|state|country|shipping)/, 'shipping'],
    [/^(referrer|discount|offercode|affiliate|donotcontact|utm|giftee)/, 'marketing'],
    [/./, 'payment'],
  ],
}
