import { newLicense } from '#catalog/licenses/changes.rules.ts'
import type { LicenseState } from '#catalog/licenses/state.ts'
import type { LicenseInWords, LicenseTermsInput, LicenseTermsInWords } from './schema.ts'
import { clausesInWords } from './sentences.rules.ts'
import type { Terms } from './state.ts'

const FILM = 1

/** What a license would let a customer do, whether it is stored or not. */
export function presentTerms(
  { license, language = 'en', product_type = FILM }: LicenseTermsInput,
  now: Date,
): LicenseTermsInWords {
  const identity = { companyId: 0, id: 0, userId: 0 }
  const described = newLicense(identity, { ...license, name: '-' }, { now, takeId: () => 0 })
  return inWords(described, product_type, language)
}

/** What a stored license lets a customer do with a film. */
export function presentInWords(license: LicenseState, language: string): LicenseInWords {
  return { id: license.id, ...inWords(license, FILM, language) }
}

function inWords(terms: Terms, product_type: number, language: string): LicenseTermsInWords {
  const sentences = clausesInWords({ terms, product_type, users: 1 }, language).map(({ text }) => text)
  return { text: sentences.join(' '), sentences }
}
