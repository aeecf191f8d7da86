import type { Use } from '../rules.ts'

/** Every fixed phrase of the mails about orders, in one language. What comes from elsewhere is passed in, formatted. */
export type Phrases = {
  /** The region whose formats of dates and amounts are used if the country of the reader is not known. */
  region: string
  /** `name` may be empty. */
  hello: (name: string) => string
  /** Stands before the subject of a mail about a test. */
  test: string
  testNotice: string
  ifButtonFails: string
  /** Shown if replies are read. */
  answer: string
  address: string
  confirmation: {
    subject: (order: string, shop: string) => string
    title: string
    text: (order: string, date: string) => string
    item: string
    price: string
    subtotal: string
    /** `code` may be several. */
    discount: (code: string) => string
    /** `way` may be empty. */
    shipping: (way: string) => string
    total: string
    tax: (rate: string) => string
    invoiceNumber: (number: string) => string
    purchaseOrder: (number: string) => string
    vatId: (id: string) => string
    reverseCharge: string
    preOrder: string
    code: (code: string) => string
    keepCodes: string
    withdrawal: string
    /** Before the address of the page on which customers withdraw. */
    /** The label of the button that leads to what was bought. */
    use: Record<Use, string>
    withdrawHere: string
    usableFrom: (date: string) => string
    textsLeftOut: string
  }
  cancellation: {
    subject: (order: string, shop: string) => string
    title: string
    text: (order: string, date: string) => string
    unpaid: string
    items: string
  }
  refund: {
    subject: (order: string, shop: string) => string
    title: string
    text: (amount: string, order: string, date: string) => string
    /** Nothing was paid, so nothing is paid back. */
    withoutMoney: (order: string, date: string) => string
    returned: string
  }
  shipment: {
    subject: (order: string, shop: string) => string
    title: string
    text: (order: string, date: string) => string
    contents: string
    carrier: (company: string) => string
    trackingNumber: (number: string) => string
    track: string
  }
  stock: {
    subject: (product: string) => string
    title: string
    /** `count` is how many there are, `number` the same as it is written. */
    text: (product: string, count: number, number: string) => string
    product: (productId: string) => string
    why: string
  }
}
