import type { InvoiceKind } from './state.ts'

/** The fixed words of invoices and credit notes, and of mails about them, in one language. */
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
  /** What the owner is told of a document that cannot be made. */
  failure: Record<InvoiceKind, (order: string) => string> & { retried: string; remedy: string }
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
  failure: {
    invoice: (order) => `The invoice for order ${order} could not be created`,
    credit_note: (order) => `The credit note for order ${order} could not be created`,
    retried:
      'It was tried several times. The service tries again every day, and the document gets its number when it works.',
    remedy:
      'If it is still missing in two days, please forward this mail to whoever runs the service: the log of the service says what is in the way.',
  },
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
  mailText: (order) => `die Rechnung zu Ihrer Bestellung ${order} ist fertig.`,
  open: 'Rechnung öffnen',
  failure: {
    invoice: (order) => `Die Rechnung zur Bestellung ${order} konnte nicht erstellt werden`,
    credit_note: (order) => `Die Gutschrift zur Bestellung ${order} konnte nicht erstellt werden`,
    retried:
      'Es wurde mehrmals versucht. Der Dienst versucht es jeden Tag wieder, und das Dokument erhält seine Nummer, sobald es gelingt.',
    remedy:
      'Fehlt es in zwei Tagen noch, leiten Sie diese Mail bitte an den Betreiber des Dienstes weiter: Das Protokoll des Dienstes nennt den Grund.',
  },
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
  due: (date) => `À payer au plus tard le ${date}.`,
  reverseCharge: 'Autoliquidation : la TVA est due par le preneur.',
  mailSubject: (number, shop) => `Facture ${number} de ${shop}`,
  mailText: (order) => `La facture de votre commande ${order} est prête.`,
  open: 'Ouvrir la facture',
  failure: {
    invoice: (order) => `La facture de la commande ${order} n’a pas pu être créée`,
    credit_note: (order) => `L’avoir de la commande ${order} n’a pas pu être créé`,
    retried:
      'Plusieurs essais ont échoué. Le service réessaie chaque jour, et le document reçoit son numéro dès que cela réussit.',
    remedy:
      'S’il manque encore dans deux jours, veuillez transférer ce message à la personne qui exploite le service : le journal du service indique la cause.',
  },
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
  due: (date) => `Pague a más tardar el ${date}.`,
  reverseCharge: 'Inversión del sujeto pasivo: el IVA lo debe el destinatario.',
  mailSubject: (number, shop) => `Factura ${number} de ${shop}`,
  mailText: (order) => `La factura de su pedido ${order} está lista.`,
  open: 'Abrir la factura',
  failure: {
    invoice: (order) => `No se ha podido crear la factura del pedido ${order}`,
    credit_note: (order) => `No se ha podido crear la factura rectificativa del pedido ${order}`,
    retried:
      'Se ha intentado varias veces. El servicio lo vuelve a intentar cada día, y el documento recibe su número en cuanto funciona.',
    remedy:
      'Si dentro de dos días aún falta, reenvíe este correo a quien administra el servicio: el registro del servicio indica la causa.',
  },
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
  failure: {
    invoice: (order) => `Non è stato possibile creare la fattura dell’ordine ${order}`,
    credit_note: (order) => `Non è stato possibile creare la nota di credito dell’ordine ${order}`,
    retried:
      'Si è provato più volte. Il servizio riprova ogni giorno, e il documento riceve il suo numero appena riesce.',
    remedy:
      'Se tra due giorni manca ancora, inoltri questa e-mail a chi gestisce il servizio: il registro del servizio indica la causa.',
  },
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
  failure: {
    invoice: (order) => `Não foi possível criar a fatura da encomenda ${order}`,
    credit_note: (order) => `Não foi possível criar a nota de crédito da encomenda ${order}`,
    retried:
      'Tentou-se várias vezes. O serviço volta a tentar todos os dias, e o documento recebe o seu número assim que resultar.',
    remedy:
      'Se daqui a dois dias ainda faltar, reencaminhe este e-mail para quem gere o serviço: o registo do serviço indica a causa.',
  },
}

const WORDS: Readonly<Record<string, InvoiceWords>> = { en, de, pt, es, it, fr }

/** A language without words of its own gets English. */
export function invoiceWords(language: string): InvoiceWords {
  return (Object.hasOwn(WORDS, language) ? WORDS[language] : undefined) ?? en
}
