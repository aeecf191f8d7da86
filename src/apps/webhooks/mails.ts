import { inLine, layOut, list, type Mail, paragraph } from '#platform/mail/layout.ts'
import { translatorOf } from '#platform/text/messages.ts'

/** Tells the developer of an app that a webhook gets no more events, why, and what to do. */
export function deactivationMail(
  language: string,
  webhook: {
    id: number
    topic: string
    address: string
    appName: string
    companyName: string
    cause: 'failing' | 'gone'
    reason: string
  },
): Mail {
  const t = translatorOf(language)
  const { id, topic, address, cause, reason } = webhook
  const app = inLine(webhook.appName)
  const remedy = { request: `PUT /api/webhooks/${id}.json`, body: '{"webhook": {"is_active": true}}' }
  return layOut({
    subject: t('mails.webhook.subject', { topic, app }),
    language: t.language,
    parts: [
      paragraph(t('mails.common.hello')),
      paragraph(t(`mails.webhook.${cause}`)),
      list([
        t('mails.webhook.details.webhook', { id, topic }),
        t('mails.webhook.details.address', { address }),
        t('mails.webhook.details.app', { app }),
        t('mails.webhook.details.company', { company: inLine(webhook.companyName) }),
        t('mails.webhook.details.failure', { reason }),
      ]),
      paragraph(t('mails.webhook.remedy', remedy)),
    ],
  })
}
