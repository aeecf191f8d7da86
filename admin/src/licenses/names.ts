import { isGeneral, type License } from './queries.ts'

/** The languages that shops speak, by their numbers in licenses. */
export const LANGUAGES = new Map([
  [1, 'en'],
  [2, 'de'],
  [12, 'fr'],
  [8, 'es'],
  [10, 'it'],
  [6, 'pt'],
])

type Named = Pick<License, 'name' | 'locales' | 'assignment'>

/**
 * What a license is called in a language. Those that come with the service have a name in each of them; companies know
 * their own licenses by the name that they gave them.
 */
export function licenseName(license: Named, language = document.documentElement.lang): string {
  const text = isGeneral(license)
    ? license.locales.find(({ language_id }) => LANGUAGES.get(language_id) === language)
    : undefined
  return text?.name || license.name
}

/** The name of one of several licenses; undefined as long as nobody knows it. */
export function nameIn(
  licenses: readonly License[] | undefined,
  wanted: number | null | undefined,
): string | undefined {
  const license = licenses?.find(({ id }) => id === wanted)
  return license && licenseName(license)
}
