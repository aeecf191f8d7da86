import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Secret } from 'kubernetes-models/v1/Secret'
import { Service } from 'kubernetes-models/v1/Service'
import { parseAllDocuments } from 'yaml'
import type { Project } from './check-deployment.ts'
import { settingMistakes } from './deployed-settings.ts'
import { ROOT } from './source.ts'

const FOLDER = 'deploy/kubernetes'

// biome-ignore lint/suspicious/noExplicitAny: the schemas of Kubernetes have said what it looks like.
type Manifest = any
export type Found = { file: string; manifest: Manifest }

/** What Kubernetes says of each kind that we use, by version and name. */
const MODELS: Readonly<Record<string, new (manifest: Manifest) => { validate(): void }>> = {
  'apps/v1/Deployment': Deployment,
  'batch/v1/Job': Job,
  'networking.k8s.io/v1/Ingress': Ingress,
  'networking.k8s.io/v1/NetworkPolicy': NetworkPolicy,
  'policy/v1/PodDisruptionBudget': PodDisruptionBudget,
  'v1/ConfigMap': ConfigMap,
  'v1/Secret': Secret,
  'v1/Service': Service,
}

/** What has to be there. A folder in which some are missing was not looked at. */
const NEEDED = [
  'Deployment',
  'Job',
  'Service',
  'Ingress',
  'PodDisruptionBudget',
  'NetworkPolicy',
  'ConfigMap',
  'Secret',
]

/** The manifests of a folder; kustomization.yaml is a list of them, and no manifest. */
export async function readManifests(root: string): Promise<Found[]> {
  const files = (await readdir(join(root, FOLDER))).filter(
    (name) => name.endsWith('.yaml') && name !== 'kustomization.yaml',
  )
  const found = files.sort().map(async (name) => {
    const documents = parseAllDocuments(await readFile(join(root, FOLDER, name), 'utf8'))
    return documents.map((document): Found => ({ file: `${FOLDER}/${name}`, manifest: document.toJS() }))
  })
  return (await Promise.all(found)).flat()
}

/** Ranges, patterns and what is required, by the schemas of Kubernetes. */
export async function schemaMistakes(found: readonly Found[]): Promise<string[]> {
  const mistakes = found.map(async ({ file, manifest }) => {
    const Model = MODELS[`${manifest.apiVersion}/${manifest.kind}`]
    if (Model === undefined) return [`${file}: Kubernetes knows no ${manifest.kind} of ${manifest.apiVersion}`]
    try {
      new Model(manifest).validate()
      return []
    } catch (error) {
      return [`${file}: ${manifest.kind}: ${error instanceof Error ? error.message : error}`]
    }
  })
  return (await Promise.all(mistakes)).flat()
}

