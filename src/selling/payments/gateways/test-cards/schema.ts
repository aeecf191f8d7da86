import { Type } from 'typebox'
import { Enabled } from '../settings.schema.ts'

export const TestSettings = Type.Object({ enabled: Enabled })

export const TestInput = Type.Object({ enabled: Type.Optional(Enabled) })
