import type { Phrases } from './phrases.ts'

export const it: Phrases = {
  region: 'IT',
  hello: (name) => (name === '' ? 'Buongiorno,' : `Buongiorno ${name},`),
  test: 'Prova',
  testNotice: 'Questa è una prova: non è stato acquistato nulla e non verrà addebitato nulla.',
  ifButtonFails: 'Se il pulsante non funziona, apra questo indirizzo:',
  answer: 'Ha domande? Basta rispondere a questa e-mail.',
  address: 'Indirizzo di spedizione',
  confirmation: {
    subject: (order, shop) => `Il suo ordine ${order} presso ${shop}`,
    title: 'Grazie per il suo ordine',
    text: (order, date) => `abbiamo ricevuto il suo ordine ${order} del ${date}. Ecco che cosa ha acquistato:`,
    item: 'Articolo',
    price: 'Prezzo',
    subtotal: 'Subtotale',
    discount: (code) => `Sconto (${code})`,
    shipping: (way) => (way === '' ? 'Spedizione' : `Spedizione (${way})`),
    total: 'Totale',
    tax: (rate) => `di cui IVA ${rate}`,
    invoiceNumber: (number) => `Numero di fattura: ${number}`,
    purchaseOrder: (number) => `Il suo ordine di acquisto: ${number}`,
    preOrder: 'Non ancora uscito',
    code: (code) => `Codice: ${code}`,
    keepCodes: 'Chi ha un codice può riscattarlo: lo conservi con cura.',
    withdrawal: 'Diritto di recesso',
    usableFrom: (date) => `Potrà usare i contenuti digitali dal ${date}, al termine del periodo di recesso.`,
    textsLeftOut: 'Su questi articoli c’è più da dire di quanto stia in una e-mail. Ci scriva, per favore.',
  },
  cancellation: {
    subject: (order, shop) => `Il suo ordine ${order} presso ${shop} è stato annullato`,
    title: 'Il suo ordine è stato annullato',
    text: (order, date) => `abbiamo annullato il suo ordine ${order} del ${date}.`,
    items: 'Annullato',
  },
  refund: {
    subject: (order, shop) => `Rimborso per il suo ordine ${order} presso ${shop}`,
    title: 'Il suo rimborso',
    text: (amount, order, date) => `abbiamo rimborsato ${amount} per il suo ordine ${order} del ${date}.`,
    withoutMoney: (order, date) => `abbiamo accettato il reso di articoli del suo ordine ${order} del ${date}.`,
    returned: 'Restituito',
  },
  shipment: {
    subject: (order, shop) => `Il suo ordine ${order} presso ${shop} è in viaggio`,
    title: 'Il suo ordine è in viaggio',
    text: (order, date) => `abbiamo spedito gli articoli del suo ordine ${order} del ${date}.`,
    contents: 'In questa spedizione',
    carrier: (company) => `Corriere: ${company}`,
    trackingNumber: (number) => `Numero di tracciamento: ${number}`,
    track: 'Seguire la spedizione',
  },
  stock: {
    subject: (product) => `Scorte basse: ${product}`,
    title: 'Una scorta sta per esaurirsi',
    text: (product, count, number) => {
      if (count === 0) return `${product} è esaurito.`
      return count === 1 ? `Resta un solo pezzo di ${product}.` : `Restano solo ${number} pezzi di ${product}.`
    },
    product: (productId) => `Prodotto: ${productId}`,
    why: 'Riceve questa e-mail perché la scorta è scesa sotto il livello al quale desidera essere avvisato.',
  },
}
