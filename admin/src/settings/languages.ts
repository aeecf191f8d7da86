/** The languages of emails and pages. */
export const LANGUAGES: readonly string[] = ['en', 'de', 'fr', 'es', 'it', 'pt']
