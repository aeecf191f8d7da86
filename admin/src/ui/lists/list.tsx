import { Link, type LinkProps } from '@tanstack/react-router'
import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../../words/words.ts'
import { Button } from '../button.tsx'
import { Icon, type IconName } from '../icons.tsx'

/** On a phone, a row has two lines: `place` says where a cell stands there. Cells without one are left out. */
export type Column<Row> = {
  title: string
  /** In place of the title, which is then the name of the column alone. */
  heading?: ReactNode
  cell: (row: Row) => ReactNode
  place?: 'tick' | 'first' | 'first-end' | 'second' | 'second-end'
  isNumber?: true
  /** On a phone, which has no headings, the title stands before the value. */
  isNamed?: true
  width?: 'narrow' | 'wide'
  /** How the cell itself looks, which saves an element in every row. */
  look?: 'muted' | 'muted figure' | 'strong'
}

type TableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string | number
  /** Shown if there are none. */
  empty: ReactNode
}

const WAITING = Array.from({ length: 8 }, (_, place) => place)

const classes = ({ place, isNumber, width }: Pick<Column<never>, 'place' | 'isNumber' | 'width'>) =>
  [place, isNumber && 'number figure', width].filter(Boolean).join(' ')

function Cells<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map((column) => (
        <td
          key={column.title}
          className={column.look === undefined ? classes(column) : `${classes(column)} ${column.look}`}
          data-title={column.isNamed ? column.title : undefined}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

/** A row is drawn again if it or the columns have changed: lists whose columns are memoised draw only what is new. */
const TableRow = memo(Cells) as typeof Cells

export function Table<Row>({ label, columns, rows, keyOf, empty }: TableProps<Row>) {
  if (rows?.length === 0) return empty
  return (
    <table className="table" aria-label={label} aria-busy={rows === undefined}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" className={classes(column)}>
              {column.heading ?? column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows === undefined
          ? WAITING.map((place) => (
              <tr key={place}>
                {columns.map((column) => (
                  <td key={column.title} className={classes(column)}>
                    <span className="skeleton" />
                  </td>
                ))}
              </tr>
            ))
          : rows.map((row) => <TableRow key={keyOf(row)} row={row} columns={columns} />)}
      </tbody>
    </table>
  )
}

type EmptyProps = { icon: IconName; text: string; children?: ReactNode }

/** What to do where nothing is yet. */
export function Empty({ icon, text, children }: EmptyProps) {
  return (
    <div className="empty">
      <Icon name={icon} className="icon-large" size={40} />
      <p>{text}</p>
      {children}
    </div>
  )
}

export type View = { key: string; title: string; link: Omit<LinkProps, 'children'>; isCurrent: boolean }

/** Lists of the same things, with other filters. */
export function Views({ views }: { views: readonly View[] }) {
  const nav = useRef<HTMLElement>(null)
  const current = views.find(({ isCurrent }) => isCurrent)?.key
  // On a phone, the one that is shown may lie beside the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is found by what the page shows
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [current])
  return (
    <nav ref={nav} className="tabs" aria-label={t('list.views')}>
      {views.map(({ key, title, link, isCurrent }) => (
        <Link
          key={key}
          {...link}
          activeOptions={{ exact: true }}
          activeProps={{}}
          aria-current={isCurrent ? 'page' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}

const TYPING_MS = 250

/** A search that asks when somebody stops typing. The address keeps the words, so that going back finds them. */
export function SearchField({
  label,
  words,
  onWords,
  beside,
}: {
  label: string
  words: string
  onWords: (words: string) => void
  beside?: ReactNode
}) {
  const [typed, setTyped] = useState(words)
  const asked = useRef(words)
  // Somebody went back, or followed a link to another list.
  useEffect(() => {
    if (words !== asked.current) setTyped(words)
    asked.current = words
  }, [words])
  useEffect(() => {
    if (typed === asked.current) return undefined
    const timer = setTimeout(() => {
      asked.current = typed
      onWords(typed)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, onWords])
  return (
    <search className="filters">
      <label className="search">
        <Icon name="search" />
        <span className="hidden">{label}</span>
        <input
          type="search"
          placeholder={label}
          value={typed}
          maxLength={100}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {beside}
    </search>
  )
}

/** A button to another page; without a way there, it is off. */
type Turn = { title: string; turn: (() => void) | undefined }
type FootProps = { said: ReactNode; newer: Turn; older: Turn }

/** Where in the list the page is, and the ways to the next ones. */
export function ListFoot({ said, newer, older }: FootProps) {
  return (
    <div className="list-foot">
      <span className="muted figure grow">{said}</span>
      {[newer, older].map(({ title, turn }) => (
        <Button key={title} disabled={turn === undefined} onClick={turn}>
          {title}
        </Button>
      ))}
    </div>
  )
}
