import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { type Page, type PageRequest, type RowList, readPage } from '../../db/pages.ts'
import type { SortKey } from '../../db/sorts.ts'
import { fieldInvalid } from '../../errors/faults.ts'
import { type Problem, validationFailed } from '../../errors/problem.ts'
import { asciiJson } from '../../wire/times.ts'
import { answerBytes, sendJson } from './answers.ts'
import { askedFields, onlyFields } from './fields.ts'
import { createHolding } from './large-answers.ts'

const PAGE_SIZE = 50
const PAGE_SIZE_MAX = 250
/** Documents read at once while a whole list is streamed: what one list costs in memory. */
const BATCH = 100
/** Beyond this, counting costs more than anybody gains by the number. */
const COUNTED_MAX = 10_000
const CURSOR_LENGTH_MAX = 4000

export const Fields = Type.Object({
  fields: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'Comma-separated names of the fields to return. Unknown names are ignored; empty means all.',
      examples: ['id,title'],
    }),
  ),
})

const PageNumber = Type.String({ pattern: '^[0-9]{0,9}$' })

export const Paging = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_SIZE_MAX,
      description: `Entries of one page. Without \`limit\` and \`page\` the whole list is returned.`,
    }),
  ),
  page: Type.Optional(
    Type.Unsafe<string>({
      ...PageNumber,
      description: `1-based number of the page, ${PAGE_SIZE} entries each unless \`limit\` says otherwise.`,
    }),
  ),
  Page: Type.Optional(
    Type.Unsafe<string>({ ...PageNumber, description: 'Another spelling of `page`. Empty counts as absent.' }),
  ),
  since_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only entries with an id greater than this.',
    }),
  ),
  sort: Type.Optional(
    Type.Unsafe<'id' | '-id'>({
      type: 'string',
      enum: ['id', '-id'],
      description: '`-id`: newest first. Without it, oldest first.',
    }),
  ),
  before_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only entries with an id smaller than this, newest first.',
    }),
  ),
  total_count: Type.Optional(
    Type.Boolean({
      description:
        `Answer the number of all entries that fit, in the header \`Total-Count\`. Where there are more than ` +
        `${COUNTED_MAX.toLocaleString('en')}, it is \`${COUNTED_MAX}+\`.`,
    }),
  ),
  ...Fields.properties,
})

/** The paging of a list that can be sorted by some columns beside the id. */
export function sortedPaging<const Columns extends readonly string[]>(...columns: Columns) {
  const sorts = ['id', '-id', ...columns.flatMap((column) => [column, `-${column}`])]
  return Type.Object({
    ...Paging.properties,
    sort: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: sorts,
        description: 'The field to sort by; with a minus sign, the other way round. Without it, by id.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: CURSOR_LENGTH_MAX,
        description:
          'Where a page of a sorted list begins, or the one before it ends. The `Link` header of a page contains both.',
      }),
    ),
  })
}

type Paging = Omit<Static<typeof Paging>, 'sort'> & { sort?: string; cursor?: string }

/** Sends a list of stored documents. */
export function sendList<Row extends { id: number; document: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  list: RowList<Row>,
  documentOf: (row: Row) => string = ({ document }) => document,
): Promise<FastifyReply> {
  return send(
    request,
    reply,
    key,
    pagesOf(list, (rows) => rows.map(documentOf)),
    list.countUpTo,
  )
}

/** Sends a list of rows that have no stored document: each page is presented when it is read. */
export function sendRows<Row extends { id: number }>(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  list: RowList<Row>,
  presentAll: (rows: Row[]) => object[] | Promise<object[]>,
): Promise<FastifyReply> {
  return send(
    request,
    reply,
    key,
    pagesOf(list, async (rows) => (await presentAll(rows)).map((entry) => asciiJson(entry))),
    list.countUpTo,
  )
}

/** Sends a list whose documents are stored in part, or made from several rows, page by page. */
export function sendDocuments<Row extends { id: number }>(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  list: RowList<Row>,
  documentsOf: (rows: Row[]) => string[] | Promise<string[]>,
): Promise<FastifyReply> {
  return send(request, reply, key, pagesOf(list, documentsOf), list.countUpTo)
}

