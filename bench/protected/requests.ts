import { Agent, get } from 'node:http'
import { giveBack } from '#platform/files/memory.ts'

/** Many connections that stay open, as those of browsers do. */
export const agent = new Agent({ keepAlive: true, maxSockets: 2000 })

export type Received = { status: number; bytes: number; body: Buffer }

/** Fetches something. The bytes are counted, and kept only if somebody wants them. */
export function receive(url: string, cookie: string, isKept = false): Promise<Received> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { agent, headers: { cookie } }, (response) => {
      const kept: Buffer[] = []
      let bytes = 0
      response.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (isKept) kept.push(piece)
        // Otherwise what is measured is the garbage collector of the viewers.
        else giveBack(piece)
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, bytes, body: Buffer.concat(kept) }))
      response.once('error', reject)
    })
    asked.once('error', reject)
  })
}

/** receive for what has to be there. */
export async function receiveAll(url: string, cookie: string): Promise<number> {
  const { status, bytes } = await receive(url, cookie)
  if (status !== 200) throw new Error(`${url} answers ${status}`)
  return bytes
}
