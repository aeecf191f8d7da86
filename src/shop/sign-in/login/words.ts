import { acceptedLanguages, primaryLanguage } from '#identity/languages/rules.ts'

/** The texts of the page for a login that is refused. */
export type LoginWords = { language: string; title: string; text: string; toShop: string }

const ENGLISH: LoginWords = {
  language: 'en',
  title: 'This link is no longer valid',
  text: 'A link that signs you in works once, and only for a short time. Go back to the page that you came from, and try again.',
  toShop: 'Go to the shop',
}

const WORDS: readonly LoginWords[] = [
  ENGLISH,
  {
    language: 'de',
    title: 'Dieser Link ist nicht mehr gültig',
    text: 'Ein Link zur Anmeldung gilt nur einmal und nur für kurze Zeit. Gehen Sie zurück zur vorherigen Seite und versuchen Sie es noch einmal.',
    toShop: 'Zum Shop',
  },
  {
    language: 'fr',
    title: 'Ce lien n’est plus valable',
    text: 'Un lien de connexion ne fonctionne qu’une fois et pendant peu de temps. Revenez à la page précédente et réessayez.',
    toShop: 'Aller à la boutique',
  },
  {
    language: 'es',
    title: 'Este enlace ya no es válido',
    text: 'Un enlace para iniciar sesión funciona una sola vez y durante poco tiempo. Vuelva a la página anterior e inténtelo de nuevo.',
    toShop: 'Ir a la tienda',
  },
  {
    language: 'it',
    title: 'Questo link non è più valido',
    text: 'Un link per accedere funziona una sola volta e per poco tempo. Torni alla pagina precedente e riprovi.',
    toShop: 'Vai al negozio',
  },
  {
    language: 'pt',
    title: 'Esta ligação já não é válida',
    text: 'Uma ligação para iniciar sessão funciona uma só vez e durante pouco tempo. Volte à página anterior e tente novamente.',
    toShop: 'Ir para a loja',
  },
]

/** In the language of the browser, else in English. */
export function loginWords(acceptLanguage: string): LoginWords {
  const asked = acceptedLanguages(acceptLanguage).map(primaryLanguage)
  const found = asked.map((code) => WORDS.find(({ language }) => language === code)).find((words) => words)
  return found ?? ENGLISH
}
