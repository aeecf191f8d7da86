import { createPrice } from '#catalog/prices/commands.ts'
import { createCustomer } from '#people/customers/commands.ts'
import { createGroup } from '#people/groups/commands.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { openCompany } from '#program/first-run/open-company.ts'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { updatePaymentSettings } from '#selling/payments/settings.commands.ts'
import { createPlan } from '#selling/plans/commands.ts'
import { createSubscription } from '#selling/subscriptions/sign-up.commands.ts'

const ANYBODY = { origin: { address: '127.0.0.1', requestId: 'club' } }
export const CENTS = 790

/** A company with a club for 7.90 a month, whose members pay with test cards. */
export type CardClub = { companyId: number; groupId: string; subscriptions: number[] }

export async function openCardClub(
  { db, vault }: { db: Db; vault: Vault },
  { name, members }: { name: string; members: number },
  now: Date,
): Promise<CardClub> {
  const { author, plan } = await inTransaction(db, async (tx) => {
    const details = { company_name: name, email: `${name}@club.example`, country_code: 'DE', currency: 'EUR' }
    const ids = await openCompany(tx, details, { email: details.email, passwordHash: null }, now)
    const owner = { ...ids, appId: null, ...ANYBODY }
    const currencies = [{ currency: 'eur', price: CENTS }]
    const { state: price } = await createPrice(tx, owner, { title: 'Month', currencies }, now)
    const { state: group } = await createGroup(tx, owner, { kind: 'subscription', title: 'Kino Club' }, now)
    const monthly = { group_id: group.group_id, title: 'Monthly', price_id: price.id, interval: 'month' } as const
    const { state } = await createPlan(tx, owner, monthly, now)
    await updatePaymentSettings(tx, vault, owner, { test: { enabled: true } }, now)
    return { author: owner, plan: state }
  })
  const subscriptions: number[] = []
  for (let number = 0; number < members; number += 1)
    await inTransaction(db, async (tx) => {
      const input = { email: `${name}-${number}@member.example` }
      const { state } = await createCustomer(tx, author, input, { kind: 'new', passwordHash: null }, now)
      const wish = { plan_id: plan.id, test_card: TEST_CARDS.succeeds }
      const buyer = { kind: 'token', token: state.account.token, path: 'customer_token' } as const
      subscriptions.push((await createSubscription(tx, author, wish, buyer, now)).id)
    })
  return { companyId: author.companyId, groupId: plan.group_id, subscriptions }
}
