/** What the pages and the mail of the customers' prompt say in one language. Names are inserted as HTML: no `<` or `&`. */
export type Words = {
  language: string
  error: string
  prompt: {
    title: (app: string) => string
    asks: (app: string, shop: string) => string
    maker: (company: string) => string
    back: (place: string) => string
    thisDevice: string
    signIn: string
    signedIn: (email: string) => string
    email: string
    password: string
    allow: string
    allowSigningIn: string
    deny: string
    sendLink: string
    can: string
    until: (shop: string) => string
  }
  wrong: {
    missing: string
    email: string
    credentials: string
    stranger: (shop: string) => string
    wait: (minutes: number) => string
  }
  mailed: { title: string; text: (email: string, shop: string) => string; hint: string }
  void: { title: string; text: string }
  mail: {
    subject: (shop: string) => string
    title: string
    hello: string
    text: (app: string, shop: string) => string
    button: string
    hint: string
    expires: (minutes: number) => string
    ifNot: string
  }
}

const en: Words = {
  language: 'en',
  error: 'Error',
  prompt: {
    title: (app) => `Allow ${app}?`,
    asks: (app, shop) => `${app} wants to play and read what you bought at ${shop}.`,
    maker: (company) => `Made by ${company}`,
    back: (place) => `Afterwards you return to ${place}.`,
    thisDevice: 'the app on this device',
    signIn: 'Sign in with the account that you bought with.',
    signedIn: (email) => `You are signed in as ${email}.`,
    email: 'E-mail address',
    password: 'Password',
    allow: 'Allow',
    allowSigningIn: 'Sign in and allow',
    deny: 'Don’t allow',
    sendLink: 'Send me a link instead',
    can: 'The app can play, download, redeem codes and manage your devices for you, which may use up downloads and start rental times. It cannot buy anything or change your account.',
    until: (shop) => `The app loses access when you change your password, or when ${shop} removes it.`,
  },
  wrong: {
    missing: 'Type your e-mail address and your password.',
    email: 'Type your e-mail address to get a link.',
    credentials: 'The e-mail address or the password is wrong. Try again, or let us send you a link.',
    stranger: (shop) => `There is nothing at ${shop} that was bought with this account.`,
    wait: (minutes) => `There were too many attempts. Try again in ${minutes} min.`,
  },
  mailed: {
    title: 'Check your e-mail',
    text: (email, shop) => `If ${email} is a customer of ${shop}, a link is on its way. It works once, for 30 minutes.`,
    hint: 'Open the link on this device. Nothing there after a few minutes? Look in your spam folder.',
  },
  void: {
    title: 'This link no longer works',
    text: 'A link works once, for 30 minutes. Go back to the app and start again.',
  },
  mail: {
    subject: (shop) => `Your link to sign in to ${shop}`,
    title: 'Sign in',
    hello: 'Hello,',
    text: (app, shop) => `${app} wants to play and read what you bought at ${shop}. With this link you can allow it.`,
    button: 'Sign in',
    hint: 'If the button does not work, open this address:',
    expires: (minutes) => `The link works once, for ${minutes} minutes.`,
    ifNot: 'If you did not ask for it, do nothing: nobody gets access.',
  },
}

