import type { Warning } from './state.ts'

/** What owners and customers are told about keys, in one language. */
export type Words = {
  language: string
  notActivated: string
  subject: Record<Warning, (product: string) => string>
  title: Record<Warning, string>
  low: (product: string, left: number) => string
  empty: (product: string) => string
  refill: string
  product: (productId: string) => string
}

const en: Words = {
  language: 'en',
  notActivated: 'The software is not activated on this device.',
  subject: { low: (product) => `Few keys left: ${product}`, empty: (product) => `No keys left: ${product}` },
  title: { low: 'Keys are running out', empty: 'There are no keys left' },
  low: (product, left) =>
    left === 1 ? `Only one key for ${product} is left.` : `Only ${left} keys for ${product} are left.`,
  empty: (product) => `The last key for ${product} was given to a customer. Further customers have to wait.`,
  refill: 'Import more keys. Customers who are waiting get theirs at once.',
  product: (productId) => `Product: ${productId}`,
}

const de: Words = {
  language: 'de',
  notActivated: 'Die Software ist auf diesem Gerät nicht aktiviert.',
  subject: {
    low: (product) => `Nur noch wenige Schlüssel: ${product}`,
    empty: (product) => `Keine Schlüssel mehr: ${product}`,
  },
  title: { low: 'Schlüssel gehen zur Neige', empty: 'Es sind keine Schlüssel mehr da' },
  low: (product, left) =>
    left === 1 ? `Für ${product} ist nur noch ein Schlüssel da.` : `Für ${product} sind nur noch ${left} Schlüssel da.`,
  empty: (product) =>
    `Der letzte Schlüssel für ${product} ging an einen Kunden. Weitere Kunden müssen auf einen Schlüssel warten.`,
  refill: 'Importieren Sie weitere Schlüssel. Wer wartet, bekommt seinen sofort.',
  product: (productId) => `Produkt: ${productId}`,
}

const fr: Words = {
  language: 'fr',
  notActivated: 'Le logiciel n’est pas activé sur cet appareil.',
  subject: {
    low: (product) => `Bientôt plus de clés : ${product}`,
    empty: (product) => `Plus aucune clé : ${product}`,
  },
  title: { low: 'Les clés vont manquer', empty: 'Il ne reste plus de clé' },
  low: (product, left) =>
    left === 1 ? `Il ne reste qu’une seule clé pour ${product}.` : `Il ne reste que ${left} clés pour ${product}.`,
  empty: (product) =>
    `La dernière clé pour ${product} a été remise à un client. Les clients suivants doivent attendre.`,
  refill: 'Importez d’autres clés. Les clients qui attendent recevront la leur aussitôt.',
  product: (productId) => `Produit : ${productId}`,
}

const es: Words = {
  language: 'es',
  notActivated: 'El software no está activado en este dispositivo.',
  subject: {
    low: (product) => `Quedan pocas claves: ${product}`,
    empty: (product) => `No quedan claves: ${product}`,
  },
  title: { low: 'Las claves se están agotando', empty: 'No quedan claves' },
  low: (product, left) =>
    left === 1 ? `Solo queda una clave para ${product}.` : `Solo quedan ${left} claves para ${product}.`,
  empty: (product) =>
    `La última clave para ${product} se ha entregado a un cliente. Los siguientes clientes tienen que esperar.`,
  refill: 'Importe más claves. Los clientes que esperan recibirán la suya enseguida.',
  product: (productId) => `Producto: ${productId}`,
}

const it: Words = {
  language: 'it',
  notActivated: 'Il software non è attivato su questo dispositivo.',
  subject: {
    low: (product) => `Restano poche chiavi: ${product}`,
    empty: (product) => `Chiavi esaurite: ${product}`,
  },
  title: { low: 'Le chiavi stanno per finire', empty: 'Le chiavi sono esaurite' },
  low: (product, left) =>
    left === 1 ? `Resta una sola chiave per ${product}.` : `Restano solo ${left} chiavi per ${product}.`,
  empty: (product) => `L’ultima chiave per ${product} è stata data a un cliente. I prossimi clienti devono attendere.`,
  refill: 'Importi altre chiavi. I clienti in attesa riceveranno subito la propria.',
  product: (productId) => `Prodotto: ${productId}`,
}

const pt: Words = {
  language: 'pt',
  notActivated: 'O software não está ativado neste dispositivo.',
  subject: {
    low: (product) => `Restam poucas chaves: ${product}`,
    empty: (product) => `Não restam chaves: ${product}`,
  },
  title: { low: 'As chaves estão a acabar', empty: 'Não restam chaves' },
  low: (product, left) =>
    left === 1 ? `Resta apenas uma chave para ${product}.` : `Restam apenas ${left} chaves para ${product}.`,
  empty: (product) => `A última chave para ${product} foi entregue a um cliente. Os clientes seguintes têm de esperar.`,
  refill: 'Importe mais chaves. Os clientes que esperam recebem a sua de imediato.',
  product: (productId) => `Produto: ${productId}`,
}

const WORDS: Readonly<Record<string, Words>> = { en, de, pt, es, it, fr }

/** A language without words of its own gets English. */
export function keyWords(language: string): Words {
  return (Object.hasOwn(WORDS, language) ? WORDS[language] : undefined) ?? en
}

export function notActivatedInWords(language: string): string {
  return keyWords(language).notActivated
}
