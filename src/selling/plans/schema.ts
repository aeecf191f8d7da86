import { type Static, Type } from 'typebox'
import { LanguageReference } from '#catalog/theme-settings/home/schema.ts'
import { Id, nullable, optional, reference, Text, Time } from '#platform/wire/schema.ts'
import type { Interval } from './state.ts'

const TITLE_MAX = 100
const DESCRIPTION_MAX = 2000
const LOCALES_MAX = 100
const GROUP_ID_MAX = 30

const INTERVALS = ['week', 'month', 'quarter', 'year'] as const satisfies readonly Interval[]

const Whole = (minimum: number, maximum: number, description: string, example: number) =>
  Type.Integer({ minimum, maximum, description, examples: [example] })

const texts = {
  title: Text(TITLE_MAX, 'Name that customers see.', ['Monthly']),
  description: Text(DESCRIPTION_MAX, 'What subscribers get, in a few sentences.'),
}
const group_id = Text(GROUP_ID_MAX, 'Subscription group that it sells. It cannot be changed.', ['s77'])
const price_id = Id('Price model: what each period costs.')
const interval = Type.Unsafe<Interval>(
  Type.String({ enum: [...INTERVALS], description: 'What periods are counted in. It cannot be changed.' }),
)
const interval_count = Whole(1, 52, 'A period is so many intervals. It cannot be changed.', 1)
const terms = {
  trial_days: Whole(0, 365, 'Free days before the first period.', 7),
  minimum_periods: Whole(
    0,
    120,
    'A cancellation counts from the end of as many periods; 0: from the end of the running one.',
    0,
  ),
  renewals: nullable(
    Whole(0, 1000, 'How often it renews; null: until somebody cancels it, 0: not at all, one period only.', 11),
  ),
  pausable: Type.Boolean({ description: 'Subscribers can pause.', default: true }),
  valid: Type.Boolean({
    description: 'False: nobody can sign up any more. Running subscriptions go on.',
    default: true,
  }),
}

export const Plan = Type.Object(
  {
    id: Id('Id of the plan. Read-only.'),
    group_id,
    ...texts,
    locales: Type.Array(
      Type.Object({ language_id: Type.String({ description: 'Code of the language.', examples: ['de'] }), ...texts }),
      { description: 'Texts in other languages.' },
    ),
    price_id,
    interval,
    interval_count,
    ...terms,
    product_id: Type.String({
      description: 'What lines of orders call it. No product has this code. Read-only.',
      examples: ['3F2A-91C0-77DE-04B8'],
    }),
    created_at: Time('When it was created. Read-only.'),
    updated_at: Time('When it was last changed. Read-only.'),
  },
  { $id: 'Plan' },
)

const changeable = {
  description: Type.Optional(texts.description),
  locales: Type.Optional(
    Type.Array(
      Type.Object({
        language_id: LanguageReference,
        title: texts.title,
        description: Type.Optional(texts.description),
      }),
      { maxItems: LOCALES_MAX, description: 'Texts in other languages. Replaces them.' },
    ),
  ),
  ...optional(terms),
}

export const PlanInput = Type.Object(
  {
    group_id: reference(group_id),
    title: texts.title,
    price_id: reference(price_id),
    interval,
    interval_count: Type.Optional({ ...interval_count, default: 1 }),
    ...changeable,
  },
  {
    $id: 'PlanInput',
    examples: [{ group_id: 's77', title: 'Monthly', price_id: 12, interval: 'month', trial_days: 7 }],
  },
)

export const PlanChange = Type.Object(
  {
    group_id: Type.Optional(reference(group_id)),
    title: Type.Optional(texts.title),
    price_id: Type.Optional(reference(price_id)),
    interval: Type.Optional(interval),
    interval_count: Type.Optional(interval_count),
    ...changeable,
  },
  { $id: 'PlanChange', examples: [{ valid: false }] },
)

export type Plan = Static<typeof Plan>
export type PlanInput = Static<typeof PlanInput>
export type PlanChange = Static<typeof PlanChange>
