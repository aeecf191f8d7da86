import { CASE_NAMES } from './cases.ts'
import type { Measured } from './figures.ts'
import { measureFiles } from './files/section.ts'
import { measureLarge } from './large.ts'
import { measureMain } from './main.ts'
import { measureMarketplace } from './marketplace.ts'
import { measureMembers } from './members/section.ts'
import type { Options, Section } from './options.ts'
import { measureOrders, ORDERS_CASES } from './orders.ts'
import { measureProtected } from './protected/section.ts'
import { measureRights } from './rights/section.ts'
import { measurePages } from './shop/section.ts'
import { measureStart } from './start.ts'
import { measureStatistics } from './statistics/section.ts'
import { measureWebhooks } from './webhooks/section.ts'

/** What a section measures, and all of its cases: a run in which one is missing has not looked everywhere. */
type Definition = { cases: readonly string[]; measure: (options: Options) => Promise<Measured> }

export const DEFINITIONS: Record<Section, Definition> = {
  start: { cases: ['first', 'warm', 'idle'], measure: measureStart },
  main: { cases: [...CASE_NAMES, 'fields-to-list', 'token'], measure: measureMain },
  shop: {
    cases: ['home', 'category', 'product', 'any', 'checkout', 'checkout-new', 'search'],
    measure: measurePages,
  },
  statistics: {
    cases: ['traffic', 'order', 'cart', 'order_devices', 'order_products', 'overview', 'roll-up'],
    measure: measureStatistics,
  },
  rights: { cases: ['check', 'use', 'content', 'grant', 'engine'], measure: measureRights },
  members: { cases: ['check', 'renewals'], measure: measureMembers },
  webhooks: {
    cases: ['one', 'hundred', 'crowd-new', 'crowd-failing', 'latency', 'event'],
    measure: measureWebhooks,
  },
  files: { cases: ['upload', 'download', 'many-downloads'], measure: measureFiles },
  protected: {
    cases: ['segments', 'keys', 'viewers', 'first-frame', 'first-frame-apart', 'packing'],
    measure: measureProtected,
  },
  large: {
    cases: ['deep-page', 'categories', 'unfolded', 'one-ten-times', 'list-ten-times'],
    measure: measureLarge,
  },
  marketplace: {
    cases: ['add', 'add-again', 'activate', 'entries', 'follow', 'follow-withdrawal'],
    measure: measureMarketplace,
  },
  orders: { cases: ORDERS_CASES, measure: measureOrders },
}

/** What is wrong with the figures of a smoke run: cases that did not run, and cases in which nothing was compared. */
export function missingIn(section: Section, { figures }: Measured): string[] {
  const { cases } = DEFINITIONS[section]
  if (cases.length === 0) return [`${section} has no case`]
  return cases.flatMap((name) => {
    const figure = figures.find((each) => each.name === name)
    if (figure === undefined) return [`${section}/${name} did not run`]
    return figure.compared > 0 ? [] : [`${section}/${name} compared nothing`]
  })
}
