import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atCleanUp } from '#bench/processes.ts'
import { freePort, runNginx } from '#test/deployed-nginx.ts'

const DEPLOYED = new URL('../../deploy/nginx.conf', import.meta.url)

/**
 * Starts nginx with the rules of deploy/nginx.conf on a port, in front of services. TLS is left out. All clients of the load are on one
 * machine, and each guest says who it is, as a proxy before this one would.
 */
export async function startFront(
  program: string,
  port: number,
  servicePorts: readonly number[],
): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'licet-front-'))
  const deployed = await readFile(DEPLOYED, 'utf8')
  const [, parameters = ''] = /server 127\.0\.0\.1:3000(.*);/.exec(deployed) ?? []
  const site = deployed
    .replace(
      /server 127\.0\.0\.1:3000.*;/,
      servicePorts.map((each) => `server 127.0.0.1:${each}${parameters};`).join(' '),
    )
    .replaceAll(/listen \[::\].*\n/g, '')
    .replaceAll(/ssl_\w+ .*\n/g, '')
    .replace('listen 80 ', `listen 127.0.0.1:${await freePort()} `)
    .replace('listen 443 ssl http2 ', `listen 127.0.0.1:${port} `)
    .replace('limit_conn licet_clients 256;', '')
    .replace('X-Forwarded-For $remote_addr', 'X-Forwarded-For $http_x_forwarded_for')
    .replace('Host $host;', 'Host $http_host;')
  const stop = await runNginx(program, folder, site, `http://127.0.0.1:${port}/health`)
  atCleanUp(stop)
  return stop
}
