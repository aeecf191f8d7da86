import { randomUUID } from 'node:crypto'
import { toError } from '#platform/errors/to-error.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import type { DrmProxy } from '#platform/settings/drm-settings.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { presentStatement } from './present.ts'
import type { LicensedKey, LicenseRequest, ProxyAnswer } from './state.ts'
import { signStatement } from './statement.secrets.ts'

/** A film waits meanwhile, and its player has some seconds in stock. */
const WAIT_MS = 5000
/** More than any license has. */
const BYTES_MAX = 262_144

type Dependencies = { outbound: Outbound; proxy: DrmProxy; issuer: string }

/**
 * Gets a license of commercial DRM for a key that the rights engine has allowed: the request of the player goes to the proxy as it
 * is, with a statement of what the engine decided. No transaction is open meanwhile.
 */
export async function takeDrmLicense(
  { outbound, proxy, issuer }: Dependencies,
  { entitlement, licensed }: { entitlement: EntitlementState; licensed: LicensedKey },
  { system, body }: LicenseRequest,
  times: { now: Date; machineNow: Date },
): Promise<ProxyAnswer> {
  const { key: _key, ...known } = licensed
  const claims = presentStatement(entitlement, known, { system, jti: randomUUID() }, times)
  const statement = await signStatement(proxy.secret, claims, { issuer, audience: proxy.url, licensed })
  return forward(outbound, proxy.url, { system, body }, statement)
}

async function forward(
  outbound: Outbound,
  url: string,
  { system, body }: LicenseRequest,
  statement: string,
): Promise<ProxyAnswer> {
  try {
    const answer = await outbound.request(`${url}/${system}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${statement}`,
        'content-type': 'application/octet-stream',
        accept: '*/*',
        'accept-encoding': 'identity',
        'user-agent': 'Licet',
      },
      body,
      signal: AbortSignal.timeout(WAIT_MS),
    })
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of answer.body) {
      bytes += chunk.length
      if (bytes > BYTES_MAX) return outOfReach(`the answer has more than ${BYTES_MAX} bytes`)
      chunks.push(chunk)
    }
    if (answer.statusCode === 200) return { kind: 'license', body: Buffer.concat(chunks) }
    return answer.statusCode >= 400 && answer.statusCode < 500
      ? { kind: 'declined' }
      : outOfReach(`it answered ${answer.statusCode}`)
  } catch (error) {
    return { kind: 'out of reach', error: toError(error) }
  }
}

const outOfReach = (why: string): ProxyAnswer => ({ kind: 'out of reach', error: new Error(why) })
