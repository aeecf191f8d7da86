/** The fixed words of invoices and credit notes, in one language. */
export type InvoiceWords = {
  language: string
  invoice: string
  creditNote: string
  number: string
  date: string
  order: string
  orderDate: string
  purchaseOrder: string
  corrects: string
  vatId: string
  item: string
  quantity: string
  tax: string
  net: string
  amount: string
  refund: string
  subtotal: string
  taxAt: (rate: string) => string
  total: string
  credited: string
  paid: (gateway: string) => string
  due: (date: string) => string
  reverseCharge: string
  mailSubject: (number: string, shop: string) => string
  mailText: (order: string) => string
  open: string
}

const en: InvoiceWords = {
  language: 'en',
  invoice: 'Invoice',
  creditNote: 'Credit note',
  number: 'Number',
  date: 'Date',
  order: 'Order',
  orderDate: 'Date of supply',
  purchaseOrder: 'Your reference',
  corrects: 'For invoice',
  vatId: 'VAT id',
  item: 'Item',
  quantity: 'Quantity',
  tax: 'VAT',
  net: 'Net',
  amount: 'Amount',
  refund: 'Refund',
  subtotal: 'Net total',
  taxAt: (rate) => `VAT ${rate}`,
  total: 'Total',
  credited: 'Total credited',
  paid: (gateway) => (gateway === 'Manual' ? 'Paid.' : `Paid through ${gateway}.`),
  due: (date) => `Please pay by ${date}.`,
  reverseCharge: 'Reverse charge: the recipient of the supply owes the tax.',
  mailSubject: (number, shop) => `Invoice ${number} from ${shop}`,
  mailText: (order) => `The invoice for your order ${order} is ready.`,
  open: 'Open the invoice',
}

const de: InvoiceWords = {
  language: 'de',
  invoice: 'Rechnung',
  creditNote: 'Gutschrift (Rechnungskorrektur)',
  number: 'Nummer',
  date: 'Datum',
  order: 'Bestellung',
  orderDate: 'Leistungsdatum',
  purchaseOrder: 'Ihre Referenz',
  corrects: 'Zur Rechnung',
  vatId: 'USt-IdNr.',
  item: 'Artikel',
  quantity: 'Menge',
  tax: 'USt.',
  net: 'Netto',
  amount: 'Betrag',
  refund: 'Erstattung',
  subtotal: 'Nettosumme',
  taxAt: (rate) => `Umsatzsteuer ${rate}`,
  total: 'Gesamtbetrag',
  credited: 'Gutgeschriebener Betrag',
  paid: (gateway) => (gateway === 'Manual' ? 'Bezahlt.' : `Bezahlt über ${gateway}.`),
  due: (date) => `Bitte zahlen Sie bis zum ${date}.`,
  reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).',
  mailSubject: (number, shop) => `Rechnung ${number} von ${shop}`,
  mailText: (order) => `Die Rechnung zu Ihrer Bestellung ${order} ist fertig.`,
  open: 'Rechnung öffnen',
}

const fr: InvoiceWords = {
  language: 'fr',
  invoice: 'Facture',
  creditNote: 'Avoir',
  number: 'Numéro',
  date: 'Date',
  order: 'Commande',
  orderDate: 'Date de livraison',
  purchaseOrder: 'Votre référence',
  corrects: 'Pour la facture',
  vatId: 'N° de TVA',
  item: 'Article',
  quantity: 'Quantité',
  tax: 'TVA',
  net: 'HT',
  amount: 'Montant TTC',
  refund: 'Remboursement',
  subtotal: 'Total HT',
  taxAt: (rate) => `TVA ${rate}`,
  total: 'Total TTC',
  credited: 'Total de l’avoir',
  paid: (gateway) => (gateway === 'Manual' ? 'Payée.' : `Payée par ${gateway}.`),
  due: (date) => `À payer avant le ${date}.`,
  reverseCharge: 'Autoliquidation : la TVA est due par le preneur.',
  mailSubject: (number, shop) => `Facture ${number} de ${shop}`,
  mailText: (order) => `La facture de votre commande ${order} est prête.`,
  open: 'Ouvrir la facture',
}

