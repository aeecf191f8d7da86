import { crc32 } from 'node:zlib'

/** A ZIP archive of a few small texts, without compression: all that the files of a demo shop need. */
export function makeZip(entries: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(entries)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x0800, 2)
    common.writeUInt16LE(0x21, 8)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(path.length, 22)
    parts.push(Buffer.from('PK\u0003\u0004'), common, path, bytes)
    const end = Buffer.alloc(14)
    end.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000'), common, end, path)
    offset += 30 + path.length + bytes.length
  }
  const index = Buffer.concat(directory)
  const count = Object.keys(entries).length
  const tail = Buffer.alloc(18)
  tail.writeUInt16LE(count, 4)
  tail.writeUInt16LE(count, 6)
  tail.writeUInt32LE(index.length, 8)
  tail.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, index, Buffer.from('PK\u0005\u0006'), tail])
}
