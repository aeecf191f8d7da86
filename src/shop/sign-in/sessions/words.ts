/** A mail with a button. */
type LinkMail = { subject: string; title: string; text: string; button: string }

/** The texts of the mails about an account, in one language. `shop` and `email` are inserted as plain text. */
export type MailWords = {
  language: string
  hello: string
  hint: string
  minutes: (minutes: number) => string
  day: string
  ignore: string
  signIn: (shop: string) => LinkMail
  signUp: (shop: string) => LinkMail
  /** For somebody who signs up and has an account already. */
  known: (shop: string) => LinkMail
  reset: (shop: string) => LinkMail
  newEmail: (shop: string) => LinkMail
  changed: (shop: string, email: string) => { password: Notice; email: Notice }
}

type Notice = { subject: string; text: string; ifNot: string }

const en: MailWords = {
  language: 'en',
  hello: 'Hello,',
  hint: 'If the button does not work, open this address:',
  minutes: (minutes) => `The link works once, for ${minutes} minutes.`,
  day: 'The link works once, for 24 hours.',
  ignore: 'If you did not ask for it, do nothing.',
  signIn: (shop) => ({
    subject: `Your link to sign in to ${shop}`,
    title: 'Sign in',
    text: `With this link you sign in to ${shop}.`,
    button: 'Sign in',
  }),
  signUp: (shop) => ({
    subject: `Confirm your e-mail address for ${shop}`,
    title: 'Welcome',
    text: `Confirm this e-mail address to create your account at ${shop}.`,
    button: 'Confirm the address',
  }),
  known: (shop) => ({
    subject: `You already have an account at ${shop}`,
    title: 'You already have an account',
    text: `This e-mail address already has an account that works at ${shop}. With this link you sign in.`,
    button: 'Sign in',
  }),
  reset: (shop) => ({
    subject: `Choose a new password for ${shop}`,
    title: 'New password',
    text: `With this link you choose a new password for your account at ${shop}.`,
    button: 'Choose a new password',
  }),
  newEmail: (shop) => ({
    subject: 'Confirm your new e-mail address',
    title: 'New e-mail address',
    text: `Somebody, we hope you, wants to use this e-mail address for an account at ${shop}.`,
    button: 'Confirm the address',
  }),
  changed: (shop, email) => ({
    password: {
      subject: 'Your password was changed',
      text: `The password of your account ${email} was changed at ${shop}.`,
      ifNot: `If it was not you, choose a new password at once, and tell ${shop}.`,
    },
    email: {
      subject: 'Your e-mail address was changed',
      text: `The e-mail address of your account ${email} was changed at ${shop}.`,
      ifNot: `If it was not you, tell ${shop} at once.`,
    },
  }),
}

const de: MailWords = {
  language: 'de',
  hello: 'Guten Tag,',
  hint: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  minutes: (minutes) => `Der Link gilt einmal, ${minutes} Minuten lang.`,
  day: 'Der Link gilt einmal, 24 Stunden lang.',
  ignore: 'Wenn Sie das nicht wollten, müssen Sie nichts tun.',
  signIn: (shop) => ({
    subject: `Ihr Link zur Anmeldung bei ${shop}`,
    title: 'Anmelden',
    text: `Mit diesem Link melden Sie sich bei ${shop} an.`,
    button: 'Anmelden',
  }),
  signUp: (shop) => ({
    subject: `Bestätigen Sie Ihre E-Mail-Adresse für ${shop}`,
    title: 'Willkommen',
    text: `Bestätigen Sie diese E-Mail-Adresse, um Ihr Konto bei ${shop} anzulegen.`,
    button: 'Adresse bestätigen',
  }),
  known: (shop) => ({
    subject: `Sie haben schon ein Konto bei ${shop}`,
    title: 'Sie haben schon ein Konto',
    text: `Zu dieser E-Mail-Adresse gibt es schon ein Konto, das bei ${shop} gilt. Mit diesem Link melden Sie sich an.`,
    button: 'Anmelden',
  }),
  reset: (shop) => ({
    subject: `Neues Passwort für ${shop}`,
    title: 'Neues Passwort',
    text: `Mit diesem Link wählen Sie ein neues Passwort für Ihr Konto bei ${shop}.`,
    button: 'Neues Passwort wählen',
  }),
  newEmail: (shop) => ({
    subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
    title: 'Neue E-Mail-Adresse',
    text: `Jemand, hoffentlich Sie, möchte diese E-Mail-Adresse für ein Konto bei ${shop} verwenden.`,
    button: 'Adresse bestätigen',
  }),
  changed: (shop, email) => ({
    password: {
      subject: 'Ihr Passwort wurde geändert',
      text: `Das Passwort Ihres Kontos ${email} wurde bei ${shop} geändert.`,
      ifNot: `Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort und benachrichtigen Sie ${shop}.`,
    },
    email: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      text: `Die E-Mail-Adresse Ihres Kontos ${email} wurde bei ${shop} geändert.`,
      ifNot: `Wenn Sie das nicht waren, benachrichtigen Sie sofort ${shop}.`,
    },
  }),
}

