// The floor for content files: a server that sends one file, and writes what it is sent to another. It checks nothing.
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

const path = process.argv[2] ?? ''
const { size } = await stat(path)

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = await open(`${path}.received`, 'w')
  for await (const chunk of request) await file.write(chunk)
  await file.sync()
  await file.close()
  response.writeHead(204).end()
}

const server = createServer((request, response) => {
  if (request.method !== 'GET') return void receive(request, response).catch(() => response.destroy())
  response.writeHead(200, { 'content-length': size })
  pipeline(createReadStream(path, { highWaterMark: 1_048_576 }), response, () => {})
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ address: `http://127.0.0.1:${port}` }))
})
process.once('SIGTERM', () => process.exit(0))
