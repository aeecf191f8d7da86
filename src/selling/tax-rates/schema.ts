import { type Static, Type } from 'typebox'
import { RATED_CLASSES } from '#identity/addresses/tax-classes.facts.ts'
import { Id, nullable, Text, Time } from '#platform/wire/schema.ts'

const COUNTRY_MAX = 100
const NAME_MAX = 50

const percent = Type.Number({ minimum: 0, maximum: 100, description: 'Percent, with three decimals at most.' })

const CLASS = 'Which products it is for: those with the same `tax_class`. Products of the class `zero` are never taxed.'
const taxClass = Type.Enum(RATED_CLASSES, { description: CLASS, examples: ['standard'] })

export const TaxRate = Type.Object(
  {
    id: Id('Id of the tax rate. Read-only.'),
    country_code: Type.String({ pattern: '^[A-Z]{2}$', description: 'Two-letter ISO code.', examples: ['CH'] }),
    country_name: Type.String({ description: 'Name of the country in English. Read-only.', examples: ['Switzerland'] }),
    tax_class: taxClass,
    percent,
    name: Text(NAME_MAX, 'How the tax is called.', ['VAT']),
    created_at: Time('When it was created. Read-only.'),
    updated_at: Time('When it was last changed. Read-only.'),
  },
  { $id: 'TaxRate' },
)

const country = Text(COUNTRY_MAX, 'Code or English name of the country. A country has one rate for each tax class.', [
  'CH',
])
const newClass = Type.Enum(RATED_CLASSES, { description: `${CLASS} If absent: standard.`, examples: ['standard'] })
const name = Type.Optional(Text(NAME_MAX, 'How the tax is called. Default: VAT.', ['VAT']))

export const TaxRateInput = Type.Object(
  { country_code: country, tax_class: Type.Optional(newClass), percent, name },
  { $id: 'TaxRateInput', examples: [{ country_code: 'CH', percent: 8.1 }] },
)

export const TaxRateChange = Type.Object(
  {
    country_code: Type.Optional(country),
    tax_class: Type.Optional(taxClass),
    percent: Type.Optional(percent),
    name,
  },
  { $id: 'TaxRateChange', examples: [{ percent: 8.1 }] },
)

export const TaxTable = Type.Object(
  {
    rates: Type.Array(
      Type.Object({
        country_code: TaxRate.properties.country_code,
        country_name: Type.String({ description: 'Name of the country in English.', examples: ['Switzerland'] }),
        tax_class: taxClass,
        percent,
        source: Type.Unsafe<'own' | 'built_in'>({
          type: 'string',
          enum: ['own', 'built_in'],
          description: '`own`: a rate that the company has set. `built_in`: the data of the service.',
        }),
        since: nullable(
          Type.String({
            pattern: '^\\d{4}-\\d{2}-\\d{2}$',
            description: 'The day from which on a built-in rate applies; null: the data does not say.',
            examples: ['2024-01-01'],
          }),
        ),
      }),
      { description: 'The country of the company first, then those of the European Union and those of its own rates.' },
    ),
  },
  { $id: 'TaxTable' },
)

export type TaxTable = Static<typeof TaxTable>
export type TaxRate = Static<typeof TaxRate>
export type TaxRateInput = Static<typeof TaxRateInput>
export type TaxRateChange = Static<typeof TaxRateChange>
