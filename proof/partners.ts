import { setTimeout as sleep } from 'node:timers/promises'
import { atCleanUp } from '#bench/processes.ts'
import { startDatabase } from './database.ts'
import { type Finding, figure, holds, type Part, type Scale } from './findings.ts'
import { startGateway } from './load/gateway.ts'
import { onStage, type Stage } from './load/run.ts'
import { startTraffic } from './load/traffic.ts'
import { workerFor } from './load/worker.ts'
import { startInFront } from './partners/gateway.ts'
import { BAD_MAIL_MOODS, startMoodyMail } from './partners/mail.ts'
import { BAD_MOODS } from './partners/moods.ts'
import { startReceiver } from './partners/receiver.ts'
import { compareLeft, patienceMs, subscribe, untilLeft } from './partners/verify.ts'

/** A mail is given up after 36 minutes; the faults have to be over by then. */
const ROUNDS_MAX = 5

type Times = { perSecond: number; checkoutsPerSecond: number; badMs: number; goodMs: number }

const LONG: Times = { perSecond: 20, checkoutsPerSecond: 0.5, badMs: 20_000, goodMs: 60_000 }
const SHORT: Times = { perSecond: 8, checkoutsPerSecond: 2, badMs: 700, goodMs: 0 }

/** Its short form is proof/partners.test.ts. */
export const partners: Part = {
  title: 'Partners that fail under load',
  about: `While the mix of a working shop comes, the servers of others fail, each in turn and in every way: the receiver of an app, a
gateway that speaks Mollie's API, and a mail server. They hang, answer 500, break the connection before and in the middle of an answer,
answer nonsense or a page instead of JSON, and take a mail that they say they refuse; they have done what they were asked for nevertheless.
The gateway sends some of its news twice, and all of it until it is acknowledged, and guests press the button of the checkout again. Then
all of them work again. At the end, what is stored is compared with the ledger of the load and with those of the partners: each order once,
each charge once and with its payment and invoice, each event at each receiver once it was acknowledged never again, and each mail.`,
  async prove(scale) {
    const own = await startPartners()
    const options = {
      ...(scale.isShort ? { films: 2, customers: 2, rare: 5 } : { films: 5, customers: 10, rare: 100 }),
      gateway: own.started,
      settings: {
        LICET_MOLLIE_URL: own.gateway.url,
        LICET_SMTP_URL: own.mail.url,
        LICET_MAIL_FROM: 'shop@example.com',
      },
      worker: workerFor(scale),
      pressesMax: 3,
    }
    return onStage(await startDatabase(), options, (stage) => prove(stage, own, scale))
  },
}

type Partners = Awaited<ReturnType<typeof startPartners>>

async function startPartners() {
  const started = await startGateway()
  const gateway = await startInFront(started.mollie.url)
  const [failing, working] = [await startReceiver(), await startReceiver()]
  const mail = await startMoodyMail()
  atCleanUp(async () => {
    for (const { stop } of [gateway, failing.server, working.server]) stop()
    await mail.stop()
  })
  return { started, gateway, mail, receivers: { fails: failing, works: working } }
}

async function prove(stage: Stage, own: Partners, scale: Scale): Promise<Finding[]> {
  const times = scale.isShort ? SHORT : LONG
  for (const { server } of Object.values(own.receivers)) await subscribe(stage, server.url)
  const traffic = [
    startTraffic(stage.requests, times.perSecond),
    startTraffic(stage.requests, times.checkoutsPerSecond, 'checkout'),
  ]
  const faults = scale.isShort ? await failTogether(own, times) : await failInTurn(own, times, scale)
  await Promise.all(traffic.map(({ stop }) => stop()))
  scale.onProgress(`${faults} faults, ${stage.ledger.orders.length} orders asked for`)
  const { companyId } = stage.shop
  await stage.gateway.told()
  await untilLeft(stage.store.db, companyId, patienceMs(scale))
  const left = await compareLeft(stage.store.db, companyId, own)
  const mistakes = [...(await stage.settle()), ...left.mistakes]
  for (const { what, found, expected } of mistakes)
    scale.onProgress(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
  const { orders } = stage.ledger
  const charges = orders.filter(({ charge }) => charge !== undefined)
  const arrivals = own.receivers.fails.arrivals.length
  return [
    figure('Faults of partners', faults, ''),
    figure('Orders asked for', orders.length, ''),
    figure(
      'Orders of guests that nobody could pay',
      orders.filter(({ way, fate }) => way === 'checkout' && fate === 'unknown').length,
      '',
    ),
    figure('Charges at the gateway', charges.length, ''),
    figure('Events for each receiver', left.events, ''),
    figure('Requests to the receiver that fails', arrivals, ''),
    figure('Mails', left.mails, ''),
    holds('Each order, charge, event and mail is there as often as it was promised', mistakes.length === 0),
  ]
}

/** All partners fail at once, in one way after the other. */
async function failTogether({ gateway, mail, receivers }: Partners, { badMs }: Times): Promise<number> {
  const servers = [gateway, receivers.fails.server]
  for (const [index, mood] of BAD_MOODS.entries()) {
    for (const server of servers) server.become(mood)
    mail.become(BAD_MAIL_MOODS[index % BAD_MAIL_MOODS.length] ?? 'works')
    await sleep(badMs)
  }
  for (const server of servers) server.become('works')
  mail.become('works')
  return BAD_MOODS.length * (servers.length + 1)
}

/** One partner fails, in each way, and then the next, with a pause after each round. */
async function failInTurn({ gateway, mail, receivers }: Partners, times: Times, scale: Scale): Promise<number> {
  const rounds = Math.min(scale.rounds, ROUNDS_MAX)
  let faults = 0
  for (let round = 1; round <= rounds; round += 1) {
    for (const server of [gateway, receivers.fails.server]) {
      for (const mood of BAD_MOODS) {
        server.become(mood)
        faults += 1
        await sleep(times.badMs)
      }
      server.become('works')
    }
    for (const mood of BAD_MAIL_MOODS) {
      mail.become(mood)
      faults += 1
      await sleep(times.badMs)
    }
    mail.become('works')
    await sleep(times.goodMs)
    scale.onProgress(`${round} rounds of faults`)
  }
  return faults
}
