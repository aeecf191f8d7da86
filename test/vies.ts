import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before } from 'node:test'

/** How the next requests are answered. */
type Mood = 'answers' | 'member state unavailable' | 'garbage' | 'breaks off' | 'says nothing' | 'floods'

export type FakeVies = {
  readonly url: string
  /** The VAT ids that exist. */
  readonly known: Set<string>
  /** The bodies of the requests. */
  readonly asked: object[]
  mood: Mood
}

/** A server that speaks the part of the protocol of VIES that the service uses, and refuses what VIES refuses. */
export function useVies(): FakeVies {
  let server: Server
  const vies: FakeVies = {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest-api`
    },
    known: new Set(),
    asked: [],
    mood: 'answers',
  }
  before(async () => {
    server = createServer(async (request, response) => {
      const send = (status: number, body: object | string) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(typeof body === 'string' ? body : JSON.stringify(body))
      const fail = (error: string) => send(200, { actionSucceed: false, errorWrappers: [{ error, message: '' }] })
      const body = JSON.parse(await text(request))
      vies.asked.push(body)
      if (request.method !== 'POST' || request.url !== '/rest-api/check-vat-number') return send(404, {})
      if (vies.mood === 'member state unavailable') return fail('MS_UNAVAILABLE')
      if (vies.mood === 'garbage') return send(200, '<html>Bad gateway')
      if (vies.mood === 'breaks off') return request.socket.destroy()
      if (vies.mood === 'floods') return send(200, `{"valid":true,"name":"${'x'.repeat(100_000)}"}`)
      if (vies.mood === 'says nothing') return
      const { countryCode, vatNumber, requesterNumber } = body
      if (!/^[A-Z]{2}$/.test(countryCode) || !vatNumber) return fail('INVALID_INPUT')
      const valid = vies.known.has(`${countryCode}${vatNumber}`)
      const requestIdentifier = valid && requesterNumber ? 'WAPIAAAAY1-x' : ''
      send(200, {
        countryCode,
        vatNumber,
        requestDate: new Date().toISOString(),
        valid,
        requestIdentifier,
        name: '---',
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return vies
}
