import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Project } from './check-deployment.ts'
import { settingMistakes } from './deployed-settings.ts'
import { ROOT } from './source.ts'

const FILE = 'deploy/compose/compose.yaml'
const PROXY = 'deploy/haproxy.cfg'

/** What the specification of Compose knows of a service, as far as this project uses it. Compose itself refuses any other word. */
const KNOWN =
  'build image init restart depends_on environment secrets networks ports volumes shm_size healthcheck stop_grace_period read_only tmpfs cap_drop security_opt sysctls command'.split(
    ' ',
  )

/** Contents of the secrets by name, which only the operator has. */
const SAMPLES: Record<string, string> = {
  database_url: 'postgres://licet:p@database/licet',
  secret: 's'.repeat(64),
  smtp_url: 'smtp://licet:p@mail.example.com:587',
  metrics_token: 't'.repeat(32),
  s3_access_key_id: 'key',
  s3_access_secret: 'secret',
}
const VARIABLES: Record<string, string> = { LICET_BASE_URL: 'https://shops.example.com', LICET_S3_BUCKET: 'shop' }

// biome-ignore lint/suspicious/noExplicitAny: it is looked at field by field.
type Service = any

/** A value in which variables of the operator's environment are replaced, as Compose does it. */
const filled = (value: unknown) =>
  String(value).replace(
    /\$\{(\w+):([-?])([^}]*)\}/g,
    (_, name, way, text) => VARIABLES[name] ?? (way === '-' ? text : ''),
  )

const seconds = (text: unknown) => Number(/^(\d+)s$/.exec(String(text))?.[1])

/** Mistakes in the Compose file with several processes. */
export function manyMistakes(text: string, project: Project): string[] {
  const { services, secrets, networks, volumes } = parse(text, { merge: true })
  const all = Object.entries<Service>(services)
  const ours = all.filter(([, { image }]) => image === 'licet')
  const mistakes: string[] = []
  const expect = (isTrue: boolean, what: string) => void (isTrue || mistakes.push(`${FILE}: ${what}`))

  const running = (word: string) => ours.filter(([, { command }]) => command[0] === word).length
  expect(
    running('serve') >= 2 && running('worker') >= 2 && running('migrate') === 1,
    'needs two services, two workers and a migration',
  )
  for (const [name, service] of all) {
    for (const word of Object.keys(service))
      expect(KNOWN.includes(word), `${name} has ${word}, which the check does not know`)
    for (const secret of service.secrets ?? []) expect(secret in secrets, `${name}: there is no secret ${secret}`)
    for (const network of service.networks ?? []) expect(network in networks, `${name}: there is no network ${network}`)
    for (const volume of (service.volumes ?? []).filter((path: string) => !path.startsWith('.')))
      expect(volume.split(':')[0] in volumes, `${name}: there is no volume ${volume}`)
    const major = /^postgres:(\d+)/.exec(service.image)?.[1]
    expect(
      (major ?? project.postgresMajor) === project.postgresMajor,
      `PostgreSQL ${major} is not ${project.postgresMajor}`,
    )
    expect(service.ports === undefined || name === 'proxy', `${name} can be reached past the proxy`)
  }
  for (const [name, service] of ours) {
    expect(project.accepts(service.command), `${name}: licet does not accept "${service.command.join(' ')}"`)
    expect(service.read_only === true, `${name} can write into the image`)
    expect(String(service.cap_drop) === 'ALL', `${name} has capabilities`)
    expect(String(service.security_opt) === 'no-new-privileges:true', `${name} may get more privileges`)
    const writable = [...service.tmpfs, ...service.volumes.map((path: string) => path.split(':')[1])]
    for (const folder of project.writable) expect(writable.includes(folder), `${name} cannot write to ${folder}`)
    const values = Object.fromEntries(Object.entries(service.environment).map(([key, value]) => [key, filled(value)]))
    const given = Object.fromEntries(service.secrets.map((secret: string) => [secret, SAMPLES[secret] ?? '']))
    const { mistakes: unfit, config } = settingMistakes(values, '/run/secrets/', given)
    mistakes.push(...unfit.map((mistake) => `${FILE}: ${name}: ${mistake}`))
    if (config === undefined) continue
    const most = config.stopSeconds + config.drain.unreadySeconds + config.drain.idleSeconds
    expect(
      seconds(service.stop_grace_period) > most,
      `${name} is killed after ${service.stop_grace_period}, but stops within ${most} s`,
    )
  }
  return mistakes
}

/** Mistakes in the file of HAProxy, whose own check says whether it is one. */
export function proxyMistakes(text: string, compose: string, project: Project): string[] {
  const mistakes: string[] = []
  const probes = [...text.matchAll(/option httpchk GET (\S+)/g)].map(([, path]) => path ?? '')
  if (probes.length === 0 || !probes.every((path) => path === '/ready' && project.healthPaths.includes(path)))
    mistakes.push(`${PROXY}: has to ask every service for /ready`)
  const servers = [...text.matchAll(/^ {2}server \w+ "\$\{(\w+)-([^}]*)\}"/gm)]
  if (new Set(servers.map(([, name]) => name)).size < 2) mistakes.push(`${PROXY}: has fewer than two servers`)
  const { proxy, ...services } = parse(compose, { merge: true }).services
  for (const [, name = ''] of servers) {
    const [host = '', port] = String(proxy.environment[name]).split(':')
    if (!(host in services) || Number(port) !== project.port)
      mistakes.push(`${FILE}: ${name} is no service on port ${project.port}`)
  }
  if (!/http-request return status 404 if \{ path \/metrics \}/.test(text))
    mistakes.push(`${PROXY}: /metrics is open to the outside`)
  return mistakes
}

export async function checkCompose(project: Project): Promise<string[]> {
  const read = (path: string) => readFile(join(ROOT, path), 'utf8')
  const [compose, proxy] = await Promise.all([read(FILE), read(PROXY)])
  return [...manyMistakes(compose, project), ...proxyMistakes(proxy, compose, project)]
}
