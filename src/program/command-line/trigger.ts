import type { Command } from 'commander'
import { changeApp } from '#apps/oauth/apps.commands.ts'
import { findApp, listAllowedApps } from '#apps/oauth/queries.ts'
import { listWebhooks } from '#apps/webhooks/queries.ts'
import { withoutPassword } from '#apps/webhooks/rules.ts'
import type { WebhookState } from '#apps/webhooks/state.ts'
import { findTopic, TOPICS, type Topic } from '#history/events/topics.facts.ts'
import { listCompanies } from '#identity/companies/queries.ts'
import { readCompanyTime } from '#identity/test-clocks/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import { StartError } from '#program/boot/start-error.ts'
import { withDatabase } from '#program/boot/store.ts'
import { companyId, getCompany } from './administration.ts'
import { all } from './company/terms.ts'
import { command, plain, print, type Terminal } from './program.ts'
import { table } from './terminal/table.ts'

type Options = { company?: number; app?: string; json?: boolean }

export function addTrigger(program: Command, terminal: Terminal): void {
  command(program, 'trigger', 'Cause a real event with test data, such as a test order.')
    .argument('<topic>', 'topic of the event, such as order/create')
    .option('--company <id>', 'company in which it happens; the first one if absent', companyId)
    .option('--app <client id>', 'app of app/update; the one that was installed last if absent')
    .action(async (name: string, options: Options) => {
      const topic = readTopic(name)
      const { made, webhooks } = await withDatabase(terminal.config(), async (db) => {
        const company = await chooseCompany(db, options.company)
        const made = await inTransaction(db, (tx) => trigger(tx, company, topic, options.app))
        return { made: made.text, webhooks: await receiversOf(db, company, topic, made.appId) }
      })
      const receivers = webhooks.map(({ id, address }) => ({ id, address: withoutPassword(address) }))
      const text = table(receivers, `No active webhook gets ${topic}. "licet listen" shows events without one.`, {
        Webhook: ({ id }) => id,
        Address: ({ address }) => address,
      })
      print(terminal, options.json, { topic, made, webhooks: receivers }, `${plain(made)}: ${topic}.\n\n${text}`)
    })
}

function readTopic(name: string): Topic {
  const topic = findTopic(name)
  if (topic === undefined) throw new StartError(`There is no topic ${plain(name)}. There are ${TOPICS.join(', ')}.`, 2)
  if (topic === 'app/uninstalled')
    throw new StartError(
      'app/uninstalled would end the access of an app. To cause it for real: licet app remove CLIENT_ID --company ID.',
      2,
    )
  return topic
}

async function chooseCompany(db: Db, wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) {
    await getCompany(db, wanted)
    return wanted
  }
  const [first] = await listCompanies(db, 1)
  if (first === undefined) throw new StartError('There is no company yet. "licet company create" makes one.')
  return first.id
}

/** `appId` says which app alone gets the event. */
async function trigger(
  tx: Tx,
  company: number,
  topic: Topic,
  clientId: string | undefined,
): Promise<{ text: string; appId?: number }> {
  const now = await readCompanyTime(tx, company)
  const { TRIGGERS } = await import('#program/demo/test-events.ts')
  const change = TRIGGERS[topic]
  if (change !== undefined) return { text: await change(tx, { companyId: company, origin: COMMAND_LINE }, now) }
  const app = await chooseApp(tx, company, clientId)
  await changeApp(tx, app.company_id, app.client_id, {}, { userId: null, origin: COMMAND_LINE }, now)
  return { text: `App ${app.client_id}, ${app.name}`, appId: app.id }
}

async function chooseApp(tx: Tx, company: number, clientId: string | undefined) {
  const installed = await listAllowedApps(tx, company)
  const wanted = clientId ?? installed[0]?.client_id
  const app = wanted === undefined ? undefined : await findApp(tx, wanted)
  if (app === undefined || !installed.some(({ app_id }) => app_id === app.id))
    throw new StartError(
      clientId === undefined
        ? `Company ${company} has installed no app.`
        : `Company ${company} has not installed the app ${plain(clientId)}.`,
      2,
    )
  return app
}

/** The webhooks that will get the event. */
async function receiversOf(db: Db, company: number, topic: Topic, appId: number | undefined): Promise<WebhookState[]> {
  const webhooks = await all(listWebhooks(db, { companyId: company, appId }, topic))
  return webhooks.filter(({ is_active }) => is_active)
}
