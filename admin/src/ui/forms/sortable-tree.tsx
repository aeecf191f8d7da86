import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../../words/words.ts'
import { Icon } from '../icons.tsx'
import { type Branch, canMove, droppedAt, type Place, steppedTo, type TreeItem } from './tree-places.ts'

type SortableTreeProps<Item extends TreeItem> = {
  label: string
  /** In the order of the screen: each with how deep it lies. */
  rows: readonly Branch<Item>[]
  nameOf: (item: Item) => string
  move: (item: Item, place: Place) => void
  isFixed?: boolean
  children: (item: Item) => ReactNode
}

type Drag = { id: number; x: number; place: Place | undefined; line: number; depth: number }

/** Rows of a tree that are moved with the mouse, a finger or the arrow keys: up and down, and in and out. */
export function SortableTree<Item extends TreeItem>(props: SortableTreeProps<Item>) {
  const { label, rows, nameOf, move, isFixed = false, children } = props
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag>()
  const [said, setSaid] = useState('')
  // A row that moves loses the focus, and the next press of a key is for the same row. Whoever has gone elsewhere stays there.
  const held = useRef<number>(undefined)
  useEffect(() => {
    if (held.current === undefined || document.activeElement !== document.body) return
    list.current?.querySelector<HTMLElement>(`[data-id="${held.current}"] .handle`)?.focus()
  })

  const moveTo = (item: Item, place: Place | undefined) => {
    if (place === undefined || !canMove(rows, item.id, place)) return
    move(item, place)
    const parent = rows.find(({ item: each }) => each.id === place.parent)
    const values = { name: nameOf(item), place: place.position + 1 }
    setSaid(
      parent === undefined
        ? t('tree.moved_top', values)
        : t('tree.moved_below', { ...values, parent: nameOf(parent.item) }),
    )
  }
  const follow = ({ clientX, clientY }: PointerEvent) => {
    if (drag === undefined) return
    const boxes = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect())
    const line = boxes.filter(({ top, height }) => clientY > top + height / 2).length
    const { place, depth } = droppedAt(rows, drag.id, line, clientX - drag.x)
    setDrag({ ...drag, line, depth, place })
  }
  const drop = (item: Item) => {
    setDrag(undefined)
    moveTo(item, drag?.place)
  }
  const step = (event: KeyboardEvent, item: Item) => {
    const place = steppedTo(rows, item.id, event.key)
    if (place === undefined) return
    event.preventDefault()
    held.current = item.id
    moveTo(item, place)
  }
  const lineAt = (row: number) =>
    drag?.place === undefined
      ? ''
      : drag.line === row
        ? ' drop-above'
        : drag.line === row + 1 && row === rows.length - 1
          ? ' drop-below'
          : ''
  return (
    <>
      <ol ref={list} className="rows sortable tree" aria-label={label}>
        {rows.map(({ item, depth }, row) => (
          <li
            key={item.id}
            data-id={item.id}
            className={`depth-${Math.min(depth, 6)}${drag?.id === item.id ? ' dragged' : ''}${lineAt(row)}${
              drag === undefined ? '' : ` drop-${Math.min(drag.depth, 6)}`
            }`}
          >
            {!isFixed && (
              <button
                type="button"
                className="handle"
                aria-label={t('tree.handle', { name: nameOf(item) })}
                aria-describedby="tree-keys"
                onPointerDown={(event) => {
                  event.currentTarget.setPointerCapture(event.pointerId)
                  held.current = undefined
                  setDrag({ id: item.id, x: event.clientX, place: undefined, line: row, depth })
                }}
                onPointerMove={follow}
                onPointerUp={() => drop(item)}
                onPointerCancel={() => setDrag(undefined)}
                onBlur={({ relatedTarget }) => {
                  if (relatedTarget !== null) held.current = undefined
                }}
                onKeyDown={(event) => step(event, item)}
              >
                <Icon name="grip" />
              </button>
            )}
            {children(item)}
          </li>
        ))}
      </ol>
      <p className="hidden" id="tree-keys">
        {t('tree.keys')}
      </p>
      <p className="hidden" role="status">
        {said}
      </p>
    </>
  )
}
