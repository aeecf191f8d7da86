import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { after } from 'node:test'
import type { TestDatabase } from './server.ts'

/** A way to a database that can be cut, like the cable of its machine. */
export type DatabaseWay = {
  /** Opens the way to a database, and returns the address at which it begins. */
  open(database: TestDatabase): Promise<string>
  /** Cuts it after so many more messages of the service. */
  cut(afterMessages?: number): void
  /** Cuts it when the database has committed the next transaction, before the service hears of it. */
  cutBeforeCommitIsAnswered(): void
  /** The same, and the last that the service hears is that the server ends, because its disk is full. */
  endBeforeCommitIsAnswered(): void
  readonly isCut: boolean
  mend(): void
}

/** What the database says at the end of a transaction. */
const COMMITTED = 'COMMIT\0'

/** As PostgreSQL ends when it has no room for its write-ahead log: the code is that of any statement without room. */
function panic(): Buffer {
  const fields = ['SPANIC', 'VPANIC', 'C53100', 'Mcould not write to file "pg_wal/xlogtemp": No space left on device']
  const body = Buffer.from(`${fields.join('\0')}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function addressOf({ connection, url }: TestDatabase) {
  if ('host' in connection) return { path: `${connection.host}/.s.PGSQL.5432` }
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port || 5432) }
}

/** A way that is closed after the tests of the file. */
export function useDatabaseWay(): DatabaseWay {
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let isCut = false
  let messagesLeft = Number.POSITIVE_INFINITY
  let losesCommit = false
  let panics = false

  function cutNow(): void {
    isCut = true
    losesCommit = false
    panics = false
    for (const socket of sockets) socket.destroy()
  }

  function tie(one: Socket, other: Socket): void {
    sockets.add(one)
    one.on('error', () => {})
    one.on('close', () => {
      sockets.delete(one)
      other.destroy()
    })
  }

  function join(service: Socket, database: Socket): void {
    tie(service, database)
    tie(database, service)
    database.on('data', (bytes) => {
      if (panics && bytes.includes(COMMITTED)) service.end(panic(), cutNow)
      else if (losesCommit && bytes.includes(COMMITTED)) cutNow()
      else service.write(bytes)
    })
    database.on('end', () => service.end())
    service.on('data', (bytes) => {
      messagesLeft -= 1
      if (messagesLeft < 0) cutNow()
      else database.write(bytes)
    })
  }

  after(() => {
    cutNow()
    server?.close()
  })

  return {
    async open(database) {
      server = createServer((socket) => {
        if (isCut) socket.destroy()
        else join(socket, connect(addressOf(database)))
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { username, password, pathname } = new URL(database.url)
      const account = password === '' ? username : `${username}:${password}`
      return `postgres://${account}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`
    },
    cut(afterMessages = 0) {
      messagesLeft = afterMessages
      if (afterMessages === 0) cutNow()
    },
    cutBeforeCommitIsAnswered() {
      losesCommit = true
    },
    endBeforeCommitIsAnswered() {
      panics = true
    },
    get isCut() {
      return isCut
    },
    mend() {
      isCut = false
      messagesLeft = Number.POSITIVE_INFINITY
    },
  }
}
