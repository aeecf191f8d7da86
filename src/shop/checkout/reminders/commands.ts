import { sql } from 'kysely'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import { type NewMail, queueMail } from '#platform/mail/queue.ts'
import { hasOrderedSince } from '#selling/orders/buyers/queries.ts'
import { setChecked, takeOutCarts } from '../abandoned/commands.ts'
import { changeCart } from '../commands.ts'
import { lockCart } from '../queries.ts'
import { merged, NO_DETAILS } from '../rules.ts'
import type { Shopper } from '../state.ts'
import type { Stop } from './links.secrets.ts'
import { lockCartToRemind } from './queries.ts'
import { addressKey, remindedBefore } from './rules.ts'
import type { CartToRemind } from './state.ts'

/**
 * Reminds the customer of a cart, once. That it was done is written with the mail, so that a crash loses neither and two workers
 * send one mail. Without a mail, or for somebody who has bought meanwhile or wants no reminders, it is only noted.
 */
export async function remindOfCart(tx: Tx, cart: CartToRemind, mail: NewMail | undefined, now: Date): Promise<void> {
  if (!(await lockCartToRemind(tx, cart))) return
  await tx
    .updateTable('carts')
    .set({ reminded_at: now })
    .where('company_id', '=', cart.company_id)
    .where('id', '=', cart.id)
    .execute()
  if (mail === undefined) return
  if (await hasOrderedSince(tx, cart.company_id, mail.to, cart.touched_at)) return
  if (await mayRemind(tx, cart.company_id, mail.to, now)) await queueMail(tx, mail, now)
}

/** Notes that an address is reminded. False: it wants no reminders, or had one a short time ago. */
async function mayRemind(tx: Tx, companyId: number, email: string, now: Date): Promise<boolean> {
  const { rows } = await sql`insert into cart_reminder_addresses (company_id, email_hash, reminded_at)
    values (${companyId}, ${tokenHash(addressKey(email))}, ${now})
    on conflict (company_id, email_hash) do update set reminded_at = excluded.reminded_at
    where cart_reminder_addresses.stopped_at is null
      and coalesce(cart_reminder_addresses.reminded_at <= ${remindedBefore(now)}, true)
    returning company_id`.execute(tx)
  return rows.length > 0
}

/** Deletes a batch of addresses that may be reminded again, and returns how many. */
export function deleteOldReminders(tx: Tx, now: Date): Promise<number> {
  return deleteBatch(
    tx,
    'cart_reminder_addresses',
    'reminded_at',
    sql`stopped_at is null and reminded_at <= ${remindedBefore(now)}`,
  )
}

/** Ends the reminders of a company to an address. Doing it twice changes nothing. */
export async function stopReminders(tx: Tx, { companyId, emailHash }: Stop, now: Date): Promise<void> {
  await tx
    .insertInto('cart_reminder_addresses')
    .values({ company_id: companyId, email_hash: emailHash, stopped_at: now })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'email_hash']).doUpdateSet((set) => ({
        stopped_at: sql`coalesce(${set.ref('cart_reminder_addresses.stopped_at')}, ${now})`,
      })),
    )
    .execute()
}

/**
 * Puts the things of a cart into that of the browser in which its link was opened. Whoever has the link gets the lines and
 * nothing that was entered at checkout. The cart counts as abandoned no longer, because its customer is back.
 */
export async function restoreCart(tx: Tx, shopper: Shopper, id: number, now: Date): Promise<void> {
  const { companyId, shopId } = shopper
  const cart = await lockCart(tx, companyId, shopId, id)
  if (cart === undefined) return
  await changeCart(tx, shopper, (own) => merged(own, { ...cart, details: NO_DETAILS }), now)
  await takeOutCarts(tx, companyId, [id])
  await setChecked(tx, companyId, [id], now)
}
