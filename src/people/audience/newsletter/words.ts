/** What mails and pages about newsletters say in one language. Pages insert names as HTML, so no text has a `<` or `&`. */
export type Words = {
  language: string
  /** The country whose dates are used. */
  region: string
  mail: {
    subject: (shop: string) => string
    title: string
    hello: string
    text: (shop: string) => string
    button: string
    hint: string
    expires: (date: string) => string
    ifNot: string
    leave: string
  }
  confirm: { title: string; text: (shop: string, email: string) => string; button: string }
  confirmed: { title: string; text: (shop: string, email: string) => string; hint: string }
  leave: { title: string; text: (shop: string, email: string) => string; button: string }
  left: { title: string; text: (shop: string, email: string) => string }
  void: { title: string; text: string }
}

const en: Words = {
  language: 'en',
  region: 'GB',
  mail: {
    subject: (shop) => `Please confirm: newsletter of ${shop}`,
    title: 'Confirm your subscription',
    hello: 'Hello,',
    text: (shop) => `this e-mail address was entered for the newsletter of ${shop}. Was it you? Then please confirm.`,
    button: 'Yes, subscribe me',
    hint: 'If the button does not work, open this address:',
    expires: (date) => `The link works until ${date}.`,
    ifNot: 'If it was not you, do nothing: you will not get the newsletter.',
    leave: 'You do not want mails like this? Unsubscribe here:',
  },
  confirm: {
    title: 'Confirm your subscription',
    text: (shop, email) => `Do you want to get the newsletter of ${shop} at ${email}?`,
    button: 'Yes, subscribe me',
  },
  confirmed: {
    title: 'You are subscribed',
    text: (shop, email) => `The newsletter of ${shop} comes to ${email} from now on.`,
    hint: 'You can unsubscribe at any time, with the link in every newsletter.',
  },
  leave: {
    title: 'Unsubscribe',
    text: (shop, email) => `Do you want no more newsletters of ${shop} at ${email}?`,
    button: 'Unsubscribe',
  },
  left: {
    title: 'You are unsubscribed',
    text: (shop, email) => `The newsletter of ${shop} no longer comes to ${email}.`,
  },
  void: {
    title: 'This link no longer works',
    text: 'A link to confirm works for seven days. If you still want the newsletter, sign up for it again.',
  },
}

const de: Words = {
  language: 'de',
  region: 'DE',
  mail: {
    subject: (shop) => `Bitte bestätigen: Newsletter von ${shop}`,
    title: 'Bestätigen Sie Ihre Anmeldung',
    hello: 'Guten Tag,',
    text: (shop) =>
      `diese E-Mail-Adresse wurde für den Newsletter von ${shop} eingetragen. Waren Sie das? Dann bestätigen Sie es bitte.`,
    button: 'Ja, anmelden',
    hint: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
    expires: (date) => `Der Link gilt bis zum ${date}.`,
    ifNot: 'Wenn Sie es nicht waren, müssen Sie nichts tun: Sie erhalten dann keinen Newsletter.',
    leave: 'Sie möchten solche E-Mails nicht? Hier melden Sie sich ab:',
  },
  confirm: {
    title: 'Anmeldung bestätigen',
    text: (shop, email) => `Möchten Sie den Newsletter von ${shop} an ${email} erhalten?`,
    button: 'Ja, anmelden',
  },
  confirmed: {
    title: 'Sie sind angemeldet',
    text: (shop, email) => `Der Newsletter von ${shop} kommt ab jetzt an ${email}.`,
    hint: 'Sie können sich jederzeit abmelden, mit dem Link in jedem Newsletter.',
  },
  leave: {
    title: 'Newsletter abbestellen',
    text: (shop, email) => `Möchten Sie keinen Newsletter von ${shop} mehr an ${email} erhalten?`,
    button: 'Abbestellen',
  },
  left: {
    title: 'Sie sind abgemeldet',
    text: (shop, email) => `Der Newsletter von ${shop} kommt nicht mehr an ${email}.`,
  },
  void: {
    title: 'Dieser Link funktioniert nicht mehr',
    text: 'Ein Link zum Bestätigen gilt sieben Tage. Wenn Sie den Newsletter noch möchten, melden Sie sich bitte erneut an.',
  },
}

