import { newLicense } from '#catalog/licenses/changes.rules.ts'
import type { LicenseTermsInput, LicenseTermsInWords } from './schema.ts'
import { clausesInWords } from './sentences.rules.ts'

const FILM = 1

/** What a license would let a customer do, whether it is stored or not. */
export function presentTerms(
  { license, language = 'en', product_type = FILM }: LicenseTermsInput,
  now: Date,
): LicenseTermsInWords {
  const identity = { companyId: 0, id: 0, userId: 0 }
  const described = newLicense(identity, { ...license, name: '-' }, { now, takeId: () => 0 })
  const sentences = clausesInWords({ terms: described, product_type, users: 1 }, language).map(({ text }) => text)
  return { text: sentences.join(' '), sentences }
}
