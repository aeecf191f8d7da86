/** An entry whose bytes are in the file already, or are about to be written. */
export type WrittenEntry = {
  name: string
  /** 0 stored, 8 deflated. */
  method: number
  crc32: number
  compressedSize: number
  size: number
  time: number
  date: number
  attributes: number
}

/** Names are in UTF-8. */
const FLAGS = 0x0800
const VERSION = 20
/** 1980-01-01, the first day that a zip file knows. */
export const FIRST_DATE = 0x21
export const DEFLATED = 8
export const STORED = 0

/** The largest number of entries of a zip file without zip64. */
export const ZIP_ENTRIES_MAX = 0xfffe

/** The fields that the local and the central header share, from the version that is needed to the lengths. */
function commonFields(entry: WrittenEntry, nameBytes: number): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(VERSION, 0)
  fields.writeUInt16LE(FLAGS, 2)
  fields.writeUInt16LE(entry.method, 4)
  fields.writeUInt16LE(entry.time, 6)
  fields.writeUInt16LE(entry.date, 8)
  fields.writeUInt32LE(entry.crc32, 10)
  fields.writeUInt32LE(entry.compressedSize, 14)
  fields.writeUInt32LE(entry.size, 18)
  fields.writeUInt16LE(nameBytes, 22)
  return fields
}

export function localHeader(entry: WrittenEntry): Buffer {
  const name = Buffer.from(entry.name)
  return Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), commonFields(entry, name.length), name])
}

export function centralHeader(entry: WrittenEntry, offset: number): Buffer {
  const name = Buffer.from(entry.name)
  const madeBy = Buffer.alloc(2)
  madeBy.writeUInt16LE(VERSION)
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(entry.attributes, 6)
  rest.writeUInt32LE(offset, 10)
  return Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), madeBy, commonFields(entry, name.length), rest, name])
}

export function endOfDirectory(entries: number, start: number, bytes: number): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(bytes, 12)
  end.writeUInt32LE(start, 16)
  return end
}