const fr: Words = {
  language: 'fr',
  region: 'FR',
  mail: {
    subject: (shop) => `Merci de confirmer : newsletter de ${shop}`,
    title: 'Confirmez votre inscription',
    hello: 'Bonjour,',
    text: (shop) =>
      `cette adresse e-mail a été inscrite à la newsletter de ${shop}. Si c’était vous, merci de le confirmer.`,
    button: 'Oui, je m’inscris',
    hint: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
    expires: (date) => `Le lien est valable jusqu’au ${date}.`,
    ifNot: 'Si ce n’était pas vous, ne faites rien : vous ne recevrez pas la newsletter.',
    leave: 'Vous ne souhaitez pas recevoir ce type d’e-mails ? Désinscrivez-vous ici :',
  },
  confirm: {
    title: 'Confirmez votre inscription',
    text: (shop, email) => `Souhaitez-vous recevoir la newsletter de ${shop} à l’adresse ${email} ?`,
    button: 'Oui, je m’inscris',
  },
  confirmed: {
    title: 'Vous êtes inscrit',
    text: (shop, email) => `La newsletter de ${shop} arrive désormais à l’adresse ${email}.`,
    hint: 'Vous pouvez vous désinscrire à tout moment grâce au lien dans chaque newsletter.',
  },
  leave: {
    title: 'Se désinscrire',
    text: (shop, email) => `Souhaitez-vous ne plus recevoir la newsletter de ${shop} à l’adresse ${email} ?`,
    button: 'Se désinscrire',
  },
  left: {
    title: 'Vous êtes désinscrit',
    text: (shop, email) => `La newsletter de ${shop} n’arrive plus à l’adresse ${email}.`,
  },
  void: {
    title: 'Ce lien ne fonctionne plus',
    text: 'Un lien de confirmation est valable sept jours. Si vous souhaitez toujours la newsletter, inscrivez-vous de nouveau.',
  },
}

const es: Words = {
  language: 'es',
  region: 'ES',
  mail: {
    subject: (shop) => `Confirme su suscripción: boletín de ${shop}`,
    title: 'Confirme su suscripción',
    hello: 'Hola:',
    text: (shop) =>
      `Esta dirección de correo electrónico se ha inscrito en el boletín de ${shop}. Si fue usted, confírmelo, por favor.`,
    button: 'Sí, suscribirme',
    hint: 'Si el botón no funciona, abra esta dirección:',
    expires: (date) => `El enlace es válido hasta el ${date}.`,
    ifNot: 'Si no fue usted, no haga nada: no recibirá el boletín.',
    leave: '¿No quiere recibir este tipo de correos? Dese de baja aquí:',
  },
  confirm: {
    title: 'Confirme su suscripción',
    text: (shop, email) => `¿Quiere recibir el boletín de ${shop} en ${email}?`,
    button: 'Sí, suscribirme',
  },
  confirmed: {
    title: 'Su suscripción está confirmada',
    text: (shop, email) => `A partir de ahora recibirá el boletín de ${shop} en ${email}.`,
    hint: 'Puede darse de baja en cualquier momento con el enlace de cada boletín.',
  },
  leave: {
    title: 'Darse de baja',
    text: (shop, email) => `¿Quiere dejar de recibir el boletín de ${shop} en ${email}?`,
    button: 'Darme de baja',
  },
  left: {
    title: 'Se ha dado de baja',
    text: (shop, email) => `Ya no recibirá el boletín de ${shop} en ${email}.`,
  },
  void: {
    title: 'Este enlace ya no funciona',
    text: 'El enlace de confirmación es válido durante siete días. Si todavía quiere el boletín, suscríbase de nuevo.',
  },
}

