import type { Preset } from './state.ts'

/** Products → Export, whose headings are in the language of the shop: here in English and in German. */
const PRODUCT_FIELDS = {
  id: 'handle',
  type: 'product_type',
  typ: 'product_type',
  sku: 'sku',
  artikelnummer: 'sku',
  gtinupceanorisbn: 'gtin',
  gtinupceanoderisbn: 'gtin',
  name: 'title',
  published: 'published',
  veröffentlicht: 'published',
  description: 'description',
  beschreibung: 'description',
  taxclass: 'tax_class',
  steuerklasse: 'tax_class',
  stock: 'items_in_stock',
  lager: 'items_in_stock',
  lagerbestand: 'items_in_stock',
  bestand: 'items_in_stock',
  regularprice: 'price',
  regulärerpreis: 'price',
  saleprice: 'sale_price',
  angebotspreis: 'sale_price',
  categories: 'category',
  kategorien: 'category',
  tags: 'seo_keywords',
  schlagwörter: 'seo_keywords',
  images: 'image',
  bilder: 'image',
  parent: 'parent',
  übergeordnetesprodukt: 'parent',
  übergeordnet: 'parent',
}

const GRAMS = { kg: 1000, g: 1, lbs: 453.592_37, oz: 28.349_523 }
const WEIGHTS = Object.keys(GRAMS).flatMap((unit) => [`weight${unit}`, `gewicht${unit}`])

export const WOOCOMMERCE_PRODUCTS: Preset = {
  shop: 'woocommerce',
  kind: 'products',
  marks: [['type', 'typ'], ['sku', 'artikelnummer'], ['name'], ['regularprice', 'regulärerpreis']],
  fields: { ...PRODUCT_FIELDS, ...Object.fromEntries(WEIGHTS.map((heading) => [heading, 'weight'])) },
  knowsOthers: false,
  left: [
    [/^(download|herunterladen)/, 'files'],
    [/^(attribute|attribut|default|standard)\d|^(groupedproducts|gruppierteprodukte)$/, 'variants'],
    [/^(length|width|height|länge|breite|höhe)/, 'measures'],
    [/^(shippingclass|versandklasse|backorders|lieferrückst)/, 'shipping'],
    [/^(shortdescription|kurzbeschreibung|purchasenote|hinweiszumkauf)$/, 'only_one'],
    [
      /^(upsells|crosssells|zusatzverkäufe|isfeatured|isthervorgehoben|brands|marken|externalurl|externeurl)/,
      'marketing',
    ],
    [/./, 'settings'],
  ],
  convert(field, value, heading) {
    if (field === 'product_type') return typeOf(value)
    // Drafts are -1.
    if (field === 'published') return value === '-1' ? '0' : value
    if (field === 'category') return listOf(value).join('|')
    if (field === 'tax_class') return TAX_CLASSES[value] ?? value
    if (field === 'items_in_stock') return value === 'parent' ? '' : value
    if (field === 'weight') return inGrams(value, heading)
    return value
  },
}

/** Types stand beside each other: `simple, downloadable, virtual`. A product with variations is what these are. */
function typeOf(value: string): string {
  const types = value.split(',').map((type) => type.trim())
  for (const type of ['grouped', 'external']) if (types.includes(type)) return type
  if (types.includes('downloadable')) return 'file'
  if (types.includes('virtual')) return 'service'
  return types.includes('variable') ? '' : 'physical'
}

const TAX_CLASSES: Record<string, string> = { parent: '', 'reduced-rate': 'reduced', 'zero-rate': 'zero' }

/** A list has commas between its entries; those in an entry have a backslash. */
function listOf(value: string): string[] {
  return value
    .split(/(?<!\\),/)
    .map((entry) => entry.replaceAll('\\,', ',').trim())
    .filter((entry) => entry !== '')
}

/** The unit is in the heading: `Weight (kg)`. */
function inGrams(value: string, heading: string): string {
  const unit = /\((\w+)\)/.exec(heading)?.[1] ?? 'kg'
  const factor = GRAMS[unit.toLowerCase() as keyof typeof GRAMS]
  const amount = Number(value.replace(',', '.'))
  return factor === undefined || Number.isNaN(amount) ? value : String(Math.round(amount * factor * 1000) / 1000)
}

const BILLING_FIELDS = {
  company: 'company',
  address1: 'address1',
  address2: 'address2',
  city: 'city',
  postcode: 'zip',
  state: 'province_code',
  country: 'country_code',
  phone: 'phone',
}

/** An export of customers by one of the plug-ins for it, whose columns are called as WooCommerce stores them. */
export const WOOCOMMERCE_CUSTOMERS: Preset = {
  shop: 'woocommerce',
  kind: 'customers',
  marks: [['email', 'useremail'], ['billingfirstname'], ['billingpostcode']],
  fields: {
    email: 'email',
    useremail: 'email',
    firstname: 'first_name',
    lastname: 'last_name',
    locale: 'language',
    ...Object.fromEntries(Object.entries(BILLING_FIELDS).map(([name, field]) => [`billing${name}`, field])),
  },
  knowsOthers: false,
  left: [
    [/^shipping/, 'only_one'],
    [/^(billing(first|last)name|billingemail)/, 'only_one'],
    [/^(orders|orderscount|totalspen[dt]|moneyspent|lastorder)/, 'counted'],
    [/^(userpass|password|usersalt)/, 'settings'],
    [/./, 'settings'],
  ],
  convert: (field, value) => (field === 'language' ? value.slice(0, 2) : value),
}

/** Analytics → Customers → Download. */
export const WOOCOMMERCE_ANALYTICS_CUSTOMERS: Preset = {
  shop: 'woocommerce',
  kind: 'customers',
  marks: [['username'], ['email'], ['lastactive'], ['totalspend']],
  fields: {
    name: 'name',
    email: 'email',
    countryregion: 'country_code',
    city: 'city',
    region: 'province',
    postalcode: 'zip',
  },
  knowsOthers: false,
  left: [
    [/^(orders|totalspend|aov)$/, 'counted'],
    [/./, 'settings'],
  ],
}

/** An export of orders by one of the plug-ins for it, with a line for each item. */
export const WOOCOMMERCE_SALES: Preset = {
  shop: 'woocommerce',
  kind: 'sales',
  marks: [
    ['orderstatus', 'status'],
    ['itemname', 'productname'],
    ['emailbilling', 'billingemail', 'customeremail'],
  ],
  fields: {
    ordernumber: 'order_number',
    orderid: 'order_number',
    orderstatus: 'status',
    status: 'status',
    orderdate: 'sold_at',
    date: 'sold_at',
    emailbilling: 'email',
    billingemail: 'email',
    customeremail: 'email',
    firstnamebilling: 'first_name',
    billingfirstname: 'first_name',
    lastnamebilling: 'last_name',
    billinglastname: 'last_name',
    fullnamebilling: 'name',
    itemname: 'product',
    productname: 'product',
    sku: 'sku',
    itemsku: 'sku',
    quantityrefund: 'quantity',
    quantity: 'quantity',
    itemquantity: 'quantity',
  },
  knowsOthers: false,
  left: [
    [/(shipping|billing|^customernote)/, 'shipping'],
    [/^(coupon|discount)/, 'marketing'],
    [/./, 'payment'],
  ],
  convert: (field, value) => (field === 'status' ? value.toLowerCase().replace(/^wc-/, '') : value),
}
