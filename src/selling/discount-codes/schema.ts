import { type Static, Type } from 'typebox'
import { Id, nullable, Text, Time, TimeInput } from '#platform/wire/schema.ts'

const CODE_MAX = 100
const COUNT_MAX = 2_147_483_647

export const DISCOUNT_TYPES = ['percentage', 'fixed_amount'] as const

const type = Type.Unsafe<(typeof DISCOUNT_TYPES)[number]>(
  Type.String({ enum: [...DISCOUNT_TYPES], description: '`percentage` or `fixed_amount`.' }),
)
/** Not an enum: the rules name the allowed values in a sentence that the import shows too. */
const inputType = Text(20, '`percentage` or `fixed_amount`.', ['percentage'])
const amount = Type.Number({
  description: 'Percent with two decimals at most, or cents in the currency of the company.',
  examples: [10],
})

export const DiscountCode = Type.Object(
  {
    id: Id('Id of the discount code. Read-only.'),
    code: Text(CODE_MAX, 'What customers enter, in any case.', ['SPRING']),
    type,
    amount,
    starts_at: nullable(Time('Valid from this time on; null: at once.')),
    ends_at: nullable(Time('No longer valid at this time; null: valid for ever.')),
    usage_limit: nullable(Type.Integer({ minimum: 1, description: 'Valid for so many orders; null: for any number.' })),
    usage_count: Type.Integer({
      minimum: 0,
      description: 'How many orders used it that were not cancelled. Read-only.',
    }),
    created_at: Time('When it was created. Read-only.'),
    updated_at: Time('When it was last changed. Read-only.'),
  },
  { $id: 'DiscountCode' },
)

const optional = {
  starts_at: Type.Optional(nullable(TimeInput('Valid from this time on; null: at once.'))),
  ends_at: Type.Optional(nullable(TimeInput('No longer valid at this time; null: valid for ever.'))),
  usage_limit: Type.Optional(
    nullable(
      Type.Integer({ minimum: 1, maximum: COUNT_MAX, description: 'Valid for so many orders; null: for any number.' }),
    ),
  ),
}

export const DiscountCodeInput = Type.Object(
  { code: DiscountCode.properties.code, type: inputType, amount, ...optional },
  { $id: 'DiscountCodeInput', examples: [{ code: 'SPRING', type: 'percentage', amount: 10 }] },
)

export const DiscountCodeChange = Type.Object(
  {
    code: Type.Optional(DiscountCode.properties.code),
    type: Type.Optional(inputType),
    amount: Type.Optional(amount),
    ...optional,
  },
  { $id: 'DiscountCodeChange', examples: [{ ends_at: '2031-06-01' }] },
)

export type DiscountCode = Static<typeof DiscountCode>
export type DiscountCodeInput = Static<typeof DiscountCodeInput>
export type DiscountCodeChange = Static<typeof DiscountCodeChange>
