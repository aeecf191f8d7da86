import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Webhooks')

export const webhookNotFound = defineProblem<string>('webhook_not_found', {
  code: 'not_found',
  message: (id) => `There is no webhook ${id}.`,
  when: 'The webhook does not exist, was deleted, or belongs to another company or another app.',
  remedy: 'Read the list of webhooks for their ids.',
})

export const deliveryNotFound = defineProblem<string>('delivery_not_found', {
  code: 'not_found',
  message: (id) => `There is no delivery ${id} of this webhook.`,
  when: 'The delivery does not exist, is older than 30 days, or belongs to another webhook.',
  remedy: 'Read the list of deliveries for their ids.',
})

export const appUnknown = defineFault('webhook_app_unknown', {
  message: 'is no app that the company has let in or registered',
  when: 'A user creates a webhook for an app that neither acts for the company nor belongs to it.',
  remedy: 'Read the lists of apps for their ids, or let the app in first.',
})

export const addressInvalid = defineFault('webhook_address_invalid', {
  message: 'must be an http or https address',
  when: 'The address of a webhook is not an http or https address to which events can be posted.',
  remedy: 'Send a whole address, such as `https://app.example.com/hooks`.',
})

export const spellingsDiffer = defineFault<string>('spellings_differ', {
  message: (name) => `differs from ${name}, which means the same`,
  when: 'A body has both spellings of an attribute, with different values.',
  remedy: 'Send one of the two spellings.',
})

export const webhookTaken = defineFault('webhook_taken', {
  message: 'is the address of another webhook of the app with this topic',
  when: 'A change would make two webhooks of an app the same.',
  remedy: 'Delete one of the two webhooks, or choose another address or topic.',
})

export const tooManyWebhooks = defineProblem<number>('too_many_webhooks', {
  code: 'validation_failed',
  message: (maximum) => `The app has ${maximum} webhooks at this company, which is the maximum.`,
  when: 'An app creates more webhooks for one company than it may have.',
  remedy: 'Delete webhooks that are no longer needed.',
})

export const replayUndecided = defineProblem<void>('replay_undecided', {
  code: 'validation_failed',
  message: 'Say which deliveries to send again: "state": "failed", or a time range with "from" and "to".',
  when: 'A replay names neither a state nor a time range, so that a misspelt key replays nothing.',
  remedy: 'Send `{"replay": {"state": "failed"}}` or `{"replay": {"from": "…", "to": "…"}}`.',
})

export const tooManyStreams = defineProblem<number>('too_many_streams', {
  code: 'rate_limited',
  message: (maximum) => `The app has ${maximum} streams of events open for this company, which is the maximum.`,
  headers: () => ({ 'retry-after': '10' }),
  when: 'The app has as many streams of events open for the company as it may have.',
  remedy: 'Close a stream that is no longer needed, or receive events with a webhook.',
})

export const appWithoutSecret = defineProblem('app_without_secret', {
  code: 'validation_failed',
  message: 'The app has no secret that can sign events. Give it a new one: licet app rotate.',
  when: 'The app was registered before secrets could sign events.',
  remedy: 'Give the app a new secret with `licet app rotate`.',
})

export const syncWebhookFixed = defineProblem('sync_webhook_fixed', {
  code: 'conflict',
  message:
    'This webhook carries data change sync. Its address is the data change sync URL of the app: change that instead.',
  when: 'A webhook that carries data change sync is deleted, or gets another topic or address.',
  remedy: 'Change or remove the data change sync URL of the app with `licet app change`. `is_active` can be changed.',
})
