import { type Static, Type } from 'typebox'
import { Id, named, nullable, Text, Time } from '#platform/wire/schema.ts'
import { CSV_KINDS } from './csv/kinds.facts.ts'
import { OTHER_SHOPS, WHYS } from './csv/presets/state.ts'
import { CHANGE_KINDS } from './undo/state.ts'

/** Half a million short lines. More is imported in parts, or on the command line. */
export const IMPORT_BYTES_MAX = 20 * 1_048_576

const NAME_MAX = 200
const HEADING_MAX = 500
const FIELD_MAX = 50
const VALUE_MAX = 20_000
const COLUMNS_MAX = 300
const MATCHES_MAX = 1000
const FIXES_MAX = 1000
const LEFT_OUT_MAX = 10_000
const LINE_MAX = 10_000_000

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-15', 'macintosh'] as const

const Line = Type.Integer({ minimum: 1, maximum: LINE_MAX, description: 'Line of the file, counted from 1.' })
const Field = Text(FIELD_MAX, 'Name of a field, as docs/import.md lists them.', ['price'])
const Amount = (description: string) => Type.Integer({ minimum: 0, description })

const Kind = Type.Enum(CSV_KINDS, {
  description: 'What the file is about. Its columns tell, where they can.',
})

const ExportedFrom = nullable(
  Type.Enum(OTHER_SHOPS, {
    description: 'The shop that the file was exported from, which tells how its columns are read; null: none of these.',
  }),
)

const Encoding = Type.Enum(ENCODINGS, { description: 'Encoding of the file.' })

const Column = Type.Object({
  heading: Text(HEADING_MAX, 'Heading of the column in the file.', ['Variant Price']),
  field: nullable(Field),
})

const Fix = Type.Object({
  line: Line,
  field: Field,
  value: Text(VALUE_MAX, 'The value that counts instead of that of the file. Empty: none.', ['14.99']),
})

const Default = Type.Object({
  field: Field,
  value: Text(VALUE_MAX, 'The value of lines that have none of their own. Empty: none.', ['2024-06-10']),
})

const Match = Type.Object({
  name: Text(VALUE_MAX, 'What the file calls a product.', ['Winter Light (HD)']),
  product_id: nullable(Text(50, 'The product of the shop, by `product_id` or id; null: its sales are left out.')),
})

export const ImportInput = Type.Object(
  {
    kind: Type.Optional(Kind),
    exported_from: Type.Optional(ExportedFrom),
    encoding: Type.Optional(Encoding),
    columns: Type.Optional(
      Type.Array(Column, {
        maxItems: COLUMNS_MAX,
        description: 'The field of each column; null leaves it out. Columns that are not named stay as they are.',
      }),
    ),
    defaults: Type.Optional(
      Type.Array(Default, {
        maxItems: COLUMNS_MAX,
        description: 'Values for all lines that have none of their own, all of them: the list is replaced.',
      }),
    ),
    fixes: Type.Optional(
      Type.Array(Fix, {
        maxItems: FIXES_MAX,
        description: 'Values for single lines, all of them: the list is replaced.',
      }),
    ),
    left_out: Type.Optional(
      Type.Array(Line, {
        maxItems: LEFT_OUT_MAX,
        description: 'Lines that are not imported, all of them: the list is replaced.',
      }),
    ),
    matches: Type.Optional(
      Type.Array(Match, {
        maxItems: MATCHES_MAX,
        description: 'Products for what a file of sales calls otherwise, all of them: the list is replaced.',
      }),
    ),
  },
  { $id: 'ImportInput', examples: [{ kind: 'products', left_out: [212] }] },
)

const Counts = Type.Object({
  created: Amount('Entries that are new.'),
  changed: Amount('Entries that change what is there.'),
  unchanged: Amount('Entries that are the same already.'),
  skipped: Amount('Entries that stand for something that comes with the service or from the marketplace.'),
  refused: Amount('Entries with mistakes. Nothing is imported while there is one.'),
})

const Mistake = Type.Object({
  line: Amount('Line of the file.'),
  name: Type.String({ description: 'What the line is about.' }),
  field: nullable(Type.String({ description: 'Field that is wrong; null if the whole line is meant.' })),
  column: nullable(Type.String({ description: 'Heading of its column; null if the file has none.' })),
  value: nullable(Type.String({ description: 'The value that is wrong, cut if it is long.' })),
  reason: Type.String({ description: 'For programs.', examples: ['not_an_amount'] }),
  message: Type.String({ description: 'For people.' }),
})

const Example = Type.Object({
  line: Amount('Line of the file.'),
  name: Type.String({ description: 'What the line is about.' }),
  action: Type.Enum(['created', 'changed'], { description: 'What becomes of it.' }),
  values: Type.Record(Type.String(), Type.String(), { description: 'Its values by field.' }),
})

const Warning = Type.Object({
  reason: Type.String({ description: 'For programs.' }),
  message: Type.String({ description: 'For people.' }),
  count: Amount('How many lines it is about.'),
  lines: Type.Array(Type.Integer(), { description: 'The first of them.' }),
})

