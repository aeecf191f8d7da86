import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { manyMistakes, proxyMistakes } from './check-compose.ts'
import type { Project } from './check-deployment.ts'
import { ROOT } from './source.ts'

const project: Project = {
  nodeVersion: '26.10.0',
  postgresMajor: '18',
  port: 3000,
  settings: [],
  healthPaths: ['/health', '/ready'],
  exists: () => true,
  version: '0.1.0',
  writable: ['/data', '/tmp'],
  accepts: ([name]) => ['serve', 'worker', 'migrate'].includes(name ?? ''),
}

const COMPOSE = await readFile(`${ROOT}deploy/compose/compose.yaml`, 'utf8')
const PROXY = await readFile(`${ROOT}deploy/haproxy.cfg`, 'utf8')

function changed(text: string, from: string, to: string): string {
  assert.ok(text.includes(from), from)
  return text.replaceAll(from, to)
}

describe('the Compose file with several processes', () => {
  const cases: [string, string, RegExp][] = [
    ['[serve, --no-worker]', '[start]', /needs two services/],
    ['DATABASE_URL_FILE:', 'DATABASE_URL:', /DATABASE_URL is a secret in plain sight/],
    ['/run/secrets/smtp_url', '/run/secrets/mail', /there is no secret mail/],
    ['LICET_UNREADY_SECONDS: "3"', 'LICET_UNREADY_SECONDS: "30"', /stops within 62 s/],
    ['read_only: true', 'read_only: false', /can write into the image/],
    ['read_only: true', 'readonly: true', /has readonly, which the check does not know/],
    ['cap_drop: [ALL]', 'cap_drop: []', /has capabilities/],
    ['no-new-privileges:true', 'no-new-privileges:false', /may get more privileges/],
    ['uploads:/data', 'uploads:/files', /cannot write to \/data/],
    ['postgres:18', 'postgres:17', /PostgreSQL 17 is not 18/],
    ['networks: [back]', 'networks: [inside]', /there is no network inside/],
    ['  networks: [front, back]', '  networks: [front, back]\n  ports: ["3000:3000"]', /can be reached past the proxy/],
  ]
  for (const [from, to, expected] of cases)
    test(`with ${to} for ${from} is refused`, () => {
      assert.match(manyMistakes(changed(COMPOSE, from, to), project).join('\n'), expected)
    })
})

describe('the file of HAProxy', () => {
  const cases: [string, string, RegExp][] = [
    ['GET /ready', 'GET /health', /has to ask every service for \/ready/],
    ['option httpchk', '# option', /has to ask every service for \/ready/],
    ['server two', '# server two', /fewer than two/],
    ['LICET_SERVICE_TWO', 'LICET_SERVICE_SECOND', /LICET_SERVICE_SECOND is no service/],
    ['status 404', 'status 200', /\/metrics is open/],
  ]
  for (const [from, to, expected] of cases)
    test(`with ${to} for ${from} is refused`, () => {
      const text = changed(PROXY, from, to)
      assert.match(proxyMistakes(text, COMPOSE, project).join('\n'), expected)
    })
})
