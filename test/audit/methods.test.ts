import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { useService } from '../harness.ts'
import { collectRoutes } from './collect-routes.ts'

const routes = collectRoutes()
const service = useService()

/** Sends a request with any method, as a page of another site would, and returns the head of the answer. */
async function headOf(method: string, path: string): Promise<string> {
  const { hostname, port, host } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  const headers = ['Origin: https://other.example', 'Access-Control-Request-Method: POST', 'Connection: close']
  socket.write([`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n'))
  return (await text(socket)).split('\r\n\r\n')[0] ?? ''
}

const paths = () => [...new Set(routes().map(({ url }) => url.replace('*', 'x').replaceAll(/:\w+/g, '1')))]

test('no route allows a page of another origin to read its answer', async () => {
  for (const path of paths())
    for (const method of ['GET', 'OPTIONS']) {
      const head = await headOf(method, path)
      assert.match(head, /^HTTP\/1\.1 \d{3} /, path)
      assert.doesNotMatch(head, /access-control-/i, `${method} ${path}`)
    }
})

test('no route sends a request back (TRACE)', async () => {
  assert.ok(paths().length > 50, 'saw too few routes')
  for (const path of paths()) assert.match(await headOf('TRACE', path), /^HTTP\/1\.1 404 /, path)
})
