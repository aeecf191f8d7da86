/** What reminders and the page that ends them say, in one language. */
export type ReminderWords = {
  language: string
  subject: (shop: string) => string
  title: string
  text: string
  button: string
  /** Before the link that ends the reminders. */
  stop: (shop: string) => string
  page: { title: string; text: (shop: string) => string; button: string }
  stopped: { title: string; text: (shop: string) => string }
  void: { title: string; text: string }
}

const en: ReminderWords = {
  language: 'en',
  subject: (shop) => `Your cart at ${shop}`,
  title: 'You left something in your cart',
  text: 'Your cart is still there. These are the things in it, at today’s prices:',
  button: 'Back to the cart',
  stop: (shop) => `You get this mail once because you left a cart at ${shop}. No more reminders:`,
  page: {
    title: 'No more reminders?',
    text: (shop) => `${shop} will not remind you of carts again.`,
    button: 'No more reminders',
  },
  stopped: {
    title: 'Done',
    text: (shop) => `${shop} will not remind you of carts again. Mails about your orders still arrive.`,
  },
  void: { title: 'This link is not valid', text: 'Please use the link in the mail as it is.' },
}

const de: ReminderWords = {
  language: 'de',
  subject: (shop) => `Ihr Warenkorb bei ${shop}`,
  title: 'In Ihrem Warenkorb liegt noch etwas',
  text: 'Ihr Warenkorb ist noch da. Das liegt darin, zu den Preisen von heute:',
  button: 'Zurück zum Warenkorb',
  stop: (shop) =>
    `Sie erhalten diese E-Mail einmal, weil Sie bei ${shop} einen Warenkorb zurückgelassen haben. Keine Erinnerungen mehr:`,
  page: {
    title: 'Keine Erinnerungen mehr?',
    text: (shop) => `${shop} erinnert Sie dann nicht mehr an Warenkörbe.`,
    button: 'Keine Erinnerungen mehr',
  },
  stopped: {
    title: 'Erledigt',
    text: (shop) =>
      `${shop} erinnert Sie nicht mehr an Warenkörbe. E-Mails zu Ihren Bestellungen erhalten Sie weiterhin.`,
  },
  void: { title: 'Dieser Link ist nicht gültig', text: 'Bitte verwenden Sie den Link so, wie er in der E-Mail steht.' },
}

const fr: ReminderWords = {
  language: 'fr',
  subject: (shop) => `Votre panier chez ${shop}`,
  title: 'Il reste des articles dans votre panier',
  text: 'Votre panier est toujours là. Voici ce qu’il contient, aux prix d’aujourd’hui :',
  button: 'Retour au panier',
  stop: (shop) =>
    `Vous recevez ce message une seule fois, car vous avez laissé un panier chez ${shop}. Ne plus recevoir de rappels :`,
  page: {
    title: 'Ne plus recevoir de rappels ?',
    text: (shop) => `${shop} ne vous rappellera plus vos paniers.`,
    button: 'Ne plus recevoir de rappels',
  },
  stopped: {
    title: 'C’est fait',
    text: (shop) =>
      `${shop} ne vous rappellera plus vos paniers. Vous recevrez toujours les messages concernant vos commandes.`,
  },
  void: { title: 'Ce lien n’est pas valable', text: 'Veuillez utiliser le lien tel qu’il figure dans le message.' },
}

const es: ReminderWords = {
  language: 'es',
  subject: (shop) => `Su carrito en ${shop}`,
  title: 'Ha dejado algo en su carrito',
  text: 'Su carrito sigue ahí. Esto es lo que contiene, a los precios de hoy:',
  button: 'Volver al carrito',
  stop: (shop) => `Recibe este mensaje una sola vez porque dejó un carrito en ${shop}. No recibir más recordatorios:`,
  page: {
    title: '¿No recibir más recordatorios?',
    text: (shop) => `${shop} no volverá a recordarle sus carritos.`,
    button: 'No recibir más recordatorios',
  },
  stopped: {
    title: 'Hecho',
    text: (shop) => `${shop} no volverá a recordarle sus carritos. Seguirá recibiendo los mensajes sobre sus pedidos.`,
  },
  void: { title: 'Este enlace no es válido', text: 'Use el enlace tal como aparece en el mensaje.' },
}

const it: ReminderWords = {
  language: 'it',
  subject: (shop) => `Il suo carrello presso ${shop}`,
  title: 'Ha lasciato qualcosa nel carrello',
  text: 'Il suo carrello è ancora lì. Ecco che cosa contiene, ai prezzi di oggi:',
  button: 'Torna al carrello',
  stop: (shop) =>
    `Riceve questo messaggio una sola volta perché ha lasciato un carrello presso ${shop}. Niente più promemoria:`,
  page: {
    title: 'Niente più promemoria?',
    text: (shop) => `${shop} non le ricorderà più i suoi carrelli.`,
    button: 'Niente più promemoria',
  },
  stopped: {
    title: 'Fatto',
    text: (shop) => `${shop} non le ricorderà più i suoi carrelli. Riceverà ancora i messaggi sui suoi ordini.`,
  },
  void: { title: 'Questo link non è valido', text: 'Usi il link così come si trova nel messaggio.' },
}

const pt: ReminderWords = {
  language: 'pt',
  subject: (shop) => `O seu carrinho em ${shop}`,
  title: 'Deixou algo no seu carrinho',
  text: 'O seu carrinho ainda está à espera. Eis o que contém, aos preços de hoje:',
  button: 'Voltar ao carrinho',
  stop: (shop) =>
    `Recebe esta mensagem uma única vez porque deixou um carrinho em ${shop}. Não receber mais lembretes:`,
  page: {
    title: 'Não receber mais lembretes?',
    text: (shop) => `${shop} não voltará a lembrar-lhe os seus carrinhos.`,
    button: 'Não receber mais lembretes',
  },
  stopped: {
    title: 'Feito',
    text: (shop) =>
      `${shop} não voltará a lembrar-lhe os seus carrinhos. Continuará a receber as mensagens sobre as suas encomendas.`,
  },
  void: { title: 'Esta ligação não é válida', text: 'Use a ligação tal como está na mensagem.' },
}

const WORDS: Readonly<Record<string, ReminderWords>> = { en, de, fr, es, it, pt }

/** A language without words of its own gets English. */
export function reminderWords(language: string): ReminderWords {
  return (Object.hasOwn(WORDS, language) ? WORDS[language] : undefined) ?? en
}
