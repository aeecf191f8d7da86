/** The texts of the mails about a withdrawal, in one language. */
export type WithdrawalWords = {
  subject: (order: string, shop: string) => string
  title: string
  text: (order: string) => string
  noticeSubject: (order: string) => string
  noticeTitle: string
  noticeText: (order: string) => string
  /** For the owner, when no order matches. */
  unknown: string
  order: string
  received: string
  email: string
  goods: string
  reason: string
}

const en: WithdrawalWords = {
  subject: (order, shop) => `Your withdrawal from order ${order} at ${shop}`,
  title: 'We have received your withdrawal',
  text: (order) =>
    `You have withdrawn from your order ${order}. This mail confirms that your declaration has reached us.`,
  noticeSubject: (order) => `Withdrawal: order ${order}`,
  noticeTitle: 'A customer withdraws from a purchase',
  noticeText: (order) => `A customer has withdrawn from order ${order}. The customer has a confirmation.`,
  unknown:
    'A customer has declared a withdrawal, but no order has this number and this e-mail address. The customer has no confirmation: please answer.',
  order: 'Order',
  received: 'Received',
  email: 'E-mail',
  goods: 'Goods',
  reason: 'Reason',
}

const de: WithdrawalWords = {
  subject: (order, shop) => `Ihr Widerruf der Bestellung ${order} bei ${shop}`,
  title: 'Wir haben Ihren Widerruf erhalten',
  text: (order) =>
    `Sie haben Ihre Bestellung ${order} widerrufen. Diese Mail bestätigt, dass uns Ihre Erklärung erreicht hat.`,
  noticeSubject: (order) => `Widerruf: Bestellung ${order}`,
  noticeTitle: 'Ein Kunde widerruft einen Kauf',
  noticeText: (order) => `Ein Kunde hat die Bestellung ${order} widerrufen. Er hat eine Bestätigung erhalten.`,
  unknown:
    'Ein Kunde hat einen Widerruf erklärt, aber keine Bestellung hat diese Nummer und diese E-Mail-Adresse. Er hat keine Bestätigung erhalten: Bitte antworten Sie.',
  order: 'Bestellung',
  received: 'Eingegangen',
  email: 'E-Mail',
  goods: 'Waren',
  reason: 'Grund',
}

const fr: WithdrawalWords = {
  subject: (order, shop) => `Votre rétractation pour la commande ${order} chez ${shop}`,
  title: 'Nous avons reçu votre rétractation',
  text: (order) =>
    `Vous vous êtes rétracté de votre commande ${order}. Ce message confirme que votre déclaration nous est parvenue.`,
  noticeSubject: (order) => `Rétractation : commande ${order}`,
  noticeTitle: 'Un client se rétracte',
  noticeText: (order) => `Un client s’est rétracté de la commande ${order}. Il a reçu une confirmation.`,
  unknown:
    'Un client a déclaré une rétractation, mais aucune commande n’a ce numéro et cette adresse e-mail. Il n’a pas reçu de confirmation : veuillez répondre.',
  order: 'Commande',
  received: 'Reçu',
  email: 'E-mail',
  goods: 'Articles',
  reason: 'Motif',
}

const es: WithdrawalWords = {
  subject: (order, shop) => `Su desistimiento del pedido ${order} en ${shop}`,
  title: 'Hemos recibido su desistimiento',
  text: (order) => `Ha desistido de su pedido ${order}. Este correo confirma que hemos recibido su declaración.`,
  noticeSubject: (order) => `Desistimiento: pedido ${order}`,
  noticeTitle: 'Un cliente desiste de una compra',
  noticeText: (order) => `Un cliente ha desistido del pedido ${order}. Ha recibido una confirmación.`,
  unknown:
    'Un cliente ha declarado un desistimiento, pero ningún pedido tiene este número y esta dirección de correo. No ha recibido confirmación: por favor, responda.',
  order: 'Pedido',
  received: 'Recibido',
  email: 'Correo',
  goods: 'Artículos',
  reason: 'Motivo',
}

const it: WithdrawalWords = {
  subject: (order, shop) => `Il suo recesso dall’ordine ${order} da ${shop}`,
  title: 'Abbiamo ricevuto il suo recesso',
  text: (order) =>
    `Ha esercitato il recesso dall’ordine ${order}. Questa e-mail conferma che abbiamo ricevuto la sua dichiarazione.`,
  noticeSubject: (order) => `Recesso: ordine ${order}`,
  noticeTitle: 'Un cliente recede da un acquisto',
  noticeText: (order) => `Un cliente ha esercitato il recesso dall’ordine ${order}. Ha ricevuto una conferma.`,
  unknown:
    'Un cliente ha dichiarato il recesso, ma nessun ordine ha questo numero e questo indirizzo e-mail. Non ha ricevuto conferma: risponda, per favore.',
  order: 'Ordine',
  received: 'Ricevuto',
  email: 'E-mail',
  goods: 'Articoli',
  reason: 'Motivo',
}

const pt: WithdrawalWords = {
  subject: (order, shop) => `A sua resolução da encomenda ${order} em ${shop}`,
  title: 'Recebemos a sua declaração de resolução',
  text: (order) => `Resolveu a sua encomenda ${order}. Este e-mail confirma que recebemos a sua declaração.`,
  noticeSubject: (order) => `Resolução: encomenda ${order}`,
  noticeTitle: 'Um cliente resolve uma compra',
  noticeText: (order) => `Um cliente resolveu a encomenda ${order}. Recebeu uma confirmação.`,
  unknown:
    'Um cliente declarou a resolução, mas nenhuma encomenda tem este número e este endereço de e-mail. Não recebeu confirmação: por favor, responda.',
  order: 'Encomenda',
  received: 'Recebido',
  email: 'E-mail',
  goods: 'Artigos',
  reason: 'Motivo',
}

const WORDS: ReadonlyMap<string, WithdrawalWords> = new Map(Object.entries({ en, de, fr, es, it, pt }))

/** Languages without texts fall back to English. */
export function withdrawalWords(language: string): WithdrawalWords {
  return WORDS.get(language) ?? en
}
