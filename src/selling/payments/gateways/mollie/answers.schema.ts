import { type Static, Type } from 'typebox'

/** What the service reads of Mollie's answers. An answer that is not like this was not made by Mollie. */

const optional = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const Name = Type.String({ pattern: '^[a-z]{2,10}_\\w{1,100}$' })
const Word = Type.String({ maxLength: 100 })

export const MollieAmount = Type.Object({
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  value: Type.String({ pattern: '^\\d{1,10}(\\.\\d{2})?$' }),
})

export const MollieRefund = Type.Object({
  id: Name,
  status: Word,
  amount: MollieAmount,
  createdAt: Word,
  metadata: Type.Optional(Type.Unknown()),
})

export const MollieRefunds = Type.Object({ _embedded: Type.Object({ refunds: Type.Array(MollieRefund) }) })

export const MolliePayment = Type.Object({
  id: Name,
  status: Word,
  amount: MollieAmount,
  method: optional(Word),
  /** Includes refunds that are still queued. */
  amountRefunded: optional(MollieAmount),
  amountChargedBack: optional(MollieAmount),
  metadata: Type.Optional(Type.Unknown()),
  /** `first`: the customer agrees to later charges, which are `recurring`. */
  sequenceType: optional(Word),
  customerId: optional(Name),
  /** Known once the first payment is paid. */
  mandateId: optional(Name),
  details: optional(Type.Object({ failureReason: optional(Word), bankReasonCode: optional(Word) })),
  statusReason: optional(Type.Object({ code: Word })),
  _links: Type.Object({
    checkout: optional(Type.Object({ href: Type.String({ pattern: '^https://[\\w.-]+/[^\\s;]*$', maxLength: 2000 }) })),
  }),
  _embedded: optional(Type.Object({ refunds: optional(Type.Array(MollieRefund)) })),
})

export const MolliePayments = Type.Object({ _embedded: Type.Object({ payments: Type.Array(MolliePayment) }) })

export const MollieCustomer = Type.Object({ id: Name })

/** What a customer has agreed to be charged with. */
export const MollieMandate = Type.Object({
  id: Name,
  status: Word,
  method: Word,
  details: optional(
    Type.Object({
      cardLabel: optional(Word),
      /** The last four digits. */
      cardNumber: optional(Word),
      cardExpiryDate: optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
      consumerAccount: optional(Word),
    }),
  ),
})

export const MollieMandates = Type.Object({ _embedded: Type.Object({ mandates: Type.Array(MollieMandate) }) })

/** What payments of this service carry. Others of the same account carry something else, or nothing. */
export const MollieMetadata = Type.Object({
  licet_company: Type.String({ pattern: '^\\d{1,15}$' }),
  licet_payment: Type.String({ pattern: '^\\d{1,15}$' }),
})

export const MollieRefundMetadata = Type.Object({ licet_refund: Word })

/** Why Mollie refuses something. */
export const MollieProblem = Type.Object({ detail: Type.String() })

export type MollieAmount = Static<typeof MollieAmount>
export type MolliePayment = Static<typeof MolliePayment>
export type MollieRefund = Static<typeof MollieRefund>
export type MollieCustomer = Static<typeof MollieCustomer>
export type MollieMandate = Static<typeof MollieMandate>

/** The website profile that a key belongs to. */
export const MollieProfile = Type.Object({ name: Type.String() })
