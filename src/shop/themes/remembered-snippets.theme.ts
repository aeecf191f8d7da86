import {
  type Context,
  Drop,
  type Emitter,
  Hash,
  type Liquid,
  type Parser,
  RenderTag,
  type TagToken,
  type TopLevelToken,
} from 'liquidjs'
import type { Output, Scope } from './engine.theme.ts'

/** The output of snippets by their names, what they were given and for whom. */
type Remembered = {
  outputs: Map<string, string>
  characters: number
  /** When the first of the outputs was made. */
  since: number
  /** What each snippet has read of the shop. */
  reads: Map<string, Set<string>>
  /** Snippets that show more than what they are given and what is the shop's. */
  others: Set<string>
  createOutput: () => Output
}

const CHARACTERS_MAX = 8_000_000
const KEY_MAX = 8000
/** A snippet may show the time. */
const MAX_AGE_MS = 60_000
const REMEMBERED = Symbol('remembered snippets')

/** What a snippet may read beside what it is given and still be remembered. All pages have the same features. */
const KEYED = ['language', 'direction', 'currency', 'country', 'base', 'shop_base']
const HARMLESS = new Set([...KEYED, 'features'])
/** What it may read, too, but what takes time to compare: it is a part of the keys of those snippets that have read it. */
const OF_SHOP = new Set(['shop', 'navigation', 'languages', 'currencies'])

/** Makes an engine remember its snippets. Returns the function that allows it, in what is rendered with some globals. */
export function addRememberedSnippets(engine: Liquid, createOutput: () => Output): (globals: Scope) => Scope {
  engine.registerTag('render', RememberingRenderTag)
  const remembered: Remembered = {
    outputs: new Map(),
    characters: 0,
    since: performance.now(),
    reads: new Map(),
    others: new Set(),
    createOutput,
  }
  // Getters are copied as they are, because they tell what a template has read.
  return (globals) =>
    Object.create(null, { ...Object.getOwnPropertyDescriptors(globals), [REMEMBERED]: { value: remembered } })
}

/** `'name'` and perhaps arguments. Other ways of naming a snippet are rare, and not remembered. */
const PLAIN = /^\s*(?:'([\w-]+)'|"([\w-]+)")\s*(?:,([\s\S]*))?$/

/**
 * Renders a snippet, or takes what it was before for the same arguments: a product is on many pages, and rendering its card
 * takes ten times as long as finding it here.
 */
class RememberingRenderTag extends RenderTag {
  readonly #name: string
  readonly #arguments: Hash

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid, parser)
    const [, single, double, rest = ''] = PLAIN.exec(token.args) ?? []
    this.#name = single ?? double ?? ''
    this.#arguments = new Hash(rest)
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const remembered: Remembered | undefined = Reflect.get(context.globals, REMEMBERED)
    if (remembered === undefined || this.#name === '' || remembered.others.has(this.#name))
      return yield* super.render(context, emitter)
    if (performance.now() - remembered.since >= MAX_AGE_MS) forget(remembered)
    const given = (yield this.#arguments.render(context)) as object
    const key = keyOf(remembered, this.#name, context, given)
    if (key === undefined) return yield* super.render(context, emitter)
    const before = remembered.outputs.get(key)
    if (before !== undefined) return emitter.write(before)
    const reads = readsOf(remembered, this.#name)
    const { globals } = context
    let isSame = true
    context.globals = new Proxy(globals, {
      get(target, name) {
        if (typeof name === 'string' && name in target) {
          if (OF_SHOP.has(name)) reads.add(name)
          else if (!HARMLESS.has(name)) isSame = false
        }
        return Reflect.get(target, name)
      },
    })
    const output = remembered.createOutput()
    try {
      yield* super.render(context, output)
    } finally {
      context.globals = globals
    }
    if (isSame) remember(remembered, keyOf(remembered, this.#name, context, given), output.buffer)
    else remembered.others.add(this.#name)
    emitter.write(output.buffer)
  }
}

/** What a snippet has read of the shop so far. Whoever has read no more, and was given the same, shows the same. */
function readsOf({ reads }: Remembered, name: string): Set<string> {
  const known = reads.get(name) ?? new Set<string>()
  reads.set(name, known)
  return known
}

/** Is the JSON of an argument that of no other value? What is inside of an argument comes from the service, and is plain. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'bigint' && !(value instanceof Drop || value instanceof Date)
}

/** Undefined if it would be too long, or the arguments cannot be told from others. */
function keyOf(remembered: Remembered, name: string, { globals }: Context, given: object): string | undefined {
  if (!Object.values(given).every(isPlain)) return undefined
  const read = (keyed: string) => String(Reflect.get(globals, keyed))
  const ofShop = Array.from(
    readsOf(remembered, name),
    (each) => `${each} ${JSON.stringify(Reflect.get(globals, each))}`,
  )
  const key = `${name} ${KEYED.map(read).join()} ${JSON.stringify(given)} ${ofShop.join()}`
  return key.length > KEY_MAX ? undefined : key
}

function forget(remembered: Remembered): void {
  remembered.outputs.clear()
  remembered.characters = 0
  remembered.since = performance.now()
}

function remember(remembered: Remembered, key: string | undefined, html: string): void {
  if (key === undefined) return
  const length = key.length + html.length
  if (remembered.characters + length > CHARACTERS_MAX) forget(remembered)
  remembered.characters += length
  remembered.outputs.set(key, html)
}
