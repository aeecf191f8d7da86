import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const NGINX = '/usr/sbin/nginx'

export const hasNginx = existsSync(NGINX)

/** The locations that docs/operating.md shows, in front of a service whose data folder is given. */
function settingsFile(folder: string, port: number, serviceUrl: string, dataFolder: string): string {
  return `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${serviceUrl}; proxy_set_header Host $host:$server_port; }
    location /licet-files/ {
      internal;
      alias ${dataFolder}/;
      add_header X-Content-Type-Options nosniff;
      add_header Content-Security-Policy "default-src 'none'; sandbox";
    }
  }
}`
}

/** Starts nginx in front of a service; returns its address and how to stop it. */
export async function startNginx(
  serviceUrl: string,
  dataFolder: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'licet-nginx-'))
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const settings = join(folder, 'nginx.conf')
  await writeFile(settings, settingsFile(folder, port, serviceUrl, dataFolder))
  const nginx = spawn(NGINX, ['-c', settings, '-p', folder], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; !(await fetch(url).then(Boolean, () => false)); tries += 1) {
    if (tries === 100) throw new Error('nginx did not start')
    await sleep(50)
  }
  return {
    url,
    async stop() {
      nginx.kill('SIGQUIT')
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
