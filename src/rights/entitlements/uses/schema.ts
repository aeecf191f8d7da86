import { type Static, Type } from 'typebox'
import { Id, nullable, Text, Time } from '#platform/wire/schema.ts'
import { Action } from '../schema.ts'

export const Use = Type.Object(
  {
    id: Id('Id of the entry.'),
    created_at: Time('When it was asked for.'),
    kind: Type.Unsafe<'use' | 'check'>({
      type: 'string',
      enum: ['use', 'check'],
      description: '`use` counts, `check` only asks.',
    }),
    action: Action('What was asked for.'),
    allowed: Type.Boolean({ description: 'Was it allowed?' }),
    code: Text(100, '`allowed`, or why not.'),
    device: nullable(Text(200, 'The device, as the player named it.')),
    country: nullable(Text(100, 'Where the customer was, as the player said.')),
    client_time: nullable(Time('The time on the device.')),
    app_id: Type.Integer({ minimum: 0, description: 'The app that asked; 0: a user or the service itself.' }),
  },
  { $id: 'Use' },
)

export const Refusal = Type.Object(
  {
    ...Use.properties,
    entitlement_id: Id('The entitlement.'),
    title: Text(1000, 'Title of the product when it was acquired.'),
  },
  { $id: 'Refusal' },
)

export type Use = Static<typeof Use>
export type Refusal = Static<typeof Refusal>