const fr: MailWords = {
  language: 'fr',
  hello: 'Bonjour,',
  hint: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  minutes: (minutes) => `Le lien fonctionne une fois, pendant ${minutes} minutes.`,
  day: 'Le lien fonctionne une fois, pendant 24 heures.',
  ignore: 'Si vous n’avez rien demandé, ne faites rien.',
  signIn: (shop) => ({
    subject: `Votre lien de connexion à ${shop}`,
    title: 'Connexion',
    text: `Ce lien vous connecte à ${shop}.`,
    button: 'Se connecter',
  }),
  signUp: (shop) => ({
    subject: `Confirmez votre adresse e-mail pour ${shop}`,
    title: 'Bienvenue',
    text: `Confirmez cette adresse e-mail pour créer votre compte chez ${shop}.`,
    button: 'Confirmer l’adresse',
  }),
  known: (shop) => ({
    subject: `Vous avez déjà un compte chez ${shop}`,
    title: 'Vous avez déjà un compte',
    text: `Cette adresse e-mail a déjà un compte valable chez ${shop}. Ce lien vous connecte.`,
    button: 'Se connecter',
  }),
  reset: (shop) => ({
    subject: `Nouveau mot de passe pour ${shop}`,
    title: 'Nouveau mot de passe',
    text: `Avec ce lien, vous choisissez un nouveau mot de passe pour votre compte chez ${shop}.`,
    button: 'Choisir un mot de passe',
  }),
  newEmail: (shop) => ({
    subject: 'Confirmez votre nouvelle adresse e-mail',
    title: 'Nouvelle adresse e-mail',
    text: `Quelqu’un, vous sans doute, souhaite utiliser cette adresse e-mail pour un compte chez ${shop}.`,
    button: 'Confirmer l’adresse',
  }),
  changed: (shop, email) => ({
    password: {
      subject: 'Votre mot de passe a été modifié',
      text: `Le mot de passe de votre compte ${email} a été modifié chez ${shop}.`,
      ifNot: `Si ce n’était pas vous, choisissez aussitôt un nouveau mot de passe et prévenez ${shop}.`,
    },
    email: {
      subject: 'Votre adresse e-mail a été modifiée',
      text: `L’adresse e-mail de votre compte ${email} a été modifiée chez ${shop}.`,
      ifNot: `Si ce n’était pas vous, prévenez aussitôt ${shop}.`,
    },
  }),
}

const es: MailWords = {
  language: 'es',
  hello: 'Hola:',
  hint: 'Si el botón no funciona, abra esta dirección:',
  minutes: (minutes) => `El enlace funciona una vez, durante ${minutes} minutos.`,
  day: 'El enlace funciona una vez, durante 24 horas.',
  ignore: 'Si no lo ha pedido, no haga nada.',
  signIn: (shop) => ({
    subject: `Su enlace para iniciar sesión en ${shop}`,
    title: 'Iniciar sesión',
    text: `Con este enlace inicia sesión en ${shop}.`,
    button: 'Iniciar sesión',
  }),
  signUp: (shop) => ({
    subject: `Confirme su dirección de correo para ${shop}`,
    title: 'Bienvenido',
    text: `Confirme esta dirección de correo para crear su cuenta en ${shop}.`,
    button: 'Confirmar la dirección',
  }),
  known: (shop) => ({
    subject: `Ya tiene una cuenta en ${shop}`,
    title: 'Ya tiene una cuenta',
    text: `Esta dirección de correo ya tiene una cuenta que vale en ${shop}. Con este enlace inicia sesión.`,
    button: 'Iniciar sesión',
  }),
  reset: (shop) => ({
    subject: `Nueva contraseña para ${shop}`,
    title: 'Nueva contraseña',
    text: `Con este enlace elige una nueva contraseña para su cuenta en ${shop}.`,
    button: 'Elegir una contraseña',
  }),
  newEmail: (shop) => ({
    subject: 'Confirme su nueva dirección de correo',
    title: 'Nueva dirección de correo',
    text: `Alguien, esperamos que usted, quiere usar esta dirección de correo para una cuenta en ${shop}.`,
    button: 'Confirmar la dirección',
  }),
  changed: (shop, email) => ({
    password: {
      subject: 'Su contraseña ha cambiado',
      text: `La contraseña de su cuenta ${email} se cambió en ${shop}.`,
      ifNot: `Si no fue usted, elija enseguida una nueva contraseña y avise a ${shop}.`,
    },
    email: {
      subject: 'Su dirección de correo ha cambiado',
      text: `La dirección de correo de su cuenta ${email} se cambió en ${shop}.`,
      ifNot: `Si no fue usted, avise enseguida a ${shop}.`,
    },
  }),
}

