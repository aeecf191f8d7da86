import type { Phrases } from './phrases.words.ts'

export const de: Phrases = {
  region: 'DE',
  hello: (name) => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
  test: 'Test',
  testNotice: 'Dies ist ein Test: Es wurde nichts gekauft, und es wird nichts berechnet.',
  ifButtonFails: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  answer: 'Haben Sie Fragen? Antworten Sie einfach auf diese E-Mail.',
  address: 'Lieferadresse',
  confirmation: {
    subject: (order, shop) => `Ihre Bestellung ${order} bei ${shop}`,
    title: 'Vielen Dank für Ihre Bestellung',
    text: (order, date) => `wir haben Ihre Bestellung ${order} vom ${date} erhalten. Das haben Sie gekauft:`,
    item: 'Artikel',
    price: 'Preis',
    subtotal: 'Zwischensumme',
    discount: (code) => `Rabatt (${code})`,
    shipping: (way) => (way === '' ? 'Versand' : `Versand (${way})`),
    total: 'Gesamtbetrag',
    tax: (rate) => `darin ${rate} MwSt.`,
    invoiceNumber: (number) => `Rechnungsnummer: ${number}`,
    purchaseOrder: (number) => `Ihre Bestellreferenz: ${number}`,
    vatId: (id) => `USt-IdNr.: ${id}`,
    reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).',
    preOrder: 'Noch nicht erschienen',
    code: (code) => `Code: ${code}`,
    keepCodes: 'Wer einen Code hat, kann ihn einlösen: Bewahren Sie ihn gut auf.',
    withdrawal: 'Widerrufsrecht',
    use: { watch: 'Jetzt ansehen', listen: 'Jetzt anhören', read: 'Jetzt lesen', open: 'Meine Inhalte öffnen' },
    withdrawHere: 'Den Kauf von Waren können Sie hier widerrufen:',
    usableFrom: (date) =>
      `Die digitalen Inhalte können Sie ab dem ${date} nutzen, wenn die Widerrufsfrist abgelaufen ist.`,
    textsLeftOut: 'Zu diesen Artikeln gibt es mehr zu sagen, als in eine E-Mail passt. Bitte fragen Sie uns.',
  },
  cancellation: {
    subject: (order, shop) => `Ihre Bestellung ${order} bei ${shop} wurde storniert`,
    title: 'Ihre Bestellung wurde storniert',
    text: (order, date) => `wir haben Ihre Bestellung ${order} vom ${date} storniert.`,
    unpaid: 'Die Rechnung ist damit hinfällig; Sie müssen sie nicht mehr bezahlen.',
    items: 'Storniert',
  },
  refund: {
    subject: (order, shop) => `Erstattung zu Ihrer Bestellung ${order} bei ${shop}`,
    title: 'Ihre Erstattung',
    text: (amount, order, date) => `wir haben Ihnen ${amount} zu Ihrer Bestellung ${order} vom ${date} erstattet.`,
    withoutMoney: (order, date) => `wir haben Artikel Ihrer Bestellung ${order} vom ${date} zurückgenommen.`,
    returned: 'Zurückgenommen',
  },
  shipment: {
    subject: (order, shop) => `Ihre Bestellung ${order} bei ${shop} ist unterwegs`,
    title: 'Ihre Bestellung ist unterwegs',
    text: (order, date) => `wir haben die Ware Ihrer Bestellung ${order} vom ${date} verschickt.`,
    contents: 'In der Sendung',
    carrier: (company) => `Versand durch: ${company}`,
    trackingNumber: (number) => `Sendungsnummer: ${number}`,
    track: 'Sendung verfolgen',
  },
  stock: {
    subject: (product) => `Geringer Bestand: ${product}`,
    title: 'Ein Bestand geht zur Neige',
    text: (product, count, number) => {
      if (count === 0) return `${product} ist ausverkauft.`
      return count === 1
        ? `Von ${product} ist nur noch ein Stück da.`
        : `Von ${product} sind nur noch ${number} Stück da.`
    },
    product: (productId) => `Produkt: ${productId}`,
    why: 'Sie erhalten diese E-Mail, weil der Bestand unter die Grenze gefallen ist, ab der Sie gewarnt werden möchten.',
  },
}
