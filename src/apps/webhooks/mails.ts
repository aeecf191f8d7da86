import { inLine, layOut, list, type Mail, paragraph } from '#platform/mail/layout.ts'

/** Tells the developer of an app that a webhook gets no more events, why, and what to do. */
export function deactivationMail(webhook: {
  id: number
  topic: string
  address: string
  appName: string
  companyName: string
  cause: 'failing' | 'gone'
  reason: string
}): Mail {
  const happened =
    webhook.cause === 'gone'
      ? 'The receiver answered 410 Gone, so the webhook was deactivated at once.'
      : 'Every attempt to deliver an event has failed for 48 hours, so the webhook was deactivated.'
  return layOut({
    subject: `The webhook ${webhook.topic} of ${inLine(webhook.appName)} was deactivated`,
    language: 'en',
    parts: [
      paragraph('Hello,'),
      paragraph(happened),
      list([
        `Webhook: ${webhook.id}, ${webhook.topic}`,
        `Address: ${webhook.address}`,
        `App: ${inLine(webhook.appName)}`,
        `Company: ${inLine(webhook.companyName)}`,
        `Last failure: ${webhook.reason}`,
      ]),
      paragraph(
        `Once the receiver works again, activate the webhook: send PUT /api/webhooks/${webhook.id}.json with {"webhook": {"is_active": true}}. Its events are kept for 30 days and will then be sent.`,
      ),
    ],
  })
}