/** Sends a short list that is already in memory, oldest first, such as the parts of one document. */
export function sendEntries(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  entries: readonly { id: number }[],
): Promise<FastifyReply> {
  const readPage: ReadPage = async ({ after, before, limit, offset }) => {
    const chosen = entries.filter(({ id }) => id > after && (before === undefined || id < before))
    const rest = (before === undefined ? chosen : chosen.reverse()).slice(offset)
    const page = rest.slice(0, limit)
    const lastId = page.at(-1)?.id ?? before ?? after
    return { documents: page.map((entry) => asciiJson(entry)), lastId, more: rest.length > limit }
  }
  return send(request, reply, key, readPage, async () => entries.length)
}

type ReadPage = (request: PageRequest) => Promise<Page>

function pagesOf<Row extends { id: number }>(
  list: RowList<Row>,
  documentsOf: (rows: Row[]) => string[] | Promise<string[]>,
): ReadPage {
  return async (request) => {
    try {
      return await readPage(list, documentsOf, request)
    } catch (error) {
      // Only PostgreSQL knows all that it can read as a time.
      throw request.sorted?.from !== undefined && isNoTime(error) ? cursorInvalid() : error
    }
  }
}

const NO_TIMES: readonly unknown[] = ['22007', '22008']

function isNoTime(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_TIMES.includes(error.code)
}

/**
 * Sends one page if the caller requests one, otherwise the whole list as a stream. The whole list is read page by page
 * by key, not with an open cursor: a slow client then keeps no connection to the database.
 */
async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  readPage: ReadPage,
  countUpTo: (maximum: number) => Promise<number>,
): Promise<FastifyReply> {
  const query: Paging = request.query ?? {}
  const fields = askedFields(query.fields)
  const { isBackwards, ...span } = spanOf(query)
  const pageNumber = Math.max(1, Number(query.page || query.Page || 1))
  const paged = query.limit !== undefined || Boolean(query.page || query.Page) || isBackwards
  const limit = paged ? (query.limit ?? PAGE_SIZE) : BATCH
  const asked = { ...span, limit, offset: paged ? (pageNumber - 1) * limit : 0 }
  const [first, count] = await Promise.all([
    isBackwards ? pageBefore(readPage, asked) : readPage(asked),
    query.total_count ? countUpTo(COUNTED_MAX) : undefined,
  ])
  if (count !== undefined) reply.header('total-count', count > COUNTED_MAX ? `${COUNTED_MAX}+` : String(count))
  const holding = createHolding(request, reply)
  const cut = ({ documents }: Page) => {
    const texts = fields === undefined ? documents : documents.map((document) => onlyFields(document, fields))
    holding(texts.reduce((sum, { length }) => sum + length, 0))
    return texts
  }
  const links = paged ? linksOf(request, span, first, isBackwards, limit) : []
  if (links.length > 0) reply.header('link', links.join(', '))
  if (paged || !first.more) {
    const bytes = answerBytes(request, `{"${key}":[`, cut(first), ']}')
    first.documents.length = 0
    return sendJson(reply, bytes)
  }
  reply.header('content-type', 'application/json; charset=utf-8')
  // The first page is cut before the answer begins: what is refused then is still an error of the whole answer.
  return reply.send(streamList(request, key, readPage, span, { ...first, documents: cut(first) }, cut))
}

/** Reads a page when the client has taken the one before. The first one is cut already. */
function streamList(
  request: FastifyRequest,
  key: string,
  readPage: ReadPage,
  span: Span,
  first: Page,
  cut: (page: Page) => string[],
): Readable {
  let last: Page | undefined
  // A page may be empty although rows were read: they can be deleted before they are presented.
  let isEmpty = true
  const next = async (): Promise<Buffer> => {
    const page = last === undefined ? first : await readPage({ ...pageAfter(span, last), limit: BATCH, offset: 0 })
    const texts = last === undefined ? page.documents : cut(page)
    const opening = last === undefined ? `{"${key}":[` : ''
    const comma = isEmpty || page.documents.length === 0 ? '' : ','
    isEmpty &&= page.documents.length === 0
    last = page
    ended = !page.more
    const bytes = answerBytes(request, opening + comma, texts, ended ? ']}' : '')
    page.documents.length = 0
    return bytes
  }
  let ended = false
  return new Readable({
    read() {
      next().then(
        (bytes) => {
          this.push(bytes)
          if (ended) this.push(null)
        },
        (error) => this.destroy(error),
      )
    },
  })
}