const it: Words = {
  language: 'it',
  region: 'IT',
  mail: {
    subject: (shop) => `Confermi l’iscrizione: newsletter di ${shop}`,
    title: 'Confermi la sua iscrizione',
    hello: 'Buongiorno,',
    text: (shop) =>
      `questo indirizzo e-mail è stato iscritto alla newsletter di ${shop}. Se è stato lei, la preghiamo di confermarlo.`,
    button: 'Sì, mi iscrivo',
    hint: 'Se il pulsante non funziona, apra questo indirizzo:',
    expires: (date) => `Il link è valido fino al ${date}.`,
    ifNot: 'Se non è stato lei, non faccia nulla: non riceverà la newsletter.',
    leave: 'Non desidera ricevere e-mail come questa? Annulli l’iscrizione qui:',
  },
  confirm: {
    title: 'Confermi la sua iscrizione',
    text: (shop, email) => `Desidera ricevere la newsletter di ${shop} all’indirizzo ${email}?`,
    button: 'Sì, mi iscrivo',
  },
  confirmed: {
    title: 'La sua iscrizione è confermata',
    text: (shop, email) => `Da ora la newsletter di ${shop} arriva all’indirizzo ${email}.`,
    hint: 'Può annullare l’iscrizione in qualsiasi momento con il link in ogni newsletter.',
  },
  leave: {
    title: 'Annullare l’iscrizione',
    text: (shop, email) => `Desidera non ricevere più la newsletter di ${shop} all’indirizzo ${email}?`,
    button: 'Annulla l’iscrizione',
  },
  left: {
    title: 'La sua iscrizione è annullata',
    text: (shop, email) => `La newsletter di ${shop} non arriva più all’indirizzo ${email}.`,
  },
  void: {
    title: 'Questo link non funziona più',
    text: 'Un link di conferma è valido per sette giorni. Se desidera ancora la newsletter, si iscriva di nuovo.',
  },
}

const pt: Words = {
  language: 'pt',
  region: 'PT',
  mail: {
    subject: (shop) => `Confirme, por favor: newsletter de ${shop}`,
    title: 'Confirme a sua subscrição',
    hello: 'Olá,',
    text: (shop) => `este endereço de e-mail foi inscrito na newsletter de ${shop}. Se foi você, confirme, por favor.`,
    button: 'Sim, subscrever',
    hint: 'Se o botão não funcionar, abra este endereço:',
    expires: (date) => `A ligação é válida até ${date}.`,
    ifNot: 'Se não foi você, não faça nada: não receberá a newsletter.',
    leave: 'Não quer receber e-mails como este? Cancele a subscrição aqui:',
  },
  confirm: {
    title: 'Confirme a sua subscrição',
    text: (shop, email) => `Quer receber a newsletter de ${shop} em ${email}?`,
    button: 'Sim, subscrever',
  },
  confirmed: {
    title: 'A sua subscrição está confirmada',
    text: (shop, email) => `A partir de agora recebe a newsletter de ${shop} em ${email}.`,
    hint: 'Pode cancelar a subscrição a qualquer momento, com a ligação em cada newsletter.',
  },
  leave: {
    title: 'Cancelar a subscrição',
    text: (shop, email) => `Quer deixar de receber a newsletter de ${shop} em ${email}?`,
    button: 'Cancelar a subscrição',
  },
  left: {
    title: 'A sua subscrição foi cancelada',
    text: (shop, email) => `Já não receberá a newsletter de ${shop} em ${email}.`,
  },
  void: {
    title: 'Esta ligação já não funciona',
    text: 'Uma ligação de confirmação é válida durante sete dias. Se ainda quiser a newsletter, subscreva-a de novo.',
  },
}

const WORDS: Readonly<Record<string, Words>> = { en, de, pt, es, it, fr }

export function hasWords(language: string): boolean {
  return Object.hasOwn(WORDS, language)
}

/** A language without words of its own gets English. */
export function newsletterWords(language: string): Words {
  return (hasWords(language) ? WORDS[language] : undefined) ?? en
}
