import { request } from 'undici'
import { type MoodyServer, startMoody } from './moods.ts'

/** Stands in front of the server of a gateway: what is asked for is done, whatever the answer looks like. */
export function startInFront(url: string): Promise<MoodyServer> {
  return startMoody(async (heard) => {
    const { host: _, 'content-length': __, connection: ___, ...headers } = heard.headers
    const answer = await request(`${url}${heard.url}`, {
      method: heard.method as 'GET',
      headers,
      body: heard.body.length === 0 ? null : heard.body,
    })
    return { status: answer.statusCode, body: await answer.body.text() }
  })
}
