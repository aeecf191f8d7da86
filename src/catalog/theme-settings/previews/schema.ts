import { Type } from 'typebox'
import { Time } from '#platform/wire/schema.ts'

export const ThemePreview = Type.Object(
  {
    url: Type.String({
      description: 'Address of the home page of the preview. Whoever has it sees the preview.',
      examples: ['https://licet.example.com/shop/1000~k3Jq…/'],
    }),
    expires_at: Time('When the preview ends.'),
  },
  { $id: 'ThemePreview' },
)
