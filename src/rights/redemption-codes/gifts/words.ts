/** What the mail with a gift says in one language. */
export type Words = {
  language: string
  /** The country whose dates are used. */
  region: string
  subject: (shop: string) => string
  title: string
  hello: (name: string) => string
  text: (title: string, shop: string) => string
  code: string
  redeem: (shop: string) => string
  /** The button that leads to the shop, and what introduces its address. */
  open: string
  ifButtonFails: string
  until: (date: string) => string
}

const en: Words = {
  language: 'en',
  region: 'GB',
  subject: (shop) => `A gift for you from ${shop}`,
  title: 'A gift for you',
  hello: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
  text: (title, shop) => `you have been given “${title}” from ${shop}.`,
  code: 'Your code',
  redeem: (shop) => `Sign in at ${shop} and type the code to add the gift to your account.`,
  open: 'Redeem the code',
  ifButtonFails: 'If the button does not work, open this address:',
  until: (date) => `The code can be redeemed until ${date}.`,
}

const de: Words = {
  language: 'de',
  region: 'DE',
  subject: (shop) => `Ein Geschenk für Sie von ${shop}`,
  title: 'Ein Geschenk für Sie',
  hello: (name) => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
  text: (title, shop) => `Ihnen wurde „${title}“ von ${shop} geschenkt.`,
  code: 'Ihr Code',
  redeem: (shop) =>
    `Melden Sie sich bei ${shop} an und geben Sie den Code ein, um das Geschenk Ihrem Konto hinzuzufügen.`,
  open: 'Code einlösen',
  ifButtonFails: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  until: (date) => `Der Code kann bis zum ${date} eingelöst werden.`,
}

const fr: Words = {
  language: 'fr',
  region: 'FR',
  subject: (shop) => `Un cadeau pour vous de ${shop}`,
  title: 'Un cadeau pour vous',
  hello: (name) => (name === '' ? 'Bonjour,' : `Bonjour ${name},`),
  text: (title, shop) => `on vous a offert « ${title} » de ${shop}.`,
  code: 'Votre code',
  redeem: (shop) => `Connectez-vous chez ${shop} et saisissez le code pour ajouter le cadeau à votre compte.`,
  open: 'Utiliser le code',
  ifButtonFails: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  until: (date) => `Le code est valable jusqu’au ${date}.`,
}

const es: Words = {
  language: 'es',
  region: 'ES',
  subject: (shop) => `Un regalo para usted de ${shop}`,
  title: 'Un regalo para usted',
  hello: (name) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
  text: (title, shop) => `le han regalado «${title}» de ${shop}.`,
  code: 'Su código',
  redeem: (shop) => `Inicie sesión en ${shop} y escriba el código para añadir el regalo a su cuenta.`,
  open: 'Canjear el código',
  ifButtonFails: 'Si el botón no funciona, abra esta dirección:',
  until: (date) => `El código se puede canjear hasta el ${date}.`,
}

const it: Words = {
  language: 'it',
  region: 'IT',
  subject: (shop) => `Un regalo per Lei da ${shop}`,
  title: 'Un regalo per Lei',
  hello: (name) => (name === '' ? 'Buongiorno,' : `Buongiorno ${name},`),
  text: (title, shop) => `Le è stato regalato «${title}» di ${shop}.`,
  code: 'Il Suo codice',
  redeem: (shop) => `Acceda a ${shop} e inserisca il codice per aggiungere il regalo al Suo account.`,
  open: 'Riscatta il codice',
  ifButtonFails: 'Se il pulsante non funziona, apra questo indirizzo:',
  until: (date) => `Il codice può essere riscattato fino al ${date}.`,
}

const pt: Words = {
  language: 'pt',
  region: 'PT',
  subject: (shop) => `Um presente para si de ${shop}`,
  title: 'Um presente para si',
  hello: (name) => (name === '' ? 'Olá,' : `Olá ${name},`),
  text: (title, shop) => `ofereceram-lhe «${title}» de ${shop}.`,
  code: 'O seu código',
  redeem: (shop) => `Inicie sessão em ${shop} e escreva o código para juntar o presente à sua conta.`,
  open: 'Resgatar o código',
  ifButtonFails: 'Se o botão não funcionar, abra este endereço:',
  until: (date) => `O código pode ser resgatado até ${date}.`,
}

const WORDS: Readonly<Record<string, Words>> = { en, de, pt, es, it, fr }

/** A language without words of its own gets English. */
export function giftWords(language: string): Words {
  return (Object.hasOwn(WORDS, language) ? WORDS[language] : undefined) ?? en
}
