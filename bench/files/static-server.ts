import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

/** The floor for content files: a server that sends one file and checks nothing. */
const path = process.argv[2] ?? ''
const { size } = await stat(path)
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-length': size })
  pipeline(createReadStream(path, { highWaterMark: 1_048_576 }), response, () => {})
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ address: `http://127.0.0.1:${port}` }))
})
process.once('SIGTERM', () => process.exit(0))
