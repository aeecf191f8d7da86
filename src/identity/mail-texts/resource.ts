import type { Resource } from '#platform/resource.ts'
import { mailTextRoutes } from './routes.ts'
import { MailKind, MailTexts } from './schema.ts'

export const mailTexts: Resource = {
  tags: [{ name: 'Mails', description: 'The mails that customers get: their texts, and what was sent.' }],
  schemas: [MailKind, MailTexts],
  routes: [mailTextRoutes],
}
