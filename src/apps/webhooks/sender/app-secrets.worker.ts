import { openSecret } from '#apps/oauth/apps.commands.ts'
import type { Vault } from '#platform/identity/vault.ts'
import type { SealedSecrets } from '../state.ts'
import type { Secrets } from './message.worker.ts'

/** Opened secrets of so many apps are kept: opening one costs more than signing with it. */
const SECRETS_MAX = 1000

/** Opens the secrets of apps. Undefined for an app that was registered before secrets could sign events. */
export function createSecrets(vault: Vault): (sealed: SealedSecrets, now: Date) => Secrets | undefined {
  const opened = new Map<string, string>()
  const open = (sealed: Buffer): string => {
    const key = sealed.toString('base64')
    const known = opened.get(key)
    if (known !== undefined) return known
    const secret = openSecret(vault, sealed)
    if (opened.size >= SECRETS_MAX) opened.clear()
    opened.set(key, secret)
    return secret
  }
  return ({ sealed_secret, previous_sealed_secret, previous_secret_until }, now) => {
    if (sealed_secret === null) return undefined
    const isOverlapping = previous_secret_until !== null && previous_secret_until > now
    return isOverlapping && previous_sealed_secret !== null
      ? [open(sealed_secret), open(previous_sealed_secret)]
      : [open(sealed_secret)]
  }
}
