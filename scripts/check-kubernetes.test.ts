import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Project } from './check-deployment.ts'
import { type Found, manifestMistakes, readManifests, schemaMistakes, unknownFields } from './check-kubernetes.ts'
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

let found: readonly Found[]
before(async () => {
  found = await readManifests(ROOT)
  const { default: manifest } = await import('../package.json', { with: { type: 'json' } })
  project.version = manifest.version
})

/** The manifests with one text for another. */
function changed(from: string, to: string): Found[] {
  const text = JSON.stringify(found)
  assert.ok(text.includes(from), from)
  return JSON.parse(text.replaceAll(from, to))
}

test('the manifests of this project have no mistakes', () => {
  assert.deepEqual(manifestMistakes(found, project), [])
})

test('Kubernetes refuses values that it does not know, fields that are missing and fields that it does not have', async () => {
  assert.match((await schemaMistakes(changed('"apps/v1"', '"apps/v0"'))).join(), /knows no Deployment of apps\/v0/)
  assert.match((await schemaMistakes(changed('"template":', '"templates":'))).join(), /Deployment: /)
  assert.match((await schemaMistakes(changed('"backoffLimit":3', '"backoffLimit":"three"'))).join(), /Job: /)
  const fields = await unknownFields(changed('"readOnlyRootFilesystem"', '"readonlyRootFilesystem"'))
  assert.match(fields.join('\n'), /service\.yaml: Deployment: .*readonlyRootFilesystem/)
  assert.deepEqual(await unknownFields(found), [])
})

test('a folder in which manifests are missing was not looked at', () => {
  assert.match(manifestMistakes(found.slice(0, 2), project).join(), /has no Deployment/)
})

describe('a manifest', () => {
  const cases: [string, string, RegExp][] = [
    ['licet:0.1.0', 'licet:0.0.9', /not version/],
    ['["migrate"]', '["upgrade"]', /licet does not accept "upgrade"/],
    ['"LICET_UNREADY_SECONDS"', '"LICET_UNREADY"', /LICET_UNREADY is not a setting/],
    ['"LICET_UNREADY_SECONDS":"10"', '"LICET_UNREADY_SECONDS":"30"', /is killed after 60 s, but stops within 65 s/],
    ['"LICET_STOP_SECONDS":"30"', '"LICET_STOP_SECONDS":"soon"', /LICET_STOP_SECONDS must be a whole number/],
    ['"DATABASE_URL_FILE"', '"DATABASE_URL"', /DATABASE_URL is a secret in plain sight/],
    ['/run/secrets/licet/smtp_url', '/run/secrets/licet/smtp', /there is no secret smtp/],
    ['/run/secrets/licet/smtp_url', '/etc/smtp_url', /LICET_SMTP_URL_FILE is not in/],
    ['"/ready"', '"/readyz"', /the service does not answer \/readyz/],
    ['"containerPort":3000', '"containerPort":8080', /opens 8080/],
    ['"targetPort":"http"', '"targetPort":"web"', /the pods have no port web/],
    ['"readOnlyRootFilesystem":true', '"readOnlyRootFilesystem":false', /can write into the image/],
    ['"runAsNonRoot":true', '"runAsNonRoot":false', /may run as root/],
    ['"allowPrivilegeEscalation":false', '"allowPrivilegeEscalation":true', /may get more privileges/],
    ['["ALL"]', '["NET_RAW"]', /has capabilities/],
    ['"mountPath":"/tmp"', '"mountPath":"/temp"', /cannot write to \/tmp/],
    ['"maxUnavailable":0', '"maxUnavailable":1', /stops a pod before there is another/],
    ['"replicas":2', '"replicas":1', /needs two replicas/],
    ['"automountServiceAccountToken":false', '"automountServiceAccountToken":true', /token of Kubernetes/],
    ['licet-nothing","port', 'licet","port', /\/metrics is open/],
    [
      '"matchLabels":{"app.kubernetes.io/name":"licet","app.kubernetes.io/component":"service"}',
      '"matchLabels":{"a":"b"}',
      /selects the pods of 0/,
    ],
    ['REPLACE-REPLACE-REPLACE-REPLACE-', '0123456789abcdef0123456789abcdef', /has a value in secret/],
  ]
  for (const [from, to, expected] of cases)
    test(`with ${to} for ${from} is refused`, () => {
      assert.match(manifestMistakes(changed(from, to), project).join('\n'), expected)
    })
})
