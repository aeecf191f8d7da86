import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../measure.ts'
import type { Service } from '../services.ts'
import type { Receiver } from './receiver.ts'

export type Latency = { changes: number; p50: number; p99: number }

const WARM_UP = 20
const CHANGES = 300
const REST_MS = 40

/** Milliseconds from the answer to a change of a product until its event arrives, with nothing else going on. */
export async function measureLatency(service: Service, receiver: Receiver, smoke: boolean): Promise<Latency> {
  const [warmUp, changes] = smoke ? [0, 2] : [WARM_UP, CHANGES]
  const ask = async (method: string, path: string, body: object) => {
    const response = await fetch(`${service.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    const answer: { product: { id: number } } = JSON.parse(await response.text())
    return answer
  }
  await ask('POST', '/api/webhooks.json', { webhook: { topic: 'product/update', address: receiver.url('/ok') } })
  const { product } = await ask('POST', '/api/products.json', { product: { product_type: 1, title: 'Film' } })
  const times: number[] = []
  for (let count = -warmUp; count < changes; count += 1) {
    receiver.reset()
    let arrivedAt = 0
    const arrived = receiver.arrived(1).then(() => {
      arrivedAt = performance.now()
    })
    await ask('PUT', `/api/products/${product.id}.json`, { product: { title: `Film ${count}` } })
    const answeredAt = performance.now()
    await arrived
    // The first ones compile the code.
    if (count >= 0) times.push(Math.max(0, arrivedAt - answeredAt))
    await sleep(REST_MS)
  }
  return { changes, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}
