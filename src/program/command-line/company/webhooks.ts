import type { Command } from 'commander'
import { deleteWebhook, updateWebhook } from '#apps/webhooks/commands.ts'
import { replayDeliveries, replayDelivery, sendTest } from '#apps/webhooks/deliveries/commands.ts'
import { presentDelivery } from '#apps/webhooks/deliveries/present.ts'
import { latestDeliveries } from '#apps/webhooks/deliveries/queries.ts'
import type { Delivery } from '#apps/webhooks/deliveries/schema.ts'
import { presentWebhook } from '#apps/webhooks/present.ts'
import { getWebhook, listWebhooks } from '#apps/webhooks/queries.ts'
import { withoutPassword } from '#apps/webhooks/rules.ts'
import type { WebhookOwner, WebhookState } from '#apps/webhooks/state.ts'
import { parseTime } from '#platform/wire/times.ts'
import { StartError } from '#program/boot/start-error.ts'
import { companyId } from '../administration.ts'
import { command, localTime, plain, print, type Terminal, wholeNumber } from '../program.ts'
import { table } from '../terminal/table.ts'
import { all, change, group, type Options, read } from './terms.ts'

const LIMIT = 20
const LIMIT_MAX = 10_000

/** The operator sees the webhooks of every app. */
const ofEveryApp = (company: number): WebhookOwner => ({ companyId: company, appId: undefined })

function ofCompany(parent: Command, name: string, description: string): Command {
  return command(parent, name, description).requiredOption('--company <id>', 'company whose events it gets', companyId)
}

/** Commands about one webhook. */
function ofWebhook(parent: Command, name: string, description: string): Command {
  return ofCompany(parent, name, description).argument('<id>', 'id of the webhook')
}

/** A webhook that is tried again by itself is not one that waits for somebody to activate it. */
function stateOf({ is_active, inactive_reason, failures }: WebhookState): string {
  if (is_active) return failures > 0 ? 'retrying' : 'active'
  return inactive_reason === 'paused' ? inactive_reason : `deactivated (${inactive_reason})`
}

function inWords(webhook: WebhookState): string {
  return plain(`Webhook ${webhook.id}, ${webhook.topic} to ${withoutPassword(webhook.address)}: ${stateOf(webhook)}.`)
}

const localTimeOf = (text: string | null) => (text === null ? '' : localTime(parseTime(text) ?? new Date(0)))

function deliveryTable(deliveries: readonly Delivery[], none: string): string {
  return table(deliveries, none, {
    Id: ({ id }) => id,
    Queued: ({ created_at }) => localTimeOf(created_at),
    Topic: ({ topic }) => topic,
    Resource: ({ data }) => String(data.id ?? data.customer_token ?? ''),
    State: ({ state }) => state,
    Attempts: ({ attempts }) => attempts.length,
    Status: ({ attempts }) => attempts.at(-1)?.status ?? '',
    ms: ({ attempts }) => attempts.at(-1)?.duration_ms ?? '',
    'Next attempt': ({ next_attempt_at }) => localTimeOf(next_attempt_at),
    Failure: ({ attempts }) => attempts.at(-1)?.reason ?? '',
  })
}

type Wanted = { company: number; failed?: boolean; limit: number }

function readWebhook(
  terminal: Terminal,
  id: string,
  { company, failed, limit }: Wanted,
): Promise<{ row: WebhookState; deliveries: Delivery[] }> {
  return read(terminal, company, async (db) => {
    const row = await getWebhook(db, ofEveryApp(company), id)
    const latest = await latestDeliveries(db, row, limit, failed === true ? 'failed' : undefined)
    return { row, deliveries: latest.map((delivery) => presentDelivery(delivery, row)) }
  })
}