const Report = Type.Object(
  {
    counts: Counts,
    mistakes: Type.Array(Mistake, {
      description: 'The first 500. `counts.refused` says how many entries have mistakes.',
    }),
    examples: Type.Array(Example, { description: 'A few lines that are new, and a few that change something.' }),
    warnings: Type.Array(Warning, {
      description: 'What keeps products from being sold, and who is asked by mail; they are imported all the same.',
    }),
    notes: Type.Array(Type.String(), { description: 'Parts of the file that are not imported.' }),
    unmatched: Type.Array(Type.Object({ name: Type.String(), count: Amount('How many sales are about it.') }), {
      description: 'What a file of sales names and no product of the shop is called. Name products in `matches`.',
    }),
    created_ids: Type.Array(Type.Integer(), { description: 'The first 50 ids that the import has created.' }),
  },
  { description: 'What the last check or the import has found out; null before the first.' },
)

const Problem = Type.Object(
  {
    reason: Type.String({ description: 'For programs.', examples: ['quote_not_closed'] }),
    line: nullable(Amount('Line of the file.')),
    message: Type.String({ description: 'For people.' }),
  },
  { description: 'Why nothing of the file can be imported; null if it can.' },
)

const Kept = Type.Object({
  line: Amount('Line of the file.'),
  kind: Type.Enum(CHANGE_KINDS, { description: 'What it is.' }),
  name: Type.String({ description: 'Its name.' }),
  reason: Type.Enum(['sold', 'in_use', 'changed', 'refused'], {
    description:
      '`sold`: it was sold. `in_use`: something else depends on it. `changed`: somebody has changed it since. `refused`: what it was before can no longer be, such as a price that is gone.',
  }),
  fields: Type.Array(Type.String(), { description: 'The fields that stay; empty if all of it stays.' }),
})

export const ImportUndo = Type.Object(
  {
    removed: Amount('Things that are removed, because the import created them.'),
    restored: Amount('Things that get their former values back.'),
    kept: Amount('Things that stay as they are.'),
    gone: Amount('Things that somebody has deleted since.'),
    lines: Type.Array(Kept, { description: 'The first 500 things that stay, or of which fields stay.' }),
  },
  { $id: 'ImportUndo' },
)

export const Import = Type.Object(
  {
    id: Id('Id of the import.'),
    file_name: Type.String({ description: 'Name of the file.', examples: ['products.csv'] }),
    size: Amount('Size of the file in bytes.'),
    encoding: Encoding,
    kind: nullable(Kind),
    exported_from: ExportedFrom,
    state: Type.Enum(['draft', 'checking', 'checked', 'importing', 'imported', 'failed', 'undoing', 'undone'], {
      description:
        '`draft`: not checked as it is now. `checking`, `importing`, `undoing`: under way. `checked`: `report` says what an import would do. `imported`: done. `failed`: `problem` says why. `undone`: `undo` says what was taken back.',
    }),
    columns: Type.Array(
      Type.Object({
        heading: Type.String({ description: 'Heading of the column.' }),
        field: nullable(Type.String({ description: 'The field that it fills; null: it is left out.' })),
        samples: Type.Array(Type.String(), { description: 'Its first values.' }),
        why: nullable(
          Type.Enum(WHYS, { description: 'Why it is left out, if it is a column of an export that is known.' }),
        ),
      }),
    ),
    fields: Type.Array(Type.String(), { description: 'The fields that columns of such a file can fill.' }),
    defaults: Type.Array(Type.Object({ field: Type.String(), value: Type.String() }), {
      description: 'Values of lines that have none of their own.',
    }),
    fixes: Type.Array(Type.Object({ line: Type.Integer(), field: Type.String(), value: Type.String() }), {
      description: 'Values that count instead of those of the file.',
    }),
    left_out: Type.Array(Type.Integer(), { description: 'Lines that are not imported.' }),
    matches: Type.Array(
      Type.Object({ name: Type.String(), product_id: nullable(Type.String({ description: 'Null: left out.' })) }),
      { description: 'The products that names in a file of sales stand for.' },
    ),
    total: Amount('Entries of the file, once it was checked.'),
    done: Amount('Entries that the check, the import or the undoing under way has dealt with.'),
    report: nullable(Report),
    problem: nullable(Problem),
    undo: Type.Union([named(ImportUndo), Type.Null()], {
      description: 'What undoing it has done; null if it was not undone.',
    }),
    undo_until: nullable(Time('Until when it can be undone: a day after it was imported.')),
    created_at: Time('When the file was sent. It is deleted after three days.'),
    updated_at: Time('When it was last changed.'),
    imported_at: nullable(Time('When it was imported.')),
  },
  { $id: 'Import' },
)

export type Import = Static<typeof Import>
export type ImportInput = Static<typeof ImportInput>

export const UploadQuery = Type.Object({
  file_name: Type.Optional(Text(NAME_MAX, 'Name of the file.', ['products.csv'])),
  kind: Type.Optional(Kind),
})

export const CSV_TYPES = ['text/csv', 'text/tab-separated-values', 'application/octet-stream'] as const

const Bytes = Type.String({ format: 'binary', maxLength: IMPORT_BYTES_MAX, description: 'The file itself.' })

export const CsvBody = { content: Object.fromEntries(CSV_TYPES.map((type) => [type, { schema: Bytes }])) }
