import { Agent, request } from 'undici'
import { freePort } from '#test/deployed-nginx.ts'
import { type Finding, figure, type Scale } from '../findings.ts'
import type { LoadedShop } from '../load/run.ts'
import { startFront } from './front.ts'

const READERS = 32

/** Reads as often as it can through one proxy for a while, and returns how many reads a second were answered. */
async function readsPerSecond({ shop }: LoadedShop, url: string, seconds: number): Promise<number> {
  const agent = new Agent({ connections: READERS })
  const paths = ['/api/products.json?limit=50', ...shop.films.slice(0, 3).map(({ id }) => `/api/products/${id}.json`)]
  const headers = { authorization: `Bearer ${shop.token}` }
  const end = performance.now() + seconds * 1000
  let answered = 0
  const read = async (reader: number) => {
    for (let turn = reader; performance.now() < end; turn += 1) {
      const answer = await request(url + paths[turn % paths.length], { dispatcher: agent, headers })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`a read was answered with ${answer.statusCode}`)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: READERS }, (_each, reader) => read(reader)))
  await agent.destroy()
  return answered / seconds
}

/** Reads through nginx with one, two and four services. Where all share two cores, more services cannot do twice as much. */
export async function proveThroughput(
  shop: LoadedShop,
  nginx: string,
  services: readonly { url: string }[],
  { isShort, onProgress }: Scale,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const count of [1, 2, 4].filter((each) => each <= services.length)) {
    const port = await freePort()
    const ports = services.slice(0, count).map(({ url }) => Number(new URL(url).port))
    const stop = await startFront(nginx, port, ports)
    const url = `http://127.0.0.1:${port}`
    if (!isShort) await readsPerSecond(shop, url, 5)
    const perSecond = await readsPerSecond(shop, url, isShort ? 0.3 : 15)
    await stop()
    onProgress(`${count} services: ${perSecond.toFixed(0)} reads a second`)
    findings.push(figure(`Reads a second with ${count} ${count === 1 ? 'service' : 'services'}`, perSecond, ''))
  }
  return findings
}
