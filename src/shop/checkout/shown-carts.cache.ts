import { LRUCache } from 'lru-cache'
import type { Contents, Landing, Shopper } from './state.ts'

/** What the last page before a purchase has shown: the cart as it is stored, and how the visitor came to the shop. */
export type ShownCart = { cart: Contents; landing: Landing | undefined }

const CARTS_MAX = 500
const KEPT_MS = 10 * 60_000

/**
 * Remembers what was shown in this process, so that the press of the button reads nothing before it buys. What is bought is
 * then what the customer has seen: a cart that was changed since differs from it when it is locked, and is not sold.
 */
export function createShownCarts() {
  const carts = new LRUCache<string, ShownCart>({ max: CARTS_MAX, ttl: KEPT_MS })
  const keyOf = ({ companyId, shopId, customerId, token }: Shopper) =>
    [companyId, shopId, customerId ?? '', token ?? ''].join(' ')
  return {
    remember(shopper: Shopper, shown: ShownCart): void {
      carts.set(keyOf(shopper), shown)
    },
    /** Forgets it, too: the next press of the button has to find the cart empty. */
    take(shopper: Shopper): ShownCart | undefined {
      const key = keyOf(shopper)
      const shown = carts.get(key)
      carts.delete(key)
      return shown
    },
  }
}
