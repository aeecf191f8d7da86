import type { Resource } from '#platform/resource.ts'
import { mailRoutes } from './routes.ts'
import { Mail, MailPreview, RefusedRecipient, SentTest, WholeMail } from './schema.ts'

export const mails: Resource = {
  schemas: [Mail, WholeMail, MailPreview, RefusedRecipient, SentTest],
  routes: [mailRoutes],
}
