import type Stripe from 'stripe'

/** More failures of Stripe's own in a row are an outage. */
const KEYS_MAX = 5

type Work<Result> = {
  key: string
  /** What was carried out before, if Stripe has it. */
  find: () => Promise<Result | undefined>
  send: (idempotencyKey: string) => Promise<Result>
}

/**
 * Has Stripe carry something out once, however late it is asked again. Stripe forgets a key after a day, so it is first asked
 * what it has. And it answers a key for that day as it did the first time, also with a failure of its own: what it does not
 * have after such an answer is sent with the next key.
 */
export async function carryOutOnce<Result>(
  errors: typeof Stripe.errors,
  { key, find, send }: Work<Result>,
): Promise<Result> {
  for (let count = 1; ; count += 1) {
    const found = await find()
    if (found !== undefined) return found
    try {
      return await send(count === 1 ? key : `${key}-${count}`)
    } catch (error) {
      const isStored = error instanceof errors.StripeAPIError && error.headers?.['idempotent-replayed'] === 'true'
      if (!isStored || count === KEYS_MAX) throw error
    }
  }
}
