import type { Random } from '#program/demo/random.ts'

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
/** The id of a request names nothing. */
const SHOWN = /"(id|token|(?!request_)\w+_id|\w+_token)":(?:(\d{1,16})|"([\w-]{1,40})")/g

/** `customers` and `devices` of `/api/customers/12/devices.json`. */
function resourcesOf(path: string): string[] {
  const [, names = ''] = /^(?:\/admin)?\/api\/([\w/-]+)/.exec(path) ?? []
  return names.split('/').filter((name) => /^[a-z_]+$/.test(name))
}

/** The name under which the value of a parameter is known: `devices` for the second of `/api/customers/{token}/devices/{id}.json`. */
export function resourceBefore(path: string, at: number): string {
  return path.slice(0, at).split('/').at(-2) ?? ''
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
        const names = name === 'id' || name === 'token' ? resourcesOf(path) : [name]
        for (const each of names) keep(each, value)
        keep('', value)
      }
    },
    pick(random, name) {
      const own = values.get(name)
      return random.pick(own !== undefined && random.often(0.9) ? own : (values.get('') ?? FIRST))
    },
  }
}
