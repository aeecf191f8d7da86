import { type Static, Type } from 'typebox'

const second_factor_required = Type.Boolean({
  description:
    'Everybody who works for the company signs in in two steps. Whoever has not set it up is led to do so, and can do nothing else until then.',
})

export const SignInSettings = Type.Object(
  {
    second_factor_required,
    users_without_second_factor: Type.Integer({
      minimum: 0,
      description: 'How many users of the company have not turned two-step sign-in on. Read-only.',
    }),
  },
  { $id: 'SignInSettings' },
)

export const SignInSettingsInput = Type.Object(
  { second_factor_required: Type.Optional(second_factor_required) },
  { $id: 'SignInSettingsInput', examples: [{ second_factor_required: true }] },
)

export type SignInSettings = Static<typeof SignInSettings>
export type SignInSettingsInput = Static<typeof SignInSettingsInput>
