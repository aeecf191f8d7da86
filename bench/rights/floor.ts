// The floor of the section on rights: a bare handler with one prepared statement per request. A check reads a row, a use
// changes a row and adds one, as the service has to.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'

const CONNECTIONS = 10
const JSON_TYPE = 'application/json; charset=utf-8'
const [, , host] = process.argv
const pool = new pg.Pool({
  ...(host === undefined ? {} : { host }),
  user: 'licet',
  database: 'licet',
  max: CONNECTIONS,
  options: '-c timezone=UTC -c jit=off',
})

function send(response: ServerResponse, body: string | undefined): void {
  const text = body ?? '{}'
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': JSON_TYPE, 'content-length': text.length })
  response.end(text, 'latin1')
}

async function read(path: string): Promise<string | undefined> {
  const text = 'select body from floor.answers where path = $1'
  const { rows } = await pool.query<[string]>({ name: 'read', text, values: [path], rowMode: 'array' })
  return rows[0]?.[0]
}

const USE = `with used as (
    insert into floor.uses (path, device, at) values ($1, $2, now()))
  update floor.answers set uses = uses + 1 where path = $1 returning body`

async function use(path: string, request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = await request.toArray()
  const { use }: { use: { device?: string } } = JSON.parse(Buffer.concat(chunks).toString())
  const values = [path, use.device ?? null]
  const { rows } = await pool.query<[string]>({ name: 'use', text: USE, values, rowMode: 'array' })
  return rows[0]?.[0]
}

async function check(path: string, request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = await request.toArray()
  JSON.parse(Buffer.concat(chunks).toString())
  return read(path)
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? ''
  if (request.method === 'GET') send(response, await read(path))
  else send(response, await (path.endsWith('/use.json') ? use(path, request) : check(path, request)))
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => {
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
