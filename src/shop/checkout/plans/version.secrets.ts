import { versionOf } from '../cart/version.secrets.ts'
import type { CheckoutDetails } from '../state.ts'
import { cartOfSignUp } from './rules.ts'

/** Names who signs up, so that a form can say for whom it was shown. */
export function versionOfDetails(details: CheckoutDetails): string {
  return versionOf(cartOfSignUp(details))
}
