import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { request } from 'undici'
import type { Stage } from '../load/run.ts'

/** Pictures that were sent, by how they were answered; those that were stored can be fetched again. */
export type Uploads = {
  readonly statuses: number[]
  stored: number
  /** Those that were answered with success and come back otherwise than they were sent, or not at all. */
  damaged(): Promise<string[]>
  stop(): Promise<void>
}

const EVERY_MS = 100
const CREATED = 201

/** Sends one picture after the other, each another one. */
export function startUploads({ address, shop }: Pick<Stage, 'address' | 'shop'>): Uploads {
  const kept: { url: string; bytes: Buffer }[] = []
  const statuses: number[] = []
  let isOver = false

  async function upload(number: number): Promise<void> {
    const background = { r: number % 256, g: Math.floor(number / 256) % 256, b: 0 }
    const bytes = await sharp({ create: { width: 40, height: 40, channels: 3, background } })
      .png()
      .toBuffer()
    const answer = await request(`${await address()}/api/pictures.json`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'image/png' },
      body: bytes,
    }).catch(() => undefined)
    const text = await answer?.body.text().catch(() => undefined)
    statuses.push(answer?.statusCode ?? 0)
    if (answer?.statusCode === CREATED && text !== undefined) kept.push({ url: JSON.parse(text).picture.url, bytes })
  }

  const sending = (async () => {
    for (let number = 0; !isOver; number += 1) {
      await upload(number)
      await sleep(EVERY_MS)
    }
  })()
  return {
    statuses,
    get stored() {
      return kept.length
    },
    async damaged() {
      const wrong: string[] = []
      for (const { url, bytes } of kept) {
        const { statusCode, body } = await request(`${await address()}${new URL(url).pathname}`)
        const found = Buffer.from(await body.arrayBuffer())
        if (statusCode !== 200 || !found.equals(bytes)) wrong.push(`${url} answers ${statusCode}`)
      }
      return wrong
    },
    async stop() {
      isOver = true
      await sending
    },
  }
}