/** Fields that Kubernetes does not know. Its schemas allow them, its types do not. */
export async function unknownFields(found: readonly Found[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'licet-manifests-'))
  try {
    const lines = found.map(({ manifest }, index) => {
      const path = `${ROOT}node_modules/kubernetes-models/${manifest.apiVersion}/${manifest.kind}.js`
      const type = `import(${JSON.stringify(path)}).I${manifest.kind}`
      return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)}`
    })
    const file = join(folder, 'manifests.mts')
    await writeFile(file, lines.join('\n'))
    const said = await compile(file)
    return said.map(({ line, text }) => `${found[line - 1]?.file}: ${found[line - 1]?.manifest.kind}: ${text}`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function compile(file: string): Promise<{ line: number; text: string }[]> {
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--pretty',
    'false',
    '--ignoreConfig',
    '--module',
    'nodenext',
    '--types',
    '',
  ]
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, file],
      (error, stdout, stderr) => {
        const lines = [...stdout.matchAll(/\.mts\((\d+),\d+\): error \w+: (.*)/g)]
        const said = lines.map(([, line, text]) => ({ line: Number(line), text: String(text) }))
        resolve(error !== null && said.length === 0 ? [{ line: 1, text: `${stdout}${stderr}` || error.message }] : said)
      },
    ),
  )
}

const templateOf = ({ manifest }: Found) => manifest.spec.template
const isWorkload = ({ manifest }: Found) => manifest.kind === 'Deployment' || manifest.kind === 'Job'

/** Where the manifests and the program do not fit together, or a manifest gives more away than it has to. */
export function manifestMistakes(found: readonly Found[], project: Project): string[] {
  const missing = NEEDED.filter((kind) => !found.some(({ manifest }) => manifest.kind === kind))
  if (missing.length > 0) return [`${FOLDER}: has no ${missing.join(', no ')}`]
  const ofKind = (kind: string) => found.filter(({ manifest }) => manifest.kind === kind)
  const [settings] = ofKind('ConfigMap').map(({ manifest }) => manifest.data)
  const [secrets] = ofKind('Secret').map(({ manifest }) => manifest.stringData)
  const open = Object.entries(secrets).filter(([, value]) => !/REPLACE/.test(String(value)))
  return [
    ...open.map(([name]) => `${FOLDER}: the example of the secret has a value in ${name}`),
    ...found.filter(isWorkload).flatMap((workload) => workloadMistakes(workload, settings, secrets, project)),
    ...ofKind('Deployment').flatMap((deployment) => rolloutMistakes(deployment)),
    ...ofKind('Service').flatMap((service) => selectorMistakes(service, found)),
    ...ofKind('PodDisruptionBudget').flatMap((budget) => selectorMistakes(budget, found)),
    ...ofKind('Ingress').flatMap((ingress) => backendMistakes(ingress, ofKind('Service'))),
  ]
}

function workloadMistakes(
  workload: Found,
  settings: object,
  secrets: Record<string, string>,
  project: Project,
): string[] {
  const { file } = workload
  const { spec } = templateOf(workload)
  const [container] = spec.containers
  const mistakes: string[] = []
  const expect = (isTrue: boolean, text: string) => void (isTrue || mistakes.push(`${file}: ${text}`))

  expect(
    container.image === `registry.example.com/licet:${project.version}`,
    `runs ${container.image}, not version ${project.version}`,
  )
  expect(project.accepts(container.args), `licet does not accept "${container.args.join(' ')}"`)
  const values: Record<string, string> = { ...settings }
  for (const { name, value } of container.env) values[name] = value
  const { mistakes: unfit, config } = settingMistakes(values, '/run/secrets/licet/', secrets)
  mistakes.push(...unfit.map((mistake) => `${file}: ${mistake}`))

  expect(spec.automountServiceAccountToken === false, 'hands out a token of Kubernetes that nothing needs')
  expect(spec.securityContext.runAsNonRoot === true, 'may run as root')
  expect(spec.securityContext.seccompProfile?.type === 'RuntimeDefault', 'may make any system call')
  expect(container.securityContext.readOnlyRootFilesystem === true, 'can write into the image')
  expect(container.securityContext.allowPrivilegeEscalation === false, 'may get more privileges')
  expect(container.securityContext.capabilities?.drop?.join() === 'ALL', 'has capabilities')
  const writable = container.volumeMounts.filter(({ readOnly }: Manifest) => readOnly !== true)
  for (const folder of project.writable)
    expect(
      writable.some(({ mountPath }: Manifest) => mountPath === folder),
      `cannot write to ${folder}`,
    )

  for (const [name, probe] of Object.entries<Manifest>(container).filter(([key]) => key.endsWith('Probe'))) {
    expect(
      project.healthPaths.includes(probe.httpGet.path),
      `${name}: the service does not answer ${probe.httpGet.path}`,
    )
    expect(
      container.ports?.some((port: Manifest) => port.name === probe.httpGet.port),
      `${name}: there is no port ${probe.httpGet.port}`,
    )
  }
  for (const { containerPort } of container.ports ?? [])
    expect(containerPort === project.port, `opens ${containerPort}, but the service listens on ${project.port}`)
  const isService = container.args[0] === 'serve'
  const isReady = container.readinessProbe?.httpGet.path === '/ready'
  expect(
    isReady === (workload.manifest.kind === 'Deployment'),
    'services and workers, and nothing else, are asked for /ready',
  )
  if (config !== undefined && workload.manifest.kind === 'Deployment') {
    const { unreadySeconds, idleSeconds } = config.drain
    const seconds = config.stopSeconds + (isService ? unreadySeconds + idleSeconds : 0)
    expect(
      spec.terminationGracePeriodSeconds > seconds,
      `is killed after ${spec.terminationGracePeriodSeconds} s, but stops within ${seconds} s`,
    )
  }
  return mistakes
}

function rolloutMistakes({ file, manifest }: Found): string[] {
  const { replicas, strategy } = manifest.spec
  return [
    ...(replicas >= 2 ? [] : [`${file}: needs two replicas to restart without failed requests`]),
    ...(strategy?.rollingUpdate?.maxUnavailable === 0 ? [] : [`${file}: stops a pod before there is another`]),
  ]
}

/** A selector that finds no pods protects or reaches nothing. A Service without one has no pods on purpose. */
function selectorMistakes({ file, manifest }: Found, found: readonly Found[]): string[] {
  const wanted = manifest.kind === 'Service' ? manifest.spec.selector : manifest.spec.selector.matchLabels
  if (wanted === undefined) return []
  const fits = ({ metadata }: Manifest) =>
    Object.entries(wanted).every(([name, value]) => metadata.labels[name] === value)
  const pods = found.filter(isWorkload).map(templateOf).filter(fits)
  if (pods.length !== 1)
    return [`${file}: ${manifest.kind} ${manifest.metadata.name} selects the pods of ${pods.length} workloads`]
  const names = pods[0].spec.containers[0].ports.map((port: Manifest) => port.name)
  const targets = (manifest.spec.ports ?? []).map(({ targetPort }: Manifest) => targetPort)
  return targets
    .filter((target: string) => !names.includes(target))
    .map((target: string) => `${file}: the pods have no port ${target}`)
}

function backendMistakes({ file, manifest }: Found, services: readonly Found[]): string[] {
  const names = services.map(({ manifest: service }) => service.metadata.name)
  const paths = manifest.spec.rules.flatMap(({ http }: Manifest) => http.paths)
  const wanted: string[] = paths.map(({ backend }: Manifest) => backend.service.name)
  const isClosed = paths.some(
    ({ path, backend }: Manifest) => path === '/metrics' && backend.service.name === 'licet-nothing',
  )
  return [
    ...wanted.filter((name) => !names.includes(name)).map((name) => `${file}: there is no Service ${name}`),
    ...(isClosed ? [] : [`${file}: /metrics is open to the outside`]),
  ]
}

/** Every manifest is applied with the others, but for those that are by hand. */
async function kustomizationMistakes(found: readonly Found[]): Promise<string[]> {
  const path = `${FOLDER}/kustomization.yaml`
  const [document] = parseAllDocuments(await readFile(join(ROOT, path), 'utf8'))
  const listed: string[] = document?.toJS().resources.map((name: string) => `${FOLDER}/${name}`)
  const byHand = [`${FOLDER}/migrate.yaml`, `${FOLDER}/secret.example.yaml`]
  const files = [...new Set(found.map(({ file }) => file))].filter((file) => !byHand.includes(file))
  return files.sort().join() === [...listed].sort().join()
    ? []
    : [`${path}: lists ${listed.join(', ')}, not ${files.join(', ')}`]
}

export async function checkKubernetes(project: Project): Promise<string[]> {
  const found = await readManifests(ROOT)
  const mistakes = await Promise.all([schemaMistakes(found), unknownFields(found), kustomizationMistakes(found)])
  const wrong = mistakes.flat()
  return wrong.length > 0 ? wrong : manifestMistakes(found, project)
}
