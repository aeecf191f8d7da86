import type { Connected, Connection } from '../gateway.ts'
import { MollieProfile } from './answers.schema.ts'
import { expectDone, openApi } from './api.gateway.ts'
import { isReachable } from './rules.ts'

/** Asks Mollie whose profile a key belongs to. Each payment names the address for its news, so nothing has to be set up. */
export async function connectMollie({ keys = {}, url, webhookUrl, outbound }: Connection): Promise<Connected> {
  const api = openApi({ key: keys.secret_key ?? '', url, outbound })
  const answered = await api.get('/profiles/me')
  if (answered.kind === 'denied') return { kind: 'refused', reason: answered.reason }
  const { name } = expectDone(MollieProfile, answered)
  return {
    kind: 'connected',
    account: name,
    keys: {},
    ...(isReachable(webhookUrl) ? {} : { webhookRefusal: 'Mollie cannot reach this address from the internet.' }),
  }
}