const de: Words = {
  language: 'de',
  error: 'Fehler',
  prompt: {
    title: (app) => `${app} erlauben?`,
    asks: (app, shop) => `${app} möchte abspielen und lesen, was Sie bei ${shop} gekauft haben.`,
    maker: (company) => `Von ${company}`,
    back: (place) => `Danach kehren Sie zu ${place} zurück.`,
    thisDevice: 'der App auf diesem Gerät',
    signIn: 'Melden Sie sich mit dem Konto an, mit dem Sie gekauft haben.',
    signedIn: (email) => `Sie sind als ${email} angemeldet.`,
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    allow: 'Erlauben',
    allowSigningIn: 'Anmelden und erlauben',
    deny: 'Nicht erlauben',
    sendLink: 'Lieber einen Link zusenden',
    can: 'Die App kann für Sie abspielen, herunterladen, Codes einlösen und Ihre Geräte verwalten. Das kann Downloads verbrauchen und Leihfristen beginnen lassen. Sie kann nichts kaufen und Ihr Konto nicht ändern.',
    until: (shop) => `Der Zugriff endet, wenn Sie Ihr Passwort ändern oder wenn ${shop} die App entfernt.`,
  },
  wrong: {
    missing: 'Geben Sie Ihre E-Mail-Adresse und Ihr Passwort ein.',
    email: 'Geben Sie Ihre E-Mail-Adresse ein, um einen Link zu erhalten.',
    credentials:
      'Die E-Mail-Adresse oder das Passwort ist falsch. Versuchen Sie es noch einmal oder lassen Sie sich einen Link zusenden.',
    stranger: (shop) => `Mit diesem Konto wurde bei ${shop} nichts gekauft.`,
    wait: (minutes) => `Das waren zu viele Versuche. Versuchen Sie es in ${minutes} Min. noch einmal.`,
  },
  mailed: {
    title: 'Sehen Sie in Ihre E-Mails',
    text: (email, shop) =>
      `Wenn ${email} bei ${shop} bekannt ist, ist ein Link unterwegs. Er gilt einmal, 30 Minuten lang.`,
    hint: 'Öffnen Sie den Link auf diesem Gerät. Nach ein paar Minuten noch nichts da? Sehen Sie im Spam-Ordner nach.',
  },
  void: {
    title: 'Dieser Link gilt nicht mehr',
    text: 'Ein Link gilt einmal, 30 Minuten lang. Gehen Sie zurück zur App und beginnen Sie von vorn.',
  },
  mail: {
    subject: (shop) => `Ihr Link zur Anmeldung bei ${shop}`,
    title: 'Anmelden',
    hello: 'Guten Tag,',
    text: (app, shop) =>
      `${app} möchte abspielen und lesen, was Sie bei ${shop} gekauft haben. Mit diesem Link können Sie es erlauben.`,
    button: 'Anmelden',
    hint: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
    expires: (minutes) => `Der Link gilt einmal, ${minutes} Minuten lang.`,
    ifNot: 'Wenn Sie ihn nicht angefordert haben, müssen Sie nichts tun: Niemand erhält Zugriff.',
  },
}

const fr: Words = {
  language: 'fr',
  error: 'Erreur',
  prompt: {
    title: (app) => `Autoriser ${app} ?`,
    asks: (app, shop) => `${app} souhaite lire ce que vous avez acheté chez ${shop}.`,
    maker: (company) => `Par ${company}`,
    back: (place) => `Ensuite, vous revenez à ${place}.`,
    thisDevice: 'l’application sur cet appareil',
    signIn: 'Connectez-vous avec le compte utilisé pour vos achats.',
    signedIn: (email) => `Vous êtes connecté en tant que ${email}.`,
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    allow: 'Autoriser',
    allowSigningIn: 'Se connecter et autoriser',
    deny: 'Ne pas autoriser',
    sendLink: 'M’envoyer plutôt un lien',
    can: 'L’application peut lire et télécharger vos contenus, utiliser des codes et gérer vos appareils pour vous, ce qui peut consommer des téléchargements et faire commencer des durées de location. Elle ne peut rien acheter ni modifier votre compte.',
    until: (shop) => `L’accès prend fin si vous changez de mot de passe ou si ${shop} retire l’application.`,
  },
  wrong: {
    missing: 'Saisissez votre adresse e-mail et votre mot de passe.',
    email: 'Saisissez votre adresse e-mail pour recevoir un lien.',
    credentials: 'L’adresse e-mail ou le mot de passe est incorrect. Réessayez ou demandez un lien.',
    stranger: (shop) => `Rien n’a été acheté chez ${shop} avec ce compte.`,
    wait: (minutes) => `Trop de tentatives. Réessayez dans ${minutes} min.`,
  },
  mailed: {
    title: 'Consultez vos e-mails',
    text: (email, shop) =>
      `Si ${email} est client de ${shop}, un lien est en route. Il fonctionne une seule fois, pendant 30 minutes.`,
    hint: 'Ouvrez le lien sur cet appareil. Rien après quelques minutes ? Regardez dans vos courriers indésirables.',
  },
  void: {
    title: 'Ce lien ne fonctionne plus',
    text: 'Un lien fonctionne une seule fois, pendant 30 minutes. Retournez dans l’application et recommencez.',
  },
  mail: {
    subject: (shop) => `Votre lien de connexion à ${shop}`,
    title: 'Connexion',
    hello: 'Bonjour,',
    text: (app, shop) =>
      `${app} souhaite lire ce que vous avez acheté chez ${shop}. Avec ce lien, vous pouvez l’autoriser.`,
    button: 'Se connecter',
    hint: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
    expires: (minutes) => `Le lien fonctionne une seule fois, pendant ${minutes} minutes.`,
    ifNot: 'Si vous ne l’avez pas demandé, ne faites rien : personne n’obtient d’accès.',
  },
}

