import { createHash } from 'node:crypto'
import type { Contents } from '../state.ts'

/** Names what is in a stored cart, so that a form can say which one it was shown with. */
export function versionOf({ lines, discount_code, details }: Contents): string {
  return createHash('sha256')
    .update(JSON.stringify([lines, discount_code, details]))
    .digest('base64url')
    .slice(0, 22)
}