const es: InvoiceWords = {
  language: 'es',
  invoice: 'Factura',
  creditNote: 'Factura rectificativa',
  number: 'Número',
  date: 'Fecha',
  order: 'Pedido',
  orderDate: 'Fecha de la operación',
  purchaseOrder: 'Su referencia',
  corrects: 'De la factura',
  vatId: 'NIF-IVA',
  item: 'Artículo',
  quantity: 'Cantidad',
  tax: 'IVA',
  net: 'Base',
  amount: 'Importe',
  refund: 'Reembolso',
  subtotal: 'Base imponible',
  taxAt: (rate) => `IVA ${rate}`,
  total: 'Total',
  credited: 'Total abonado',
  paid: (gateway) => (gateway === 'Manual' ? 'Pagada.' : `Pagada mediante ${gateway}.`),
  due: (date) => `Pague antes del ${date}.`,
  reverseCharge: 'Inversión del sujeto pasivo: el IVA lo debe el destinatario.',
  mailSubject: (number, shop) => `Factura ${number} de ${shop}`,
  mailText: (order) => `La factura de su pedido ${order} está lista.`,
  open: 'Abrir la factura',
}

const it: InvoiceWords = {
  language: 'it',
  invoice: 'Fattura',
  creditNote: 'Nota di credito',
  number: 'Numero',
  date: 'Data',
  order: 'Ordine',
  orderDate: 'Data della fornitura',
  purchaseOrder: 'Suo riferimento',
  corrects: 'Per la fattura',
  vatId: 'Partita IVA',
  item: 'Articolo',
  quantity: 'Quantità',
  tax: 'IVA',
  net: 'Imponibile',
  amount: 'Importo',
  refund: 'Rimborso',
  subtotal: 'Totale imponibile',
  taxAt: (rate) => `IVA ${rate}`,
  total: 'Totale',
  credited: 'Totale accreditato',
  paid: (gateway) => (gateway === 'Manual' ? 'Pagata.' : `Pagata con ${gateway}.`),
  due: (date) => `Da pagare entro il ${date}.`,
  reverseCharge: 'Inversione contabile: l’IVA è dovuta dal destinatario.',
  mailSubject: (number, shop) => `Fattura ${number} di ${shop}`,
  mailText: (order) => `La fattura del suo ordine ${order} è pronta.`,
  open: 'Apri la fattura',
}

const pt: InvoiceWords = {
  language: 'pt',
  invoice: 'Fatura',
  creditNote: 'Nota de crédito',
  number: 'Número',
  date: 'Data',
  order: 'Encomenda',
  orderDate: 'Data do fornecimento',
  purchaseOrder: 'A sua referência',
  corrects: 'Da fatura',
  vatId: 'NIF',
  item: 'Artigo',
  quantity: 'Quantidade',
  tax: 'IVA',
  net: 'Líquido',
  amount: 'Valor',
  refund: 'Reembolso',
  subtotal: 'Total líquido',
  taxAt: (rate) => `IVA ${rate}`,
  total: 'Total',
  credited: 'Total creditado',
  paid: (gateway) => (gateway === 'Manual' ? 'Paga.' : `Paga através de ${gateway}.`),
  due: (date) => `Pague até ${date}.`,
  reverseCharge: 'Autoliquidação: o IVA é devido pelo adquirente.',
  mailSubject: (number, shop) => `Fatura ${number} de ${shop}`,
  mailText: (order) => `A fatura da sua encomenda ${order} está pronta.`,
  open: 'Abrir a fatura',
}

const WORDS: Readonly<Record<string, InvoiceWords>> = { en, de, pt, es, it, fr }

/** A language without words of its own gets English. */
export function invoiceWords(language: string): InvoiceWords {
  return (Object.hasOwn(WORDS, language) ? WORDS[language] : undefined) ?? en
}
