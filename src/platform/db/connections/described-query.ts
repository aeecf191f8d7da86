import pg from 'pg'

/** How the rows of a statement are read. It stays the same for as long as PostgreSQL keeps the statement. */
type Shape = { fields: unknown[]; _parsers: unknown[] | undefined; _prebuiltEmptyResultObject: object | null }

/** What is known of the statements of one connection, by their names. */
export type Shapes = { byName: Map<string, Shape>; undescribed: object | undefined }

export function createShapes(): Shapes {
  return { byName: new Map(), undescribed: undefined }
}

/** These parts of a query are not documented by pg. */
type Internals = {
  name: string | undefined
  _result: Shape
  _accumulateRows: boolean
  prepare(connection: object): void
  hasBeenParsed(connection: object): boolean
  handleRowDescription(message: object): void
  handleCommandComplete(message: object, connection: object): void
  handleError(error: Error, connection: object): void
}

const Query = pg.Query as unknown as new (text: string, values: unknown[]) => Internals
const HANDLERS = ['prepare', 'hasBeenParsed', 'handleRowDescription', 'handleCommandComplete', 'handleError'] as const
if (HANDLERS.some((name) => typeof Query.prototype[name] !== 'function'))
  throw new Error('This version of pg reads results in another way. Install the versions of package-lock.json.')

/** Has a table got another column? PostgreSQL does not change what a named statement returns, and refuses it from then on. */
export function isStale(error: unknown): boolean {
  return error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery'
}

/** A migration of a newer version may change a table several times while a statement is tried again. */
export const STALE_TRIES_MAX = 5

/** Sends a statement outside of a transaction, and again if it is refused as stale: nothing of it was done. */
export async function againWhenStale<Result>(send: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      if (attempt === STALE_TRIES_MAX || !isStale(error)) throw error
    }
  }
}

/**
 * A named statement that asks PostgreSQL for a description of its rows once a connection, and not with every execution. For a
 * row of many columns that takes as long as reading the row.
 */
export class DescribedQuery extends Query {
  readonly #shapes: Shapes
  readonly #onStale: () => void
  #isDescribed = false

  /** `onStale` is called if the statement will never work again under this name. */
  constructor(text: string, values: unknown[], name: string | undefined, shapes: Shapes, onStale: () => void) {
    super(text, values)
    this.name = name
    this.#shapes = shapes
    this.#onStale = onStale
  }

  override prepare(connection: object): void {
    const shape = this.name === undefined ? undefined : this.#shapes.byName.get(this.name)
    if (shape === undefined || !this.hasBeenParsed(connection)) {
      super.prepare(connection)
      return
    }
    this.#isDescribed = true
    this._result.fields = shape.fields
    this._result._parsers = shape._parsers
    this._result._prebuiltEmptyResultObject = shape._prebuiltEmptyResultObject
    this._accumulateRows = true
    this.#shapes.undescribed ??= Object.assign(Object.create(connection), { describe: () => {} })
    super.prepare(this.#shapes.undescribed ?? connection)
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message)
    this.#remember()
  }

  /** A statement that returns no rows has no description. */
  override handleCommandComplete(message: object, connection: object): void {
    if (!this.#isDescribed) this.#remember()
    super.handleCommandComplete(message, connection)
  }

  override handleError(error: Error, connection: object): void {
    if (isStale(error)) this.#onStale()
    super.handleError(error, connection)
  }

  #remember(): void {
    this.#isDescribed = true
    if (this.name === undefined) return
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    this.#shapes.byName.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}