const es: Words = {
  language: 'es',
  error: 'Error',
  prompt: {
    title: (app) => `¿Permitir ${app}?`,
    asks: (app, shop) => `${app} quiere reproducir y leer lo que compró en ${shop}.`,
    maker: (company) => `De ${company}`,
    back: (place) => `Después volverá a ${place}.`,
    thisDevice: 'la aplicación de este dispositivo',
    signIn: 'Inicie sesión con la cuenta con la que compró.',
    signedIn: (email) => `Ha iniciado sesión como ${email}.`,
    email: 'Correo electrónico',
    password: 'Contraseña',
    allow: 'Permitir',
    allowSigningIn: 'Iniciar sesión y permitir',
    deny: 'No permitir',
    sendLink: 'Enviarme un enlace',
    can: 'La aplicación puede reproducir, descargar, canjear códigos y gestionar sus dispositivos por usted, lo que puede consumir descargas e iniciar plazos de alquiler. No puede comprar nada ni modificar su cuenta.',
    until: (shop) => `La aplicación pierde el acceso si usted cambia su contraseña o si ${shop} la retira.`,
  },
  wrong: {
    missing: 'Escriba su correo electrónico y su contraseña.',
    email: 'Escriba su correo electrónico para recibir un enlace.',
    credentials: 'El correo electrónico o la contraseña no son correctos. Inténtelo de nuevo o pida un enlace.',
    stranger: (shop) => `Con esta cuenta no se ha comprado nada en ${shop}.`,
    wait: (minutes) => `Demasiados intentos. Inténtelo de nuevo en ${minutes} min.`,
  },
  mailed: {
    title: 'Revise su correo',
    text: (email, shop) =>
      `Si ${email} es cliente de ${shop}, recibirá un enlace. Funciona una sola vez, durante 30 minutos.`,
    hint: 'Abra el enlace en este dispositivo. ¿No ha llegado nada tras unos minutos? Mire en la carpeta de spam.',
  },
  void: {
    title: 'Este enlace ya no funciona',
    text: 'Un enlace funciona una sola vez, durante 30 minutos. Vuelva a la aplicación y empiece de nuevo.',
  },
  mail: {
    subject: (shop) => `Su enlace para iniciar sesión en ${shop}`,
    title: 'Iniciar sesión',
    hello: 'Hola:',
    text: (app, shop) => `${app} quiere reproducir y leer lo que compró en ${shop}. Con este enlace puede permitirlo.`,
    button: 'Iniciar sesión',
    hint: 'Si el botón no funciona, abra esta dirección:',
    expires: (minutes) => `El enlace funciona una sola vez, durante ${minutes} minutos.`,
    ifNot: 'Si no lo ha pedido, no haga nada: nadie obtiene acceso.',
  },
}

const it: Words = {
  language: 'it',
  error: 'Errore',
  prompt: {
    title: (app) => `Consentire ${app}?`,
    asks: (app, shop) => `${app} vuole riprodurre e leggere ciò che ha acquistato da ${shop}.`,
    maker: (company) => `Di ${company}`,
    back: (place) => `Poi tornerà a ${place}.`,
    thisDevice: 'l’app su questo dispositivo',
    signIn: 'Acceda con l’account usato per l’acquisto.',
    signedIn: (email) => `Ha effettuato l’accesso come ${email}.`,
    email: 'Indirizzo e-mail',
    password: 'Password',
    allow: 'Consenti',
    allowSigningIn: 'Accedi e consenti',
    deny: 'Non consentire',
    sendLink: 'Inviami un link',
    can: 'L’app può riprodurre, scaricare, riscattare codici e gestire i Suoi dispositivi per Lei: ciò può consumare download e far iniziare periodi di noleggio. Non può acquistare nulla né modificare il Suo account.',
    until: (shop) => `L’app perde l’accesso se Lei cambia la password o se ${shop} la rimuove.`,
  },
  wrong: {
    missing: 'Inserisca l’indirizzo e-mail e la password.',
    email: 'Inserisca l’indirizzo e-mail per ricevere un link.',
    credentials: 'L’indirizzo e-mail o la password non è corretto. Riprovi oppure si faccia inviare un link.',
    stranger: (shop) => `Con questo account non è stato acquistato nulla da ${shop}.`,
    wait: (minutes) => `Troppi tentativi. Riprovi tra ${minutes} min.`,
  },
  mailed: {
    title: 'Controlli la posta',
    text: (email, shop) =>
      `Se ${email} è cliente di ${shop}, un link è in arrivo. Funziona una sola volta, per 30 minuti.`,
    hint: 'Apra il link su questo dispositivo. Dopo qualche minuto non è arrivato nulla? Guardi nella cartella spam.',
  },
  void: {
    title: 'Questo link non funziona più',
    text: 'Un link funziona una sola volta, per 30 minuti. Torni all’app e ricominci.',
  },
  mail: {
    subject: (shop) => `Il Suo link per accedere a ${shop}`,
    title: 'Accesso',
    hello: 'Buongiorno,',
    text: (app, shop) =>
      `${app} vuole riprodurre e leggere ciò che ha acquistato da ${shop}. Con questo link può consentirlo.`,
    button: 'Accedi',
    hint: 'Se il pulsante non funziona, apra questo indirizzo:',
    expires: (minutes) => `Il link funziona una sola volta, per ${minutes} minuti.`,
    ifNot: 'Se non l’ha richiesto, non deve fare nulla: nessuno ottiene l’accesso.',
  },
}

