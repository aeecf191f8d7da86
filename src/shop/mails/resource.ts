import type { Resource } from '#platform/resource.ts'
import { mailRoutes } from './routes.ts'
import { Mail, MailPreview, PreviewInput, RefusedRecipient, SentTest, WholeMail } from './schema.ts'

export const mails: Resource = {
  schemas: [Mail, WholeMail, PreviewInput, MailPreview, RefusedRecipient, SentTest],
  routes: [mailRoutes],
}
