import type { Claimed, DueDelivery } from './claims.commands.ts'
import type { Round } from './round.worker.ts'

export function byReceiver(claimed: readonly Claimed[]): Claimed[][] {
  return [...Map.groupBy(claimed, ({ company_id, receiver }) => `${company_id} ${receiver}`).values()]
}

/** The companies that have so many rounds under way. */
export function companiesWith(rounds: ReadonlyMap<Round, unknown>, count: number): number[] {
  const companies = Map.groupBy(rounds.keys(), ({ webhooks }) => webhooks[0]?.company_id ?? 0)
  return [...companies].filter(([, ofCompany]) => ofCompany.length >= count).map(([id]) => id)
}

/**
 * What was read for the webhooks of one receiver. Of a webhook that has more, the rest is not known, so others get nothing
 * that is younger than what was read of it.
 */
export function roundOf(webhooks: Claimed[], due: ReadonlyMap<number, DueDelivery[]>, limit: number): Round {
  const read = webhooks.map(({ id }) => due.get(id) ?? [])
  const horizon = Math.min(...read.filter(({ length }) => length === limit).map(lastId))
  const all = read.flat()
  const deliveries = all.filter(({ id }) => id <= horizon)
  const later = all.filter(({ id }) => id > horizon)
  const cut = read.filter(({ length }) => length === limit).flat()
  return {
    webhooks,
    deliveries,
    unread: new Set([...later, ...cut].map(({ webhook_id }) => webhook_id)),
    isFailing: false,
  }
}

/** The youngest of those that were not tried before; they are read first, in the order of their ids. */
function lastId(deliveries: readonly DueDelivery[]): number {
  const untried = deliveries.filter(({ failures }) => failures === 0)
  return Math.max(...(untried.length > 0 ? untried : deliveries).map(({ id }) => id))
}