export function addWebhooks(program: Command, terminal: Terminal): void {
  const webhooks = group(program, 'webhooks', 'The webhooks of a company, and their deliveries.')

  ofCompany(webhooks, 'list', 'List the webhooks of a company, of every app.')
    .option('--topic <topic>', 'only those with this topic')
    .action(async ({ company, topic, json }: Options & { topic?: string }) => {
      const rows = await read(terminal, company, (db) => all(listWebhooks(db, ofEveryApp(company), topic)))
      const text = table(rows, 'The company has no webhooks. Apps create them with POST /api/webhooks.json.', {
        Id: ({ id }) => id,
        App: ({ app_id }) => app_id,
        Topic: ({ topic }) => topic,
        Address: ({ address }) => withoutPassword(address),
        State: stateOf,
        Failures: ({ failures }) => failures,
      })
      print(terminal, json, { webhooks: rows.map(presentWebhook) }, text)
    })

  ofWebhook(webhooks, 'show', 'Show a webhook and its latest deliveries.').action(
    async (id: string, { company, json }: Options) => {
      const { row, deliveries } = await readWebhook(terminal, id, { company, limit: 5 })
      const webhook = presentWebhook(row)
      const facts = [
        inWords(row),
        ...(webhook.failing_since === null ? [] : [`Failing since ${localTimeOf(webhook.failing_since)}.`]),
        ...(webhook.next_attempt_at === null ? [] : [`Next attempt ${localTimeOf(webhook.next_attempt_at)}.`]),
      ]
      const text = [...facts, '', deliveryTable(deliveries, 'It has no deliveries of the last 30 days.')].join('\n')
      print(terminal, json, { webhook, deliveries }, text)
    },
  )

  ofWebhook(webhooks, 'deliveries', 'List the latest deliveries of a webhook, newest first.')
    .option('--failed', 'only those that were given up')
    .option('--limit <number>', 'list at most so many', wholeNumber(1, LIMIT_MAX), LIMIT)
    .action(async (id: string, options: Options & { failed?: boolean; limit: number }) => {
      const { deliveries } = await readWebhook(terminal, id, options)
      print(terminal, options.json, { deliveries }, deliveryTable(deliveries, 'There are no such deliveries.'))
    })

  addReplay(webhooks, terminal)

  ofWebhook(webhooks, 'test', 'Send a webhook a made-up event.')
    .option('--topic <topic>', 'topic of the event; that of the webhook if absent')
    .action(async (id: string, { company, topic, json }: Options & { topic?: string }) => {
      const { state } = await change(terminal, company, (tx, author, now) =>
        sendTest(tx, author, ofEveryApp(company), id, topic === undefined ? {} : { topic }, now),
      )
      const text = `Delivery ${state.id} with a made-up ${state.topic} is queued.`
      print(terminal, json, { delivery_id: state.id, topic: state.topic }, text)
    })

  for (const [name, is_active, description] of [
    ['pause', false, 'Pause a webhook. Its events are kept for 30 days.'],
    ['resume', true, 'Activate a webhook, and send it what has waited.'],
  ] as const)
    ofWebhook(webhooks, name, description).action(async (id: string, { company, json }: Options) => {
      const { state } = await change(terminal, company, (tx, author, now) =>
        updateWebhook(tx, author, ofEveryApp(company), id, { is_active }, now),
      )
      print(terminal, json, { webhook: presentWebhook(state) }, inWords(state))
    })

  ofWebhook(webhooks, 'delete', 'Delete a webhook. What waits for it is not sent.').action(
    async (id: string, { company, json }: Options) => {
      await change(terminal, company, (tx, author, now) => deleteWebhook(tx, author, ofEveryApp(company), id, now))
      print(terminal, json, { deleted: true }, 'The webhook is deleted.')
    },
  )
}

type Replay = Options & { delivery?: number; failed?: boolean; from?: string; to?: string }

function addReplay(webhooks: Command, terminal: Terminal): void {
  ofWebhook(webhooks, 'replay', 'Send deliveries again, with the same ids.')
    .option('--delivery <id>', 'this one', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--failed', 'all that were given up')
    .option('--from <time>', 'all that were queued at or after this time (UTC), such as 2031-06-01T14:00')
    .option('--to <time>', 'all that were queued at or before this time (UTC)')
    .action(async (id: string, options: Replay) => {
      const replayed = await replay(terminal, id, options)
      const text = replayed === 1 ? '1 delivery is sent again.' : `${replayed} deliveries are sent again.`
      print(terminal, options.json, { replayed }, text)
    })
}

async function replay(
  terminal: Terminal,
  id: string,
  { company, delivery, failed, from, to }: Replay,
): Promise<number> {
  for (const time of [from, to])
    if (time !== undefined && parseTime(time) === undefined)
      throw new StartError(`"${plain(time)}" is no time. Write it as 2031-06-01T14:00.`, 2)
  const isRange = failed === true || from !== undefined || to !== undefined
  if ((delivery !== undefined) === isRange)
    throw new StartError('Name --delivery, or --failed, or a time range with --from and --to.', 2)
  const owner = ofEveryApp(company)
  return change(terminal, company, async (tx, author, now) => {
    if (delivery !== undefined) {
      await replayDelivery(tx, author, owner, id, String(delivery), now)
      return 1
    }
    const which = {
      ...(failed === true ? { state: 'failed' as const } : {}),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    }
    return (await replayDeliveries(tx, author, owner, id, which, now)).state
  })
}
