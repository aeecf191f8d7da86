import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** How somebody else's server behaves. */
export type Mood = 'works' | 'hangs' | 'fails' | 'hangs up' | 'answers half' | 'answers nonsense' | 'answers a page'

/** Every mood but that of a server that works. */
export const BAD_MOODS = ['hangs', 'fails', 'hangs up', 'answers half', 'answers nonsense', 'answers a page'] as const

export type Heard = { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer }
export type Said = { status: number; body: string }

export type MoodyServer = {
  url: string
  mood: Mood
  /** Changes the mood. Whoever still waits for an answer is hung up on. */
  become(mood: Mood): void
  stop(): void
}

const PAGE = '<!doctype html><title>Maintenance</title><h1>We will be back soon.</h1>'
const NONSENSE = { id: 17, status: ['paid', null], amount: 'a lot', _links: [], metadata: true }

/**
 * A server that does what it is asked for and answers as its mood is: it has heard what it leaves without an answer. Only one
 * that fails has done nothing.
 */
export async function startMoody(answer: (heard: Heard, mood: Mood) => Promise<Said>): Promise<MoodyServer> {
  const held = new Set<Socket>()

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync(request))
    const { mood } = moody
    const { method = '', url = '', headers, socket } = request
    const send = (status: number, type: string, text: string) =>
      response.writeHead(status, { 'content-type': type }).end(text)
    if (mood === 'fails') return void send(500, 'text/plain', 'Something went wrong.')
    const said = await answer({ method, url, headers, body }, mood)
    if (mood === 'hangs') {
      held.add(socket)
      // The mood may have changed while the answer was made.
      if (moody.mood !== mood) socket.destroy()
      return
    }
    if (mood === 'hangs up') return void socket.destroy()
    if (mood === 'answers a page') return void send(200, 'text/html', PAGE)
    if (mood === 'answers nonsense') return void send(said.status, 'application/json', JSON.stringify(NONSENSE))
    if (mood === 'works') return void send(said.status, 'application/json', said.body)
    response.writeHead(said.status, { 'content-type': 'application/json', 'content-length': said.body.length + 1 })
    response.write(said.body.slice(0, said.body.length / 2), () => socket.destroy())
  }

  const server = createServer((request, response) => {
    // A client that hangs up in the middle has said nothing.
    serve(request, response).catch(() => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const moody: MoodyServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mood: 'works',
    become(mood) {
      moody.mood = mood
      for (const socket of held) socket.destroy()
      held.clear()
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  return moody
}
