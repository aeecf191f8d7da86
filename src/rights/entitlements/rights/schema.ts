import { type Static, Type } from 'typebox'
import { LicenseInput } from '#catalog/licenses/schema.ts'
import { Id, Text } from '#platform/wire/schema.ts'

const { name: _name, locales: _locales, restriction_country: _countries, ...fields } = LicenseInput.properties
const { restriction_dvd_region: _regions, restriction_video_norm: _norm, ...terms } = fields

export const LicenseTermsInput = Type.Object({
  license: Type.Object(terms, {
    description:
      'A license as it was read, or the fields of one. Its name, texts and countries are no part of the terms.',
  }),
  language: Type.Optional(Text(12, 'Code of the language; English if it is absent or unknown.', ['en'])),
  product_type: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 32_767, description: 'Type of the product that is sold; a film if absent.' }),
  ),
})

export const LicenseTermsInWords = Type.Object(
  {
    text: Text(5000, 'All of it.', ['It can be used for 48 hours after it is first used.']),
    sentences: Type.Array(Text(1000, 'One of its sentences.')),
  },
  { $id: 'LicenseTermsInWords' },
)

export const LicenseInWords = Type.Object(
  { id: Id('Id of the license.'), ...LicenseTermsInWords.properties },
  { $id: 'LicenseInWords' },
)

export type LicenseInWords = Static<typeof LicenseInWords>
export type LicenseTermsInput = Static<typeof LicenseTermsInput>
export type LicenseTermsInWords = Static<typeof LicenseTermsInWords>
