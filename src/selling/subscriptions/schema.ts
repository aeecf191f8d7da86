import { type Static, Type } from 'typebox'
import { Id, nullable, Reference, reference, Text, Time, TimeInput } from '#platform/wire/schema.ts'
import { CHANGES, END_REASONS, STATUSES } from './words.facts.ts'

const TOKEN_MAX = 100
const EMAIL_MAX = 300
const CARD_MAX = 30
const TRIAL_DAYS_MAX = 365

const oneOf = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Unsafe<Words[number]>(Type.String({ enum: [...words], description }))

const Cents = (description: string) => Type.Integer({ minimum: 0, description })

export const Subscription = Type.Object(
  {
    id: Id('Id of the subscription.'),
    customer_token: Type.String({ description: 'Token of the customer.' }),
    email: nullable(
      Type.String({
        description: 'Email address of the customer. Null: the company does not know the customer any more.',
      }),
    ),
    group_id: Type.String({
      description: 'Subscription group that it makes the customer a member of.',
      examples: ['s77'],
    }),
    plan_id: Id('Plan.'),
    status: oneOf(
      STATUSES,
      '`incomplete`: signed up and not paid yet; `trialing`; `active`; `past_due`: the period could not be charged, and is tried again; `paused`; `cancelled`: it runs to the end of what was paid; `ended`.',
    ),
    ended_because: nullable(oneOf(END_REASONS, 'Why it has ended.')),
    gateway: Type.String({ description: 'How periods are paid: `Manual` is a bill.', examples: ['Stripe'] }),
    currency: Type.String({ description: 'Currency of the price.', examples: ['EUR'] }),
    amount: Cents('Price of a period that the customer has agreed to, in cents, as price models have it.'),
    next_amount: nullable(Cents('Another price in cents that the customer was told of; null: the price stays.')),
    next_amount_from: nullable(Time('When the first period begins that costs `next_amount`.')),
    credit: Cents('What is left of an earlier plan, in cents. It makes the next period cheaper.'),
    period: Type.Integer({ minimum: 0, description: 'Number of the period; 0 is the trial.' }),
    period_start: Time('When the period began.'),
    period_end: Time('Until when it is paid.'),
    renewals_left: nullable(Type.Integer({ description: 'How often it still renews; null: until it is cancelled.' })),
    committed_until: nullable(Time('End of the minimum term.')),
    next_plan_id: nullable(Id('Plan of the next period, if it is another one.')),
    ends_at: nullable(Time('When it ends, because somebody has cancelled it.')),
    paused_until: nullable(Time('It is paused from the end of the period until then.')),
    failures: Type.Integer({ minimum: 0, description: 'How often the open period could not be charged.' }),
    next_action_at: nullable(Time('When the service does something next, such as charging the next period.')),
    test: Type.Boolean({ description: 'Its orders are tests.' }),
    created_at: Time('When the customer signed up.'),
    updated_at: Time('When it was last changed.'),
    cancelled_at: nullable(Time('When somebody cancelled it.')),
    ended_at: nullable(Time('When it ended.')),
  },
  { $id: 'Subscription' },
)

export const SubscriptionPeriod = Type.Object(
  {
    id: Id('Id of the period.'),
    number: Type.Integer({ minimum: 0, description: 'Number of the period; 0 is the trial.' }),
    plan_id: Id('Plan.'),
    order_id: Id('Its order.'),
    starts_at: Time('When it begins.'),
    ends_at: Time('When it ends.'),
    credit: Cents('What was credited from an earlier plan, in cents.'),
    status: oneOf(['open', 'paid', 'void'], '`open`: nobody has paid yet; `void`: nobody will.'),
  },
  { $id: 'SubscriptionPeriod' },
)

export const SubscriptionEntry = Type.Object(
  {
    id: Id('Id of the entry.'),
    kind: oneOf(CHANGES, 'What happened.'),
    details: Type.Record(Type.String(), Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'] }), {
      description: 'More about it, such as `order_id`, `plan` or `reason`.',
    }),
    created_at: Time('When it happened.'),
  },
  { $id: 'SubscriptionEntry' },
)

const until = TimeInput('Until when.')

