// The floor: a bare handler with one prepared statement per request, which sends the same responses as the service.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { orderMaker } from './floor-orders.ts'
import { productMaker } from './floor-products.ts'

const CONNECTIONS = 10
/** Few connections with many statements on each: measured best of 1, 3, 4 and 10. */
const SHARED_CONNECTIONS = 3
const ID_BLOCK = 2000
const JSON_TYPE = 'application/json; charset=utf-8'

const [, , host, kind, companyId] = process.argv
const connection = {
  host,
  user: 'licet',
  database: 'licet',
  // Values are sent as they are stored, as text.
  types: { getTypeParser: () => (value: string) => value },
  options: '-c timezone=UTC -c jit=off',
} as unknown as pg.ClientConfig

type Ask = (name: string, text: string, values: unknown[]) => Promise<{ rows: string[][] }>

/** Takes a connection of the pool for each statement. */
function pooled(): Ask {
  const pool = new pg.Pool({ ...connection, max: CONNECTIONS })
  return (name, text, values) => pool.query<string[]>({ name, text, values, rowMode: 'array' })
}

/** Sends statements on a few connections without waiting for earlier results. */
async function pipelined(): Promise<Ask> {
  const options = { ...connection, pipeline: true }
  const clients = Array.from({ length: SHARED_CONNECTIONS }, () => new pg.Client(options))
  await Promise.all(clients.map((client) => client.connect()))
  let sent = 0
  return (name, text, values) => {
    sent += 1
    const client = clients[sent % clients.length]
    if (client === undefined) throw new Error('the floor has no connection')
    return client.query<string[]>({ name, text, values, rowMode: 'array' })
  }
}

const ask = kind === 'pipelined' ? await pipelined() : pooled()

/** Stored documents are ASCII: a character is a byte, and nothing has to be encoded. */
function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': body.length })
  response.end(body, 'latin1')
}

async function sendReady(response: ServerResponse, path: string): Promise<void> {
  const { rows } = await ask('ready', 'select body from floor.answers where path = $1', [path])
  const [[body] = []] = rows
  if (body === undefined) send(response, 404, '{}')
  else send(response, 200, body)
}

function readBatch(nth: number) {
  return ask('batch', 'select body from floor.batches where nth = $1', [nth])
}

/** The next batch is read while the last one goes out. */
async function sendBatches(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': JSON_TYPE })
  let coming = readBatch(0)
  for (let nth = 1; ; nth += 1) {
    const [[body] = []] = (await coming).rows
    if (body === undefined) break
    coming = readBatch(nth)
    if (response.destroyed) break
    if (!response.write(body, 'latin1')) await new Promise<void>((resolve) => onceWritable(response, resolve))
  }
  await coming
  response.end()
}

function onceWritable(response: ServerResponse, resolve: () => void): void {
  const go = () => {
    response.off('drain', go).off('close', go)
    resolve()
  }
  response.on('drain', go).on('close', go)
}

/** Ids taken a block at a time, so that a create needs no round trip for them. */
function idBlocks(sequence: string): { fill(): Promise<void>; take(): string } {
  const ids: string[] = []
  let filling = false
  const fill = async () => {
    filling = true
    const { rows } = await ask(sequence, `select nextval('${sequence}') from generate_series(1, $1::int)`, [ID_BLOCK])
    ids.push(...rows.flat())
    filling = false
  }
  const take = () => {
    if (ids.length < ID_BLOCK / 2 && !filling) void fill()
    const id = ids.shift()
    if (id === undefined) throw new Error(`out of ids of ${sequence}`)
    return id
  }
  return { fill, take }
}

const productIds = idBlocks('products_id_seq')
const partIds = idBlocks('part_ids')
const orderIds = idBlocks('orders_id_seq')
await Promise.all([productIds.fill(), partIds.fill(), orderIds.fill()])
const { rows: kept } = await ask('templates', 'select product, ordered from floor.templates where $1', [true])
const [[product, ordered] = []] = kept
if (product === undefined || ordered === undefined) throw new Error('floor-tables.ts has stored no templates')
const makeProduct = productMaker(ask, Number(companyId), JSON.parse(product), productIds, partIds)
const makeOrder = orderMaker(connection, Number(companyId), JSON.parse(ordered), orderIds, partIds)

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = await request.toArray()
  return Buffer.concat(chunks).toString()
}

async function create(request: IncomingMessage, response: ServerResponse): Promise<void> {
  send(response, 201, await makeProduct(await bodyOf(request)))
}

async function order(request: IncomingMessage, response: ServerResponse): Promise<void> {
  send(response, 201, await makeOrder(await bodyOf(request)))
}

const server = createServer((request, response) => {
  const path = request.url ?? ''
  const answer =
    request.method === 'POST'
      ? path === '/api/orders.json'
        ? order(request, response)
        : create(request, response)
      : path === '/api/products.json'
        ? sendBatches(response)
        : sendReady(response, path)
  answer.catch((error: Error) => {
    console.error(error.message)
    if (response.headersSent) response.destroy()
    else send(response, 500, '{}')
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
