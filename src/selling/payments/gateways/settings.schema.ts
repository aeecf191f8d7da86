import { Type } from 'typebox'
import { Text } from '#platform/wire/schema.ts'

const KEY_MAX = 300

export const Enabled = Type.Boolean({ description: 'Do the shops of the company offer it?' })

export const KeyHint = Type.String({ description: 'End of the secret key; empty: there is none.' })

export const TestMode = Type.Boolean({ description: 'Is the key one of the test mode?' })

/** A secret that can be set and not read. */
export const KeyText = (description: string) => Text(KEY_MAX, description)
