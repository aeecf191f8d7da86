import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, before } from 'node:test'
import { createDns, type Dns } from '#platform/outbound/dns.ts'

const TYPES = { TXT: 16, CNAME: 5 } as const
const NO_SUCH_NAME = 3
const SERVER_FAILED = 2

type RecordType = keyof typeof TYPES

export type DnsServer = {
  /** Asks this server only. */
  readonly dns: Dns
  publish(type: RecordType, name: string, value: string): void
  withdraw(name: string): void
  /** From now on every question is answered with a failure of the server, or again as it should be. */
  fail(isFailing: boolean): void
  /** The names that were asked for. */
  readonly asked: string[]
}

/** A name server on loopback, over UDP, that knows what a test publishes. */
export function useDnsServer(): DnsServer {
  const records: { type: RecordType; name: string; value: string }[] = []
  const asked: string[] = []
  const socket = createSocket('udp4')
  let isFailing = false
  let dns: Dns | undefined

  socket.on('message', (question, from) => {
    const { name, type, end } = readQuestion(question)
    asked.push(name)
    const found = records.filter((record) => record.name === name)
    const answers = found.filter((record) => TYPES[record.type] === type)
    const code = isFailing ? SERVER_FAILED : found.length === 0 ? NO_SUCH_NAME : 0
    socket.send(
      Buffer.concat([header(question, code, answers.length), question.subarray(12, end), ...answers.map(encode)]),
      from.port,
      from.address,
    )
  })
  before(async () => {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    dns = createDns([`127.0.0.1:${socket.address().port}`])
  })
  after(() => socket.close())

  return {
    get dns() {
      if (dns === undefined) throw new Error('the name server starts in a before hook')
      return dns
    },
    publish: (type, name, value) => void records.push({ type, name, value }),
    withdraw(name) {
      for (const record of records.filter((each) => each.name === name)) records.splice(records.indexOf(record), 1)
    },
    fail(failing) {
      isFailing = failing
    },
    asked,
  }
}

/** The name and type of a question (RFC 1035, 4.1.2), and where it ends. */
function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += length + 1
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function header(question: Buffer, code: number, answers: number): Buffer {
  const bytes = Buffer.alloc(12)
  question.copy(bytes, 0, 0, 2)
  // A response, with recursion desired and available.
  bytes.writeUInt16BE(0x8180 | code, 2)
  bytes.writeUInt16BE(1, 4)
  bytes.writeUInt16BE(answers, 6)
  return bytes
}

/** A record whose name is that of the question, by a pointer to it. */
function encode({ type, value }: { type: RecordType; value: string }): Buffer {
  const data = type === 'TXT' ? labelled([value]) : Buffer.concat([labelled(value.split('.')), Buffer.alloc(1)])
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(TYPES[type], 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function labelled(texts: string[]): Buffer {
  return Buffer.concat(texts.map((text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')])))
}
