import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { t } from '../words/words.ts'
import { Icon } from './icons.tsx'

type SortableProps<Item> = {
  label: string
  items: readonly Item[]
  onItems: (items: Item[]) => void
  nameOf: (item: Item) => string
  children: (item: Item, place: number) => ReactNode
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/** Rows that are put in order with the mouse, a finger or the arrow keys. */
export function Sortable<Item>({ label, items, onItems, nameOf, children }: SortableProps<Item>) {
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<number>()
  const [said, setSaid] = useState('')
  const move = (from: number, to: number) => {
    const item = items[from]
    if (item === undefined || to < 0 || to >= items.length || from === to) return
    onItems(items.toSpliced(from, 1).toSpliced(to, 0, item))
    setSaid(t('sortable.moved', { name: nameOf(item), place: to + 1, count: items.length }))
  }
  const drag = ({ clientY }: PointerEvent) => {
    if (dragged === undefined) return
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect())
    const place = rows.findIndex(({ top, bottom }) => clientY >= top && clientY < bottom)
    if (place < 0 || place === dragged) return
    move(dragged, place)
    setDragged(place)
  }
  const step = (event: KeyboardEvent, place: number) => {
    const by = STEPS[event.key]
    if (by === undefined) return
    event.preventDefault()
    move(place, place + by)
    // The focus goes along, so that the next press moves the same thing.
    list.current?.children[place + by]?.querySelector<HTMLElement>('.handle')?.focus()
  }
  return (
    <>
      <ol ref={list} className="rows sortable" aria-label={label}>
        {items.map((item, place) => (
          // A row stays while its content changes places: one that is moved would lose the pointer that drags it.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={place} className={dragged === place ? 'dragged' : undefined}>
            <button
              type="button"
              className="handle"
              aria-label={t('sortable.handle', { name: nameOf(item), place: place + 1, count: items.length })}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId)
                setDragged(place)
              }}
              onPointerMove={drag}
              onPointerUp={() => setDragged(undefined)}
              onPointerCancel={() => setDragged(undefined)}
              onKeyDown={(event) => step(event, place)}
            >
              <Icon name="grip" />
            </button>
            {children(item, place)}
          </li>
        ))}
      </ol>
      <p className="hidden" role="status">
        {said}
      </p>
    </>
  )
}
