import { type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Answer } from './harness.ts'

export type Asked = { host: string; path?: string; method?: string; headers?: Record<string, string> }

/** Sends a request with any host, which `fetch` does not allow. */
export async function askHost(url: string, { host, path = '/', method = 'GET', headers = {} }: Asked): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = request({ hostname, port, path, method, headers: { accept: 'text/html', ...headers, host } })
  sent.on('error', reject)
  sent.on('response', (response) => {
    text(response).then((body) => {
      resolve({ status: response.statusCode ?? 0, headers: headersOf(response.headers), text: body, body: read(body) })
    }, reject)
  })
  sent.end()
  return promise
}

function headersOf(headers: IncomingHttpHeaders): Headers {
  return new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]))
}

function read(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
