// The floor of sending: a loop of posts with the same body and headers, and nothing else. It reads one task per line.
import { createInterface } from 'node:readline'
import { Agent } from 'undici'

export type FloorOrder = { urls: string[]; posts: number; parallel: number; body: string }

const HEADERS = {
  'accept-encoding': 'identity',
  'content-type': 'application/json',
  'user-agent': 'Licet-Webhooks/1',
  'webhook-id': 'evt_1000000',
  'webhook-timestamp': '1700000000',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
}

async function carryOut({ urls, posts, parallel, body }: FloorOrder): Promise<void> {
  const agent = new Agent({ connections: 32 })
  let next = 0
  async function postAll(): Promise<void> {
    while (next < posts) {
      const url = new URL(urls[next % urls.length] ?? '')
      next += 1
      const { body: answer } = await agent.request({
        origin: url.origin,
        path: url.pathname,
        method: 'POST',
        headers: HEADERS,
        body,
      })
      await answer.dump()
    }
  }
  await Promise.all(Array.from({ length: parallel }, postAll))
  await agent.close()
}

for await (const line of createInterface({ input: process.stdin })) {
  await carryOut(JSON.parse(line))
  console.log('{}')
}
