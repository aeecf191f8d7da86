import { type Command, InvalidArgumentError } from 'commander'
import { openSecret } from '#apps/oauth/apps.commands.ts'
import { findOwnApp } from '#apps/oauth/queries.ts'
import { getSealedSecrets } from '#apps/webhooks/listening/queries.ts'
import { findTopic, TOPICS } from '#history/events/topics.facts.ts'
import { listCompanies } from '#identity/companies/queries.ts'
import type { Db } from '#platform/db/database.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { createOutbound, type Outbound } from '#platform/outbound/outbound.ts'
import type { Config } from '#platform/settings/config.ts'
import { whenInterrupted } from '#program/boot/interrupt.ts'
import { StartError } from '#program/boot/start-error.ts'
import { withDatabase } from '#program/boot/store.ts'
import { companyId } from './administration.ts'
import { makeToken, OWN_APP } from './company/apps.ts'
import { ownAddress } from './company/users.ts'
import { followEvents, type StreamedEvent } from './event-source.ts'
import { command, localTime, plain, type Terminal } from './program.ts'

type ListenOptions = {
  forwardTo: string
  url?: string
  token?: string
  topics?: string
  company?: number
  json?: boolean
}

/** A developer may forward to any address of the own machine and network. */
const EVERYWHERE = { loopback: true, networks: ['0.0.0.0/0', '::/0'] }

const TOKEN_SECONDS = 86_400

function webAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('It must be an address such as http://localhost:8080/hook.')
  return text
}

function topicList(text: string): string {
  const names = text.split(',').map((name) => {
    const topic = findTopic(name)
    if (topic === undefined)
      throw new InvalidArgumentError(`There is no topic ${name.trim()}; there are ${TOPICS.join(', ')}.`)
    return topic
  })
  return names.join(',')
}

export function addListen(program: Command, terminal: Terminal): void {
  command(program, 'listen', 'Forward events as they happen to an address of yours, such as one under development.')
    .requiredOption('--forward-to <address>', 'where events are posted to', webAddress)
    .option('--url <address>', 'service to listen to; the one of this installation if absent', webAddress)
    .option('--token <token>', 'access token with the scope webhooks; LICET_TOKEN if absent')
    .option('--topics <topics>', 'comma-separated, such as order/create; all if absent', topicList)
    .option('--company <id>', 'without a token: company whose events to forward; the first one if absent', companyId)
    .action(async (options: ListenOptions) => {
      const stopping = new AbortController()
      const source = await chooseSource(terminal, options)
      // Set after the database was used, which has a reaction of its own.
      whenInterrupted(async () => stopping.abort(), 'stay')
      await listen(terminal, source, options, stopping.signal)
    })
}

/** The service to listen to, and how to get a token for it. */
export type Source = {
  url: string
  token: (isRefused: boolean) => Promise<string | undefined>
  /** Lines about the source for the reader. */
  facts: string[]
}

async function chooseSource(terminal: Terminal, { url, token, company }: ListenOptions): Promise<Source> {
  const config = terminal.config()
  const given = token ?? config.token
  const address = url ?? ownAddress(config)
  if (given !== undefined)
    return {
      url: address,
      token: async (isRefused) => (isRefused ? undefined : given),
      facts: ['Events are signed with the secret of the app that the token belongs to.'],
    }
  if (url !== undefined) throw new StartError('Another service needs --token, or LICET_TOKEN.', 2)
  return ownSource(config, address, company)
}

/** The operator of this installation needs no token: the command line has an app of its own, whose secret it shows. */
async function ownSource(config: Config, url: string, wanted: number | undefined): Promise<Source> {
  const { company, secret, ...first } = await withDatabase(config, async (db, vault) => {
    const company = wanted ?? (await listCompanies(db, 1))[0]?.id
    if (company === undefined) throw new StartError('There is no company yet. "licet company create" makes one.')
    // The first token creates the app.
    const token = await issue(db, vault, company)
    const app = await findOwnApp(db, company, OWN_APP)
    const { sealed_secret } = await getSealedSecrets(db, app?.id ?? 0)
    return { company, token, secret: sealed_secret === null ? undefined : openSecret(vault, sealed_secret) }
  })
  let { token } = first
  return {
    url,
    token: async (isRefused) => {
      if (isRefused) token = await withDatabase(config, (db, vault) => issue(db, vault, company))
      return token
    },
    facts: [`Company ${company}.`, ...(secret === undefined ? [] : [`Events are signed with the secret ${secret}`])],
  }
}

function issue(db: Db, vault: Vault, company: number): Promise<string> {
  return makeToken(db, vault, { company, scope: ['webhooks'], expiresIn: TOKEN_SECONDS })
}

/** Forwards events until the signal. */
export async function listen(
  terminal: Terminal,
  { url, token, facts }: Source,
  { forwardTo, topics = '', json }: Pick<ListenOptions, 'forwardTo' | 'topics' | 'json'>,
  signal: AbortSignal,
): Promise<void> {
  const outbound = createOutbound({ allowed: EVERYWHERE })
  const say = (text: string) => (json === true ? terminal.err(text) : terminal.out(text))
  let isConnected = false
  const connected = () => {
    if (isConnected) say('Connected again.')
    else say([`Forwarding events of ${url} to ${forwardTo}. Ctrl-C stops it.`, ...facts].join('\n'))
    isConnected = true
  }
  const lost = (reason: string, seconds: number) =>
    say(plain(`${url} cannot be reached: ${reason}. Trying again in ${seconds} s.`))
  try {
    for await (const event of followEvents({ outbound, url, topics, token, signal, connected, lost }))
      await forward(terminal, outbound, forwardTo, event, json)
  } finally {
    await outbound.close()
  }
}

/** Posts an event once. One that the receiver refuses is shown, and not sent again. */
async function forward(
  terminal: Terminal,
  outbound: Outbound,
  address: string,
  event: StreamedEvent,
  json: boolean | undefined,
): Promise<void> {
  const { status, durationMs, failure } = await outbound.post(address, event)
  const { scope, data } = readBody(event.body)
  const ms = Math.round(durationMs)
  const entry = {
    id: Number(event.id),
    topic: scope,
    data,
    status: status ?? null,
    ms,
    failure: failure?.reason ?? null,
  }
  const time = localTime(new Date()).slice(-8)
  const outcome = failure === undefined ? `${status}  ${ms} ms` : `failed  ${failure.reason}`
  const text = plain(`${time}  ${event.headers['webhook-id']}  ${scope} ${data.id}  ${outcome}`)
  terminal.out(json === true ? JSON.stringify(entry) : text)
}

function readBody(body: string): { scope: string; data: Record<string, string> } {
  return JSON.parse(body)
}