/** Which rows a list has, and in which order: by a column, else newest first if there is an end. */
type Span = Pick<PageRequest, 'after' | 'before' | 'sorted'>

/** `isBackwards`: the page that ends before the cursor. */
function spanOf({ since_id: after = 0, sort = 'id', before_id, cursor }: Paging): Span & { isBackwards: boolean } {
  const descending = sort.startsWith('-')
  const by = descending ? sort.slice(1) : sort
  if (by !== 'id') {
    const { from, isBackwards } = cursor ? readCursor(cursor) : { from: undefined, isBackwards: false }
    return { after, sorted: { by, descending, from }, isBackwards }
  }
  if (before_id === undefined && sort !== '-id') return { after, isBackwards: false }
  return { after, before: before_id ?? Number.MAX_SAFE_INTEGER, isBackwards: false }
}

/** In a cursor, after the key of the row. */
const BACKWARDS = 'before'

/** A cursor is opaque to clients, but a text that we have not written must not reach the database. */
function readCursor(cursor: string): { from: SortKey; isBackwards: boolean } {
  const [value, id, direction] = valuesIn(cursor)
  if (typeof value !== 'string' || value.includes('\0') || !Number.isSafeInteger(id)) throw cursorInvalid()
  return { from: { value, id: Number(id) }, isBackwards: direction === BACKWARDS }
}

/** Reads the rows before a key in the other order, and turns them round. */
async function pageBefore(readPage: ReadPage, { sorted, ...request }: PageRequest): Promise<Page> {
  if (sorted === undefined) throw new Error('only a sorted list is read backwards')
  const { documents, firstKey, lastKey, ...page } = await readPage({
    ...request,
    sorted: { ...sorted, descending: !sorted.descending },
  })
  return { ...page, documents: documents.reverse(), firstKey: lastKey, lastKey: firstKey }
}

/** The pages beside one. Only a sorted list says where it goes back. */
function linksOf(request: FastifyRequest, span: Span, page: Page, isBackwards: boolean, limit: number): string[] {
  const { firstKey, more } = page
  const isSorted = span.sorted?.from !== undefined
  const [hasNext, hasPrevious] = isBackwards ? [firstKey !== undefined, more] : [more, isSorted]
  return [
    ...(hasNext ? [`<${otherPage(request, pageAfter(span, page), limit)}>; rel="next"`] : []),
    ...(hasPrevious && firstKey !== undefined
      ? [`<${otherPage(request, span, limit, writeCursor(firstKey, BACKWARDS))}>; rel="prev"`]
      : []),
  ]
}

function valuesIn(cursor: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}

function cursorInvalid(): Problem {
  return validationFailed('cursor', fieldInvalid('is not one that a Link header has given'))
}

function writeCursor({ value, id }: SortKey, direction?: typeof BACKWARDS): string {
  return Buffer.from(JSON.stringify(direction === undefined ? [value, id] : [value, id, direction])).toString(
    'base64url',
  )
}

function pageAfter({ after, before, sorted }: Span, { lastId, lastKey }: Page): Span {
  if (sorted !== undefined) return { after, sorted: { ...sorted, from: lastKey } }
  return before === undefined ? { after: lastId } : { after, before: lastId }
}

/** Another page by key: its cost does not grow with its number, and rows added meanwhile shift nothing. */
function otherPage(
  request: FastifyRequest,
  { after, before, sorted }: Span,
  limit: number,
  cursor = sorted?.from === undefined ? undefined : writeCursor(sorted.from),
): string {
  const url = new URL(request.originalUrl, request.server.baseUrl)
  for (const name of ['page', 'Page', 'access_token']) url.searchParams.delete(name)
  url.searchParams.set('limit', String(limit))
  if (cursor !== undefined) url.searchParams.set('cursor', cursor)
  else if (before === undefined) url.searchParams.set('since_id', String(after))
  else url.searchParams.set('before_id', String(before))
  return `${request.server.baseUrl}${url.pathname}${url.search}`
}
