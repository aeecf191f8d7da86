import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as parseYaml, stringify } from 'yaml'
import { openDatabase } from '#platform/db/database.ts'
import { errorCode } from '#platform/errors/error-code.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { measuresOf } from '#program/http/measures.ts'
import { RESOURCES } from '../src/resources.ts'
import type { Report } from './check-migrations.ts'
import { ROOT } from './source.ts'

const RULES = 'deploy/prometheus/licet-alerts.yml'
const DASHBOARD = 'deploy/grafana/licet.json'

type Rule = { alert: string; expr: string; labels?: Record<string, string>; annotations?: Record<string, string> }
type Panel = { title: string; type: string; targets?: { expr: string }[]; gridPos: { x: number; w: number } }

/** What the names of metrics begin with, and the one that Prometheus itself adds. */
const METRIC = /\b(?:licet|process|nodejs)_[a-z0-9_]+|\bup\b/g
const SEVERITIES = ['critical', 'warning']
const WIDTH = 24

/** Every name under which Prometheus finds something of ours. */
export function knownMetrics(): Set<string> {
  // Nothing is connected until the first question.
  const { reads: db } = openDatabase({ host: 'nowhere', user: 'nobody', database: 'none' }, { poolMax: 1 })
  const metrics = createMetrics({ totalCount: 0, idleCount: 0, waitingCount: 0 })
  metrics.measure({ db, now: () => new Date(0), measures: measuresOf(RESOURCES) })
  metrics.watchFolder('/')
  metrics.watchNotices({ isListening: () => true })
  const parts = metrics.names().flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`])
  return new Set([...parts, 'up'])
}

/** Mistakes in expressions of PromQL, as far as they can be seen without Prometheus. */
export function expressionMistakes(where: string, expression: string, known: ReadonlySet<string>): string[] {
  const named = expression.match(METRIC) ?? []
  const unknown = named.filter((name) => !known.has(name))
  return [
    ...(named.length === 0 ? [`${where}: names no metric of ours: ${expression}`] : []),
    ...unknown.map((name) => `${where}: the service has no metric ${name}`),
    ...(/\b(company|customer|user|email|order)(_id)?\b/.test(expression)
      ? [`${where}: names a company or a person`]
      : []),
  ]
}

/** Mistakes in the rules for alerts. */
export function ruleMistakes(text: string, known: ReadonlySet<string>): string[] {
  const { groups }: { groups: { name: string; rules: Rule[] }[] } = parseYaml(text)
  const rules = groups.flatMap((group) => group.rules)
  const twice = rules.filter(({ alert }, index) => rules.findIndex((other) => other.alert === alert) < index)
  return [
    ...(rules.length < 10 ? [`${RULES}: has ${rules.length} rules only`] : []),
    ...twice.map(({ alert }) => `${RULES}: ${alert} is there twice`),
    ...rules.flatMap(({ alert, expr, labels, annotations }) => [
      ...expressionMistakes(`${RULES}: ${alert}`, expr, known),
      ...(SEVERITIES.includes(labels?.severity ?? '') ? [] : [`${RULES}: ${alert} is neither critical nor a warning`]),
      ...['summary', 'description'].flatMap((name) =>
        (annotations?.[name] ?? '').endsWith('.') ? [] : [`${RULES}: ${alert} has no sentence as its ${name}`],
      ),
    ]),
  ]
}

const panelsOf = (text: string): Panel[] => JSON.parse(text).panels.filter(({ type }: Panel) => type !== 'row')

/** Mistakes in the dashboard for Grafana. */
export function dashboardMistakes(text: string, known: ReadonlySet<string>): string[] {
  const panels = panelsOf(text)
  return [
    ...(panels.length < 10 ? [`${DASHBOARD}: has ${panels.length} panels only`] : []),
    ...panels.flatMap(({ title, targets = [], gridPos }) => [
      ...(targets.length === 0 ? [`${DASHBOARD}: ${title} shows nothing`] : []),
      ...(gridPos.x + gridPos.w > WIDTH ? [`${DASHBOARD}: ${title} is beyond the edge`] : []),
      ...targets.flatMap(({ expr }) => expressionMistakes(`${DASHBOARD}: ${title}`, expr, known)),
    ]),
  ]
}

/** The expressions of the dashboard, as rules that promtool can read. */
function asRules(dashboard: string): string {
  const expressions = panelsOf(dashboard).flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const rules = expressions.map((expr, index) => ({
    record: `panel:${index}`,
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'licet'),
  }))
  return stringify({ groups: [{ name: 'dashboard', rules }] })
}

/** What Prometheus' own tool says; undefined if it is not installed. */
export function promtool(file: string): Promise<string[] | undefined> {
  return new Promise((resolve, reject) => {
    execFile('promtool', ['check', 'rules', file], (error, stdout, stderr) => {
      if (error === null) resolve([])
      else if (errorCode(error) === 'ENOENT') resolve(undefined)
      else if (typeof error.code === 'number') resolve([`promtool: ${stdout}${stderr}`.trim()])
      else reject(error)
    })
  })
}

async function checkSyntax(dashboard: string): Promise<string[] | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'licet-monitoring-'))
  try {
    const file = join(folder, 'dashboard.yml')
    await writeFile(file, asRules(dashboard))
    const found = [await promtool(`${ROOT}${RULES}`), await promtool(file)]
    return found.includes(undefined) ? undefined : found.flatMap((mistakes) => mistakes ?? [])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function checkMonitoring(): Promise<Report> {
  const read = (path: string) => readFile(`${ROOT}${path}`, 'utf8')
  const [rules, dashboard, known] = [await read(RULES), await read(DASHBOARD), knownMetrics()]
  const syntax = await checkSyntax(dashboard)
  return {
    mistakes: [...ruleMistakes(rules, known), ...dashboardMistakes(dashboard, known), ...(syntax ?? [])],
    note:
      syntax === undefined
        ? "promtool is not installed (it is in Debian's package prometheus): syntax not checked"
        : '',
  }
}
