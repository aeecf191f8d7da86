import { followMoneyEvent, recordReport } from './commands.ts'
import { eventRefused } from './errors.ts'
import { callGateway, openGateway, type PaymentWork } from './gateways/commands.ts'
import type { GatewayEvent, WebhookRequest } from './gateways/gateway.ts'
import { GATEWAYS, type GatewayKey } from './gateways/table.facts.ts'
import { findGateway } from './queries.ts'

/** Follows the news in a request of a gateway. Gateways send some of them twice, late, and in any order. */
export async function receiveEvents(
  work: PaymentWork,
  companyId: number,
  key: GatewayKey,
  request: WebhookRequest,
): Promise<void> {
  const { name } = GATEWAYS[key]
  const settings = await findGateway(work.db, companyId, name)
  if (settings?.secrets == null) throw eventRefused()
  const gateway = await openGateway(work, companyId, name)
  const events = await callGateway(name, gateway, ({ readWebhook }) => readWebhook(request))
  if (events === undefined) throw eventRefused()
  for (const event of events) await followEvent(work, companyId, event)
}

async function followEvent({ change, now }: PaymentWork, companyId: number, event: GatewayEvent): Promise<void> {
  await change(async (tx) => {
    if (event.kind === 'report') await recordReport(tx, companyId, event.paymentId, event.report, now())
    else await followMoneyEvent(tx, companyId, event, now())
  })
}
