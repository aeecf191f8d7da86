import { type Forgetting, inTurn } from '#people/customers/erasure.worker.ts'
import { forgetImports } from '#program/imports/forget.commands.ts'
import { forgetGifts } from '#rights/redemption-codes/gifts/forget.commands.ts'
import { forgetBuyer } from '#selling/orders/buyers/forget.commands.ts'
import { forgetSubscriber } from '#selling/subscriptions/forget.commands.ts'
import { forgetCarts } from '#shop/checkout/forget.commands.ts'

/** Everything that is forgotten of a customer, in every room. */
export const FORGETTING: Forgetting = {
  atOnce: forgetSubscriber.atOnce,
  aBatch: inTurn(forgetSubscriber.aBatch, forgetBuyer, forgetGifts, forgetCarts, forgetImports),
}
