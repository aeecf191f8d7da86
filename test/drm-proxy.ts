import { createSecretKey, hkdfSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import { compactDecrypt, type JWTPayload, jwtVerify } from 'jose'
import type { DrmProxy } from '#platform/settings/drm-settings.ts'

export const DRM_SECRET = 'a secret that a proxy shares with the service'

/** A license request that the server got, and what was said with it. */
export type Forwarded = { path: string; body: Buffer; claims: JWTPayload; keys: Map<string, Buffer> }

/**
 * A server that gives out licenses by what docs/operating.md says of statements, with nothing of the service in it. It takes
 * statements of its secret alone, each of them once. A license is the id of a key, and the key.
 */
export type LicenseServer = {
  readonly url: string
  readonly settings: DrmProxy
  readonly forwarded: Forwarded[]
  refusals: number
  answers: 'licenses' | 'nothing' | 'errors' | 'too much' | 'refusals'
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function readKeys(encrypted: unknown, secret: string): Promise<Map<string, Buffer>> {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'LICET-DRM-KEYS', 32))
  const { plaintext } = await compactDecrypt(String(encrypted), key)
  const { keys }: { keys: { kid: string; k: string }[] } = JSON.parse(Buffer.from(plaintext).toString())
  return new Map(keys.map(({ kid, k }) => [kid, Buffer.from(k, 'base64url')]))
}

export function useLicenseServer(): LicenseServer {
  let server: Server | undefined
  const used = new Set<string>()

  const take = async (request: IncomingMessage): Promise<Forwarded | undefined> => {
    const [scheme, statement = ''] = (request.headers.authorization ?? '').split(' ')
    if (scheme !== 'Bearer') return undefined
    try {
      const { payload } = await jwtVerify(statement, createSecretKey(Buffer.from(DRM_SECRET)), {
        algorithms: ['HS256'],
        audience: kept.url,
        typ: 'drm-statement+jwt',
        requiredClaims: ['iss', 'exp', 'jti'],
      })
      if (used.has(String(payload.jti))) return undefined
      used.add(String(payload.jti))
      const keys = await readKeys(payload.keys, DRM_SECRET)
      return { path: request.url ?? '', body: await bodyOf(request), claims: payload, keys }
    } catch {
      return undefined
    }
  }

  const kept: LicenseServer = {
    forwarded: [],
    refusals: 0,
    answers: 'licenses',
    get url() {
      if (server === undefined) throw new Error('the server starts in a before hook')
      const { port } = server.address() as AddressInfo
      return `http://127.0.0.1:${port}/licenses`
    },
    get settings() {
      return { url: kept.url, secret: DRM_SECRET }
    },
  }

  before(async () => {
    server = createServer(async (request, response) => {
      const taken = await take(request)
      if (taken === undefined || kept.answers === 'refusals') {
        kept.refusals += 1
        response.writeHead(403).end()
        return
      }
      kept.forwarded.push(taken)
      if (kept.answers === 'errors') response.writeHead(500).end()
      else if (kept.answers === 'too much') response.end(Buffer.alloc(300_000))
      else if (kept.answers === 'licenses')
        response.end(JSON.stringify(Object.fromEntries([...taken.keys].map(([id, key]) => [id, key.toString('hex')]))))
      else request.socket.destroy()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    server?.closeAllConnections()
    server?.close()
  })
  return kept
}
