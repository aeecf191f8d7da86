import { list } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { PriceUse } from './queries.ts'

/** What a price is used for, in words. */
export function usedFor(use: Omit<PriceUse, 'id'> | undefined): string {
  const said = [
    ...(use === undefined || use.products === 0 ? [] : [t('prices.used.products', { count: use.products })]),
    ...(use === undefined || use.compared === 0 ? [] : [t('prices.used.compared', { count: use.compared })]),
    ...(use === undefined || use.shipping_methods === 0
      ? []
      : [t('prices.used.shipping', { count: use.shipping_methods })]),
    ...(use === undefined || use.plans === 0 ? [] : [t('prices.used.plans', { count: use.plans })]),
  ]
  return said.length === 0 ? t('prices.used.none') : list(said)
}

/** Is it used anywhere? Then it cannot be deleted. */
export const isUsed = (use: Omit<PriceUse, 'id'> | undefined) =>
  use !== undefined && use.products + use.compared + use.shipping_methods + use.plans > 0
