// The floor of the section on shop pages: a bare handler that sends the same bytes from memory.
import { createServer } from 'node:http'

const [, , service] = process.argv
const pages = new Map<string, Buffer>()

/** Each page is fetched from the service once, when it is first asked for. */
async function pageAt(path: string): Promise<Buffer> {
  const known = pages.get(path)
  if (known !== undefined) return known
  const response = await fetch(`${service}${path}`)
  if (response.status !== 200) throw new Error(`${path} answers ${response.status}`)
  const page = Buffer.from(await response.arrayBuffer())
  pages.set(path, page)
  return page
}

const server = createServer((request, response) => {
  const path = request.url ?? '/'
  const page = pages.get(path)
  const send = (bytes: Buffer) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': bytes.length }).end(bytes)
  if (page !== undefined) return void send(page)
  pageAt(path).then(send, (error: Error) => {
    console.error(error.message)
    response.destroy()
  })
})
server.keepAliveTimeout = 65_000
server.listen(0, '127.0.0.1', () => {
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port')
  console.log(JSON.stringify({ address: `http://127.0.0.1:${bound.port}` }))
})
// Ends when its parent ends.
process.stdin.on('end', () => process.exit(0)).resume()
