import { addressLimit, takeAttempt } from '#identity/attempts/guard.ts'
import { findWait } from '#identity/attempts/queries.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { followMoneyEvent, recordReport } from './commands.ts'
import { eventRefused, tooMuchNews } from './errors.ts'
import { callGateway, openGateway, type PaymentWork } from './gateways/commands.ts'
import type { GatewayEvent, WebhookRequest } from './gateways/gateway.ts'
import { GATEWAYS, type GatewayKey } from './gateways/table.facts.ts'
import { findGateway } from './queries.ts'

/**
 * Follows the news in a request of a gateway. Gateways send some of them twice, late, and in any order. A gateway that signs
 * nothing is asked about them, so who invents some is made to wait.
 */
export async function receiveEvents(
  work: PaymentWork,
  companyId: number,
  key: GatewayKey,
  request: WebhookRequest,
  address: string,
): Promise<void> {
  const { name, signsNews } = GATEWAYS[key]
  const settings = await findGateway(work.db, companyId, name)
  if (settings?.secrets == null) throw eventRefused()
  const limits = signsNews ? [] : [addressLimit(address, 'payment news')]
  const seconds = signsNews ? 0 : await findWait(work.db, limits, nowInSeconds(work.clock))
  if (seconds > 0) throw tooMuchNews(seconds)
  const gateway = await openGateway(work, companyId, name)
  const events = await callGateway(name, gateway, ({ readWebhook }) => readWebhook(request))
  if (events === undefined) throw eventRefused()
  if (events.length === 0 && !signsNews) await work.change((tx) => takeAttempt(tx, limits, nowInSeconds(work.clock)))
  for (const event of events) await followEvent(work, companyId, event)
}

async function followEvent({ change, now }: PaymentWork, companyId: number, event: GatewayEvent): Promise<void> {
  await change(async (tx) => {
    if (event.kind === 'report') await recordReport(tx, companyId, event.paymentId, event.report, now(companyId))
    else await followMoneyEvent(tx, companyId, event, now(companyId))
  })
}
