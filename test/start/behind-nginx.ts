import { after } from 'node:test'
import { findNginx, HOST, startDeployedNginx } from '#test/deployed-nginx.ts'
import { serve } from './program.ts'

const nginx = await findNginx()
/** Why tests with nginx are skipped, if they are. */
export const skip = 'missing' in nginx && nginx.missing
const program = 'path' in nginx ? nginx.path : ''

export async function deploy(...ports: number[]) {
  const proxy = await startDeployedNginx(program, ports)
  after(() => proxy.stop())
  return proxy
}

/** The service as it runs behind the proxy. */
export async function serveAt(port: number, settings: Record<string, string>) {
  // A stop right after the first start waits for the files of the demo shop, which may take long on a busy machine.
  const behind = { LICET_BASE_URL: `https://${HOST}`, LICET_TRUST_PROXY: '127.0.0.1', LICET_STOP_SECONDS: '600' }
  return { ...(await serve({ PORT: String(port), ...behind, ...settings })), port }
}

export type Serving = Awaited<ReturnType<typeof serveAt>>

export const bearer = ({ token }: Serving, key?: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  ...(key === undefined ? {} : { 'idempotency-key': key }),
})
