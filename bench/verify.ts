import type { Asked, Case } from './cases.ts'

const SAMPLE = 10

type Target = { address: string; token: string }

export async function fetchBody({ address, token }: Target, asked: Asked, status = 200): Promise<string> {
  const response = await fetch(address + asked.path, {
    method: asked.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(asked.body === undefined ? {} : { body: asked.body }),
  })
  const body = await response.text()
  if (response.status !== status)
    throw new Error(`${asked.method} ${address}${asked.path} answers ${response.status}: ${body.slice(0, 300)}`)
  return body
}

/** How many there are depends on what was sold, and the floor sells something else. */
const OF_ANY_LENGTH = 'tax_lines'

/** The names and types of all values in a response, without the values. */
export function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (value === null || typeof value !== 'object') return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, shape(name === OF_ANY_LENGTH && Array.isArray(part) ? part.slice(0, 1) : part)]),
  )
}

const changes = ({ requests }: Case) => requests[0]?.method === 'POST'

/**
 * Fails unless floor and service send the same responses: otherwise their speed cannot be compared. Returns how many were
 * compared for each case.
 */
export async function verify(service: Target, floor: Target, cases: readonly Case[]): Promise<Map<string, number>> {
  const compared = new Map<string, number>()
  // Cases that change data come last: an order changes the customer in every earlier order.
  const inOrder = cases.toSorted((one, other) => Number(changes(one)) - Number(changes(other)))
  for (const { name, title, requests, status } of inOrder) {
    const some = requests.slice(0, SAMPLE)
    for (const asked of some) {
      const [ours, theirs] = [await fetchBody(service, asked, status), await fetchBody(floor, asked, status)]
      const same =
        asked.method === 'POST'
          ? JSON.stringify(shape(JSON.parse(ours))) === JSON.stringify(shape(JSON.parse(theirs)))
          : ours === theirs
      if (!same)
        throw new Error(`${title}: the floor's answer to ${asked.path} differs.\n${firstDifference(ours, theirs)}`)
    }
    compared.set(name, some.length)
  }
  return compared
}

const AROUND = 300

/** The part of two texts around the first character that differs. */
export function firstDifference(ours: string, theirs: string): string {
  let at = 0
  while (at < ours.length && ours[at] === theirs[at]) at += 1
  const part = (text: string) => text.slice(Math.max(0, at - AROUND), at + AROUND)
  return `From character ${at}:\nservice …${part(ours)}\nfloor   …${part(theirs)}`
}
