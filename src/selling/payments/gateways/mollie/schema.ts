import { Type } from 'typebox'
import { Enabled, KeyHint, KeyText, TestMode } from '../settings.schema.ts'

export const MollieSettings = Type.Object({ enabled: Enabled, secret_key_hint: KeyHint, test_mode: TestMode })

export const MollieInput = Type.Object({
  enabled: Type.Optional(Enabled),
  secret_key: Type.Optional(KeyText('API key of the website profile. An empty text removes it.')),
})
