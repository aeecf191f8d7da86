import { Type } from 'typebox'
import { Enabled, KeyHint, KeyText, TestMode } from '../settings.schema.ts'

export const StripeSettings = Type.Object({
  enabled: Enabled,
  secret_key_hint: KeyHint,
  test_mode: TestMode,
  has_webhook_secret: Type.Boolean({ description: 'Is there a signing secret for events?' }),
  webhook_url: Type.String({ description: "Address for the webhook in Stripe's dashboard." }),
})

export const StripeInput = Type.Object({
  enabled: Type.Optional(Enabled),
  secret_key: Type.Optional(KeyText('Secret or restricted key. An empty text removes both secrets.')),
  webhook_secret: Type.Optional(KeyText('Signing secret of the webhook. An empty text removes it.')),
})
