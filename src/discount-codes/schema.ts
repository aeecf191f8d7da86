import { type Static, Type } from 'typebox'
import { nullable, Text, TimeInput } from '#platform/wire-schema.ts'

const CODE_MAX = 100

/** A discount code as an import file contains it. */
export const DiscountCodeInput = Type.Object({
  code: Text(CODE_MAX, 'What customers enter, in any case.', ['SPRING']),
  type: Type.String({ description: '`percentage` or `fixed_amount`.' }),
  amount: Type.Number({ description: 'Percent, or cents in the currency of the company.', examples: [10] }),
  starts_at: Type.Optional(nullable(TimeInput('Good from this time on; absent: at once.'))),
  ends_at: Type.Optional(nullable(TimeInput('No longer good at this time; absent: good for ever.'))),
  usage_limit: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'For so many orders; absent: for any.' })),
  ),
})

export type DiscountCodeInput = Static<typeof DiscountCodeInput>