const pt: Words = {
  language: 'pt',
  error: 'Erro',
  prompt: {
    title: (app) => `Permitir ${app}?`,
    asks: (app, shop) => `${app} quer reproduzir e ler o que comprou em ${shop}.`,
    maker: (company) => `De ${company}`,
    back: (place) => `Depois regressa a ${place}.`,
    thisDevice: 'a aplicação neste dispositivo',
    signIn: 'Inicie sessão com a conta com que comprou.',
    signedIn: (email) => `Iniciou sessão como ${email}.`,
    email: 'Endereço de e-mail',
    password: 'Palavra-passe',
    allow: 'Permitir',
    allowSigningIn: 'Iniciar sessão e permitir',
    deny: 'Não permitir',
    sendLink: 'Enviar-me antes um link',
    can: 'A aplicação pode reproduzir, transferir, resgatar códigos e gerir os seus dispositivos por si, o que pode gastar transferências e iniciar prazos de aluguer. Não pode comprar nada nem alterar a sua conta.',
    until: (shop) => `A aplicação perde o acesso se mudar a palavra-passe ou se ${shop} a remover.`,
  },
  wrong: {
    missing: 'Escreva o seu endereço de e-mail e a sua palavra-passe.',
    email: 'Escreva o seu endereço de e-mail para receber um link.',
    credentials: 'O endereço de e-mail ou a palavra-passe está errado. Tente de novo ou peça um link.',
    stranger: (shop) => `Com esta conta não foi comprado nada em ${shop}.`,
    wait: (minutes) => `Demasiadas tentativas. Tente de novo daqui a ${minutes} min.`,
  },
  mailed: {
    title: 'Veja o seu e-mail',
    text: (email, shop) =>
      `Se ${email} for cliente de ${shop}, um link está a caminho. Funciona uma só vez, durante 30 minutos.`,
    hint: 'Abra o link neste dispositivo. Nada após alguns minutos? Veja na pasta de spam.',
  },
  void: {
    title: 'Este link já não funciona',
    text: 'Um link funciona uma só vez, durante 30 minutos. Volte à aplicação e comece de novo.',
  },
  mail: {
    subject: (shop) => `O seu link para iniciar sessão em ${shop}`,
    title: 'Iniciar sessão',
    hello: 'Olá,',
    text: (app, shop) => `${app} quer reproduzir e ler o que comprou em ${shop}. Com este link pode permiti-lo.`,
    button: 'Iniciar sessão',
    hint: 'Se o botão não funcionar, abra este endereço:',
    expires: (minutes) => `O link funciona uma só vez, durante ${minutes} minutos.`,
    ifNot: 'Se não o pediu, não faça nada: ninguém obtém acesso.',
  },
}

const WORDS: Readonly<Record<string, Words>> = { en, de, pt, es, it, fr }

export function hasWords(language: string): boolean {
  return Object.hasOwn(WORDS, language)
}

/** A language without words of its own gets English. */
export function playerWords(language: string): Words {
  return (hasWords(language) ? WORDS[language] : undefined) ?? en
}
