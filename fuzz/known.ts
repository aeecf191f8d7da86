import type { Random } from '#demo/random.ts'

/** The ids and tokens that answers have shown, of all companies: requests name them for any company. */
export type Known = {
  /** Remembers what an answer shows. */
  learn(path: string, text: string): void
  /** An id or token under the name of its resource or attribute, or any other where none is known by that name. */
  pick(random: Random, name: string): string
}

const KEPT = 100
const READ_MAX = 20_000
const FIRST = ['1', '1000', '1001', '0001-26ED-EA4F-AA32', 'ABCDEFGHIJKLMNOP']
const SHOWN = /"(id|token|\w+_id|\w+_token)":(?:(\d{1,16})|"([\w-]{1,40})")/g

/** `orders` of `/api/orders/12.json`. */
export function resourceOf(path: string): string {
  return /^\/api\/(\w+)/.exec(path)?.[1] ?? ''
}

export function createKnown(): Known {
  const values = new Map<string, string[]>([['', [...FIRST]]])
  const keep = (name: string, value: string) => {
    const list = values.get(name) ?? []
    values.set(name, list)
    if (list.includes(value)) return
    if (list.length >= KEPT) list.shift()
    list.push(value)
  }
  return {
    learn(path, text) {
      for (const [, name = '', id, token] of text.slice(0, READ_MAX).matchAll(SHOWN)) {
        const value = id ?? token ?? ''
        keep(name === 'id' || name === 'token' ? resourceOf(path) : name, value)
        keep('', value)
      }
    },
    pick(random, name) {
      const own = values.get(name)
      return random.pick(own !== undefined && random.often(0.9) ? own : (values.get('') ?? FIRST))
    },
  }
}