export const SubscriptionInput = Type.Object(
  {
    plan_id: reference(Id('Plan to sign up to.')),
    customer_token: Type.Optional(Text(TOKEN_MAX, 'Token of a customer of the company.')),
    email: Type.Optional(Text(EMAIL_MAX, 'Email address of the customer. Not needed with `customer_token`.')),
    currency: Type.Optional(Type.String({ maxLength: 3, description: 'Currency to pay in.', examples: ['EUR'] })),
    theme_setting_id: Type.Optional(Reference('Shop. Without one it is the first.')),
    paid: Type.Optional(
      Type.Boolean({
        description:
          'The first period was paid by other means, as orders through the API are. Absent: the customer gets a bill, and is a member when it is marked as paid.',
      }),
    ),
    test_card: Type.Optional(
      Text(
        CARD_MAX,
        'Number of a test card, where the shop offers them. It pays the first period and those after it.',
        ['4242424242424242'],
      ),
    ),
    trial_days: Type.Optional(
      Type.Integer({ minimum: 0, maximum: TRIAL_DAYS_MAX, description: 'Free days in place of those of the plan.' }),
    ),
  },
  { $id: 'SubscriptionInput', examples: [{ plan_id: 3, email: 'jane@example.com' }] },
)

export const Cancellation = Type.Object({
  at: Type.Optional(
    oneOf(
      ['period_end', 'now'],
      '`period_end`: at the end of what was paid, or of the minimum term. `now` refunds nothing.',
    ),
  ),
})
export const Pause = Type.Object({ until })
export const Extension = Type.Object({ until })
export const PlanChange = Type.Object({
  plan_id: reference(Id('Another plan of the same group.')),
  at: Type.Optional(
    oneOf(
      ['period_end', 'now'],
      '`period_end`: with the next period. `now`: a period of the new plan begins, and what is left of the running one is credited.',
    ),
  ),
})

const PLAN_CHANGE_TIMES = ['period_end', 'now'] as const

export const PlanChangeQuery = Type.Object({
  plan_id: Type.Optional(
    reference(Id('Another plan of the same group. Without it, the own plan: what its next period would cost.')),
  ),
  at: Type.Optional(oneOf(PLAN_CHANGE_TIMES, 'As in the change itself.')),
})

export const PlannedChange = Type.Object(
  {
    plan_id: Id('The other plan.'),
    at: oneOf(PLAN_CHANGE_TIMES, 'When it would count. A trial runs to its end.'),
    currency: Type.String({ description: 'Currency of the subscription.', examples: ['EUR'] }),
    amount: Cents('Price of a period of the plan, in cents, as price models have it.'),
    credit: Cents('What would be left of the running plan and make the first period cheaper.'),
    total: Cents('What the first period would cost, with tax and less the credit.'),
    starts_at: Time('When the first period would begin, and be charged.'),
    ends_at: Time('When it would end.'),
    committed_until: nullable(Time('End of the minimum term that would hold then.')),
    renewals: nullable(Type.Integer({ description: 'How often it would renew; null: until it is cancelled.' })),
  },
  { $id: 'PlannedChange' },
)

export const SubscriptionFilters = Type.Object({
  q: Type.Optional(
    Text(EMAIL_MAX, 'Only those of customers whose name or email address begins with this text.', ['jane@']),
  ),
  status: Type.Optional(oneOf(STATUSES, 'Only those in this state.')),
  group_id: Type.Optional(Text(30, 'Only those of this group.', ['s77'])),
  plan_id: Type.Optional(reference(Id('Only those of this plan.'))),
  customer_token: Type.Optional(Text(TOKEN_MAX, 'Only those of this customer.')),
  order_id: Type.Optional(reference(Id('Only the one of which this order is a period.'))),
  renews_before: Type.Optional(TimeInput('Only those whose period ends before this time.')),
})

export type Subscription = Static<typeof Subscription>
export type SubscriptionPeriod = Static<typeof SubscriptionPeriod>
export type SubscriptionEntry = Static<typeof SubscriptionEntry>
export type SubscriptionInput = Static<typeof SubscriptionInput>
export type PlannedChange = Static<typeof PlannedChange>
export type SubscriptionFilters = Static<typeof SubscriptionFilters>
