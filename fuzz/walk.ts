import type { Random } from '#program/demo/random.ts'
import { type Browser, createBrowser } from './browser.ts'
import type { Field, Form } from './forms.ts'
import type { Step } from './group.ts'
import { hostileText } from './hostile.ts'

/** What browsers do in one part of a site. */
export type Walk = {
  /** Where they begin, and where they go if a page leads nowhere. */
  starts: (random: Random) => string
  /** The forms that they send, by action. */
  forms: RegExp
  /** Those of them that lead on. */
  leading?: RegExp
  /** What they type into a field, by its name; what is most likely comes first. */
  values: Record<string, readonly [string, ...string[]] | (() => string)>
  /** How many are there at once: as many as the group has requests in a batch, so that each knows its last answer. */
  browsers: number
  /** What they do first. */
  enter?: (browser: Browser) => Step[]
  /** What they do beside the forms of a page; undefined: nothing. */
  extra?: (browser: Browser) => Step | undefined
  /** Where they like to go from a page, by its path. */
  onwards?: (path: string) => string | undefined
  headers?: Record<string, string>
}

/** After as many requests somebody else comes. */
const STEPS_MAX = 40

/** Some do what most customers do, and come far. Others try things on the way. */
type Walker = { browser: Browser; queue: Step[]; stepsLeft: number; isTame: boolean }

/** Several browsers that go through a site, one request at a time each. */
export function createWalkers(random: Random, walk: Walk): () => Step {
  const walkers: Walker[] = []
  let turn = 0
  let arrivals = 0

  function arrive(): Walker {
    arrivals += 1
    const browser = createBrowser({
      // Limits count by address, so everybody who comes has one of their own.
      'x-forwarded-for': `10.${random.below(256)}.${(arrivals >> 8) % 256}.${arrivals % 256}`,
      'sec-fetch-site': 'same-origin',
      'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
      ...walk.headers,
    })
    const isTame = arrivals === 1 || random.often(0.3)
    return { browser, queue: walk.enter?.(browser) ?? [], stepsLeft: STEPS_MAX, isTame }
  }

  return () => {
    const at = turn % walk.browsers
    turn += 1
    const known = walkers[at]
    const walker = known === undefined || known.stepsLeft <= 0 ? arrive() : known
    walkers[at] = walker
    walker.stepsLeft -= 1
    return walker.queue.shift() ?? nextStep(random, walk, walker)
  }
}

function nextStep(random: Random, walk: Walk, { browser, isTame }: Walker): Step {
  const { location, page } = browser
  if (location !== undefined && (isTame || random.often(0.95))) return browser.open(location)
  const extra = isTame && random.often(0.5) ? undefined : walk.extra?.(browser)
  if (extra !== undefined) return extra
  const onwards = page === undefined ? undefined : walk.onwards?.(page.path)
  if (onwards !== undefined && random.often(isTame ? 0.8 : 0.4)) return browser.open(onwards)
  const forms = page?.forms.filter(({ action }) => walk.forms.test(action)) ?? []
  const leading = forms.filter(({ action }) => walk.leading?.test(action))
  const chosen = leading.length > 0 && random.often(0.7) ? leading : forms
  if (chosen.length > 0 && random.often(0.8)) return submit(random, walk, browser, random.pick(chosen), isTame)
  const links = page?.links.filter((link) => walk.forms.test(link)) ?? []
  const path = links.length > 0 && random.often(0.4) ? random.pick(links) : walk.starts(random)
  return browser.open(!isTame && random.often(0.1) ? withQuery(random, path) : path)
}

const NAMES = ['return_to', 'page', 'q', 'after', 'order', 'token', 'done', 'refused', 'currency', 'language', 'x']

function withQuery(random: Random, path: string): string {
  const value = encodeURIComponent(hostileText(random, 300).toWellFormed())
  return `${path}${path.includes('?') ? '&' : '?'}${random.pick(NAMES)}=${value}`
}

/** Sends a form that is right but for a value or two. */
function submit(random: Random, walk: Walk, browser: Browser, { action, fields }: Form, isTame: boolean): Step {
  const pairs = fields.flatMap((field) => valuesOf(random, walk, field, isTame))
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  if (isTame) return browser.send(action, Buffer.from(new URLSearchParams(pairs).toString()), headers)
  for (let count = random.pick([0, 0, 1, 1, 2]); count > 0; count -= 1) spoil(random, pairs)
  if (random.often(0.02))
    headers['content-type'] = random.pick(['application/json', 'text/plain', 'multipart/form-data'])
  if (random.often(0.02)) headers['sec-fetch-site'] = random.pick(['cross-site', 'none', ''])
  const body = Buffer.from(new URLSearchParams(pairs).toString())
  return browser.send(action, random.often(0.02) ? body.subarray(0, random.below(body.length + 1)) : body, headers)
}

type Pair = [name: string, value: string]

function valuesOf(random: Random, walk: Walk, { name, kind, value, choices }: Field, isTame: boolean): Pair[] {
  const typed = walk.values[name]
  if (kind === 'hidden') return [[name, value]]
  // Of several buttons one is pressed, or none: somebody has pressed Enter.
  if (kind === 'button') return random.often(0.7) ? [[name, random.pick(choices)]] : []
  if (kind === 'check') return random.often(isTame ? 0.2 : 0.5) ? [[name, value]] : []
  if (typeof typed === 'function') return [[name, typed()]]
  if (typed !== undefined && (value === '' || random.often(0.5)))
    return [[name, isTame && random.often(0.7) ? typed[0] : random.pick(typed)]]
  if (kind === 'choice') return [[name, choices.length > 0 && random.often(0.3) ? random.pick(choices) : value]]
  return [[name, value]]
}

/** Makes one field of a form something that nobody types. */
function spoil(random: Random, pairs: Pair[]): void {
  const at = random.below(pairs.length + 1)
  const [name] = pairs[at] ?? [random.pick(['extra', '__proto__', '', '\0', 'a[b]'])]
  const longText = random.pick(['\u0315\u0300', 'a', ' ', '\0', '@', '<', '漢']).repeat(20_000)
  random.pick([
    () => pairs.splice(at, 1),
    () => pairs.push([name, hostileText(random).toWellFormed()]),
    ...Array.from({ length: 8 }, () => () => pairs.splice(at, 1, [name, hostileText(random, 1500).toWellFormed()])),
    () => pairs.splice(at, 1, [name, longText]),
  ])()
}
