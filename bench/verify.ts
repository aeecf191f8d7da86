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

/** The names and types of all values in a response, without the values. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (value === null || typeof value !== 'object') return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, shape(part)]),
  )
}

const creates = ({ requests }: Case) => requests[0]?.method === 'POST'

/** Fails unless floor and service send the same responses: otherwise their speed cannot be compared. */
export async function verify(service: Target, floor: Target, cases: Case[]): Promise<number> {
  let compared = 0
  // Cases that change data come last: an order changes the customer in every earlier order.
  const inOrder = cases.toSorted((one, other) => Number(creates(one)) - Number(creates(other)))
  for (const { title, requests } of inOrder) {
    for (const asked of requests.slice(0, SAMPLE)) {
      const status = asked.method === 'POST' ? 201 : 200
      const [ours, theirs] = [await fetchBody(service, asked, status), await fetchBody(floor, asked, status)]
      const same =
        asked.method === 'POST'
          ? JSON.stringify(shape(JSON.parse(ours))) === JSON.stringify(shape(JSON.parse(theirs)))
          : ours === theirs
      if (!same)
        throw new Error(
          `${title}: the floor's answer to ${asked.path} differs.\nservice ${ours.slice(0, 2000)}\nfloor   ${theirs.slice(0, 2000)}`,
        )
      compared += 1
    }
  }
  return compared
}