const it: MailWords = {
  language: 'it',
  hello: 'Buongiorno,',
  hint: 'Se il pulsante non funziona, apra questo indirizzo:',
  minutes: (minutes) => `Il link vale una volta, per ${minutes} minuti.`,
  day: 'Il link vale una volta, per 24 ore.',
  ignore: 'Se non è stato Lei a chiederlo, non deve fare nulla.',
  signIn: (shop) => ({
    subject: `Il Suo link per accedere a ${shop}`,
    title: 'Accedi',
    text: `Con questo link accede a ${shop}.`,
    button: 'Accedi',
  }),
  signUp: (shop) => ({
    subject: `Confermi il Suo indirizzo e-mail per ${shop}`,
    title: 'Benvenuto',
    text: `Confermi questo indirizzo e-mail per creare il Suo account presso ${shop}.`,
    button: 'Conferma l’indirizzo',
  }),
  known: (shop) => ({
    subject: `Ha già un account presso ${shop}`,
    title: 'Ha già un account',
    text: `Questo indirizzo e-mail ha già un account valido presso ${shop}. Con questo link accede.`,
    button: 'Accedi',
  }),
  reset: (shop) => ({
    subject: `Nuova password per ${shop}`,
    title: 'Nuova password',
    text: `Con questo link sceglie una nuova password per il Suo account presso ${shop}.`,
    button: 'Scegli una password',
  }),
  newEmail: (shop) => ({
    subject: 'Confermi il Suo nuovo indirizzo e-mail',
    title: 'Nuovo indirizzo e-mail',
    text: `Qualcuno, speriamo Lei, vuole usare questo indirizzo e-mail per un account presso ${shop}.`,
    button: 'Conferma l’indirizzo',
  }),
  changed: (shop, email) => ({
    password: {
      subject: 'La Sua password è stata modificata',
      text: `La password del Suo account ${email} è stata modificata presso ${shop}.`,
      ifNot: `Se non è stato Lei, scelga subito una nuova password e avvisi ${shop}.`,
    },
    email: {
      subject: 'Il Suo indirizzo e-mail è stato modificato',
      text: `L’indirizzo e-mail del Suo account ${email} è stato modificato presso ${shop}.`,
      ifNot: `Se non è stato Lei, avvisi subito ${shop}.`,
    },
  }),
}

const pt: MailWords = {
  language: 'pt',
  hello: 'Olá,',
  hint: 'Se o botão não funcionar, abra este endereço:',
  minutes: (minutes) => `A ligação funciona uma vez, durante ${minutes} minutos.`,
  day: 'A ligação funciona uma vez, durante 24 horas.',
  ignore: 'Se não foi você que pediu, não precisa de fazer nada.',
  signIn: (shop) => ({
    subject: `A sua ligação para iniciar sessão em ${shop}`,
    title: 'Iniciar sessão',
    text: `Com esta ligação inicia sessão em ${shop}.`,
    button: 'Iniciar sessão',
  }),
  signUp: (shop) => ({
    subject: `Confirme o seu endereço de e-mail para ${shop}`,
    title: 'Bem-vindo',
    text: `Confirme este endereço de e-mail para criar a sua conta em ${shop}.`,
    button: 'Confirmar o endereço',
  }),
  known: (shop) => ({
    subject: `Já tem uma conta em ${shop}`,
    title: 'Já tem uma conta',
    text: `Este endereço de e-mail já tem uma conta válida em ${shop}. Com esta ligação inicia sessão.`,
    button: 'Iniciar sessão',
  }),
  reset: (shop) => ({
    subject: `Nova palavra-passe para ${shop}`,
    title: 'Nova palavra-passe',
    text: `Com esta ligação escolhe uma nova palavra-passe para a sua conta em ${shop}.`,
    button: 'Escolher uma palavra-passe',
  }),
  newEmail: (shop) => ({
    subject: 'Confirme o seu novo endereço de e-mail',
    title: 'Novo endereço de e-mail',
    text: `Alguém, esperamos que você, quer usar este endereço de e-mail para uma conta em ${shop}.`,
    button: 'Confirmar o endereço',
  }),
  changed: (shop, email) => ({
    password: {
      subject: 'A sua palavra-passe foi alterada',
      text: `A palavra-passe da sua conta ${email} foi alterada em ${shop}.`,
      ifNot: `Se não foi você, escolha já uma nova palavra-passe e avise ${shop}.`,
    },
    email: {
      subject: 'O seu endereço de e-mail foi alterado',
      text: `O endereço de e-mail da sua conta ${email} foi alterado em ${shop}.`,
      ifNot: `Se não foi você, avise já ${shop}.`,
    },
  }),
}

const ALL: ReadonlyMap<string, MailWords> = new Map([en, de, fr, es, it, pt].map((words) => [words.language, words]))

/** In the language of the customer, else in English. */
export function mailWords(language: string): MailWords {
  return ALL.get(language.split('-')[0] ?? '') ?? en
}
