import type { Phrases } from './phrases.ts'

export const en: Phrases = {
  region: 'GB',
  hello: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
  test: 'Test',
  testNotice: 'This is a test: nothing was bought, and nothing is charged.',
  ifButtonFails: 'If the button does not work, open this address:',
  answer: 'Any questions? Just answer this mail.',
  address: 'Shipping address',
  confirmation: {
    subject: (order, shop) => `Your order ${order} at ${shop}`,
    title: 'Thank you for your order',
    text: (order, date) => `We have received your order ${order} of ${date}. This is what you bought:`,
    item: 'Item',
    price: 'Price',
    subtotal: 'Subtotal',
    discount: (code) => `Discount (${code})`,
    shipping: (way) => (way === '' ? 'Shipping' : `Shipping (${way})`),
    total: 'Total',
    tax: (rate) => `including ${rate} VAT`,
    invoiceNumber: (number) => `Invoice number: ${number}`,
    purchaseOrder: (number) => `Your purchase order: ${number}`,
    preOrder: 'Not yet released',
    code: (code) => `Code: ${code}`,
    keepCodes: 'Whoever has a code can redeem it: keep it safe.',
    withdrawal: 'Right of withdrawal',
    usableFrom: (date) => `You can use the digital content from ${date}, when the time to withdraw is over.`,
    textsLeftOut: 'There is more to say about these items than fits into a mail. Please ask us.',
  },
  cancellation: {
    subject: (order, shop) => `Your order ${order} at ${shop} was cancelled`,
    title: 'Your order was cancelled',
    text: (order, date) => `We have cancelled your order ${order} of ${date}.`,
    items: 'Cancelled',
  },
  refund: {
    subject: (order, shop) => `Refund for your order ${order} at ${shop}`,
    title: 'Your refund',
    text: (amount, order, date) => `We have refunded ${amount} for your order ${order} of ${date}.`,
    withoutMoney: (order, date) => `We have taken back items of your order ${order} of ${date}.`,
    returned: 'Given back',
  },
  shipment: {
    subject: (order, shop) => `Your order ${order} at ${shop} is on its way`,
    title: 'Your order is on its way',
    text: (order, date) => `We have shipped the goods of your order ${order} of ${date}.`,
    contents: 'In the parcel',
    carrier: (company) => `Carrier: ${company}`,
    trackingNumber: (number) => `Tracking number: ${number}`,
    track: 'Track the parcel',
  },
  stock: {
    subject: (product) => `Low stock: ${product}`,
    title: 'A stock is running low',
    text: (product, count, number) => {
      if (count === 0) return `${product} is sold out.`
      return count === 1 ? `Only one of ${product} is left.` : `Only ${number} of ${product} are left.`
    },
    product: (productId) => `Product: ${productId}`,
    why: 'You get this mail because the stock has fallen below the level at which you want to be warned.',
  },
}
