import { wireTime } from '#platform/wire/times.ts'
import { trackingUrl } from '#selling/shipping-methods/rules.ts'
import type { TimelineEntry } from './schema.ts'
import type { Deed, Happened } from './state.ts'

type Entry = Partial<Omit<TimelineEntry, 'id' | 'created_at' | 'kind' | 'by'>> & {
  kind: TimelineEntry['kind']
  at: Date
  by?: TimelineEntry['by']
}
type By = Pick<TimelineEntry, 'by' | 'name'>

/** An app learns that a user did something, but not who it was. */
export type Reader = { seesUsers: boolean }

/** What happened to an order, oldest first. Things of the same second are in the order in which they follow from each other. */
export function presentTimeline(happened: Happened, { seesUsers }: Reader): TimelineEntry[] {
  const entries = entriesOf(happened, byOf(happened, seesUsers))
  return entries
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ at, kind, by, name, amount, text, url, note_id }, place) => ({
      id: place + 1,
      kind,
      created_at: wireTime(at),
      by: by ?? 'service',
      name: name ?? null,
      amount: amount ?? null,
      text: text || null,
      url: url || null,
      note_id: note_id ?? null,
    }))
}

/** Whoever did something at a time, as the audit log has it. */
function byOf({ users, apps, deeds }: Happened, seesUsers: boolean) {
  const author = ({ user_id, app_id }: Pick<Deed, 'user_id' | 'app_id'>): By => {
    if (app_id !== null) return { by: 'app', name: apps.get(app_id) ?? null }
    if (user_id === null) return { by: 'service', name: null }
    return { by: 'user', name: seesUsers ? (users.get(user_id) ?? null) : null }
  }
  const doer = (action: string, at: Date | undefined): By => {
    const deed = deeds.find((each) => each.action === action && each.created_at.getTime() === at?.getTime())
    return deed === undefined ? { by: 'service', name: null } : author(deed)
  }
  return { author, doer }
}

/** In the order in which things follow from each other. */
function entriesOf(happened: Happened, { author, doer }: ReturnType<typeof byOf>): Entry[] {
  const { order, fulfillment, deeds } = happened
  const made = doer('order created', order.created_at)
  const isPaid = order.financial_status !== 'pending'
  const placed: By =
    order.source_name === 'api'
      ? made.by === 'service'
        ? { by: 'app', name: null }
        : made
      : { by: 'customer', name: null }
  const settled = doer('order marked as paid', order.processed_at)
  const shippedAt = fulfillment?.shipped_at ?? null
  return [
    { kind: 'placed', at: order.created_at, ...placed },
    ...happened.invoices.map(
      ({ kind, number, issued_at, total_cents }): Entry => ({
        kind: kind === 'invoice' ? 'invoiced' : 'credited',
        at: issued_at,
        amount: total_cents,
        text: number,
      }),
    ),
    ...(isPaid
      ? [{ kind: 'paid', at: order.processed_at, amount: order.total_cents, text: order.gateway, ...settled } as const]
      : []),
    ...deeds
      .filter(({ action }) => action === 'order confirmation sent again')
      .map((deed): Entry => ({ kind: 'confirmation_sent_again', at: deed.created_at, ...author(deed) })),
    ...happened.mails.map(
      ({ subject, created_at, sent_at, failed_at }): Entry => ({
        kind: sent_at === null && failed_at !== null ? 'mail_failed' : 'mailed',
        at: sent_at ?? failed_at ?? created_at,
        text: subject,
      }),
    ),
    ...happened.used.flatMap(({ title, first_used_at }): Entry[] =>
      first_used_at === null ? [] : [{ kind: 'first_used', at: first_used_at, by: 'customer', text: title }],
    ),
    ...happened.downloads.map(
      ({ title, created_at }): Entry => ({ kind: 'downloaded', at: created_at, by: 'customer', text: title }),
    ),
    ...(fulfillment === undefined || shippedAt === null
      ? []
      : [
          {
            kind: 'shipped',
            at: shippedAt,
            text: [fulfillment.tracking_company, fulfillment.tracking_number].filter(Boolean).join(' '),
            url: trackingUrl(fulfillment.tracking_template, fulfillment.tracking_number),
            ...doer('order shipped', shippedAt),
          } as const,
        ]),
    ...order.refunds.map(
      ({ created_at, amount_cents, note }): Entry => ({
        kind: 'refunded',
        at: created_at,
        amount: amount_cents,
        text: note,
        ...doer('order refunded', created_at),
      }),
    ),
    ...(order.cancelled_at === null
      ? []
      : [{ kind: 'cancelled', at: order.cancelled_at, ...doer('order cancelled', order.cancelled_at) } as const]),
    ...happened.notes
      .toReversed()
      .map(
        (note): Entry => ({ kind: 'note', at: note.created_at, text: note.text, note_id: note.id, ...author(note) }),
      ),
  ]
}
