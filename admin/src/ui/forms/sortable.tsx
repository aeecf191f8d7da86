import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { t } from '../../words/words.ts'
import { Icon } from '../icons.tsx'

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }

type SortingOptions<Item> = {
  items: readonly Item[]
  onItems: (items: Item[]) => void
  /** What is said to somebody who does not see it. */
  saidOf: (item: Item, place: number, count: number) => string
}

/**
 * Puts things in order with the mouse, a finger or the arrow keys. Each is a child of the list with a handle in it. The child stays
 * where it is, and what it shows changes places: one that is moved would lose the pointer that drags it.
 */
export function useSorting<Item, List extends HTMLElement>({ items, onItems, saidOf }: SortingOptions<Item>) {
  const list = useRef<List>(null)
  const [dragged, setDragged] = useState<number>()
  const [said, setSaid] = useState('')
  const move = (from: number, to: number) => {
    const item = items[from]
    if (item === undefined || to < 0 || to >= items.length || from === to) return
    onItems(items.toSpliced(from, 1).toSpliced(to, 0, item))
    setSaid(saidOf(item, to + 1, items.length))
  }
  const drag = ({ clientX, clientY }: PointerEvent) => {
    if (dragged === undefined) return
    const places = [...(list.current?.children ?? [])]
      .slice(0, items.length)
      .map((each) => each.getBoundingClientRect())
    const isGrid = places.some(({ top }, place) => place > 0 && top === places[0]?.top)
    const to = places.findIndex(
      ({ top, bottom, left, right }) =>
        clientY >= top && clientY < bottom && (!isGrid || (clientX >= left && clientX < right)),
    )
    if (to < 0 || to === dragged) return
    move(dragged, to)
    setDragged(to)
  }
  const step = (event: KeyboardEvent, place: number) => {
    const by = STEPS[event.key]
    if (by === undefined) return
    event.preventDefault()
    move(place, place + by)
    // The focus goes along, so that the next press moves the same thing.
    list.current?.children[place + by]?.querySelector<HTMLElement>('[data-handle]')?.focus()
  }
  const stop = () => setDragged(undefined)
  const handleOf = (place: number) => ({
    'data-handle': true,
    onPointerDown: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragged(place)
    },
    onPointerMove: drag,
    onPointerUp: stop,
    onPointerCancel: stop,
    onKeyDown: (event: KeyboardEvent) => step(event, place),
  })
  return { list, dragged, said, handleOf }
}

type SortableProps<Item> = {
  label: string
  items: readonly Item[]
  onItems: (items: Item[]) => void
  nameOf: (item: Item) => string
  children: (item: Item, place: number) => ReactNode
}

/** Rows that are put in order. */
export function Sortable<Item>({ label, items, onItems, nameOf, children }: SortableProps<Item>) {
  const saidOf = (item: Item, place: number, count: number) => t('sortable.moved', { name: nameOf(item), place, count })
  const { list, dragged, said, handleOf } = useSorting<Item, HTMLOListElement>({ items, onItems, saidOf })
  return (
    <>
      <ol ref={list} className="rows sortable" aria-label={label}>
        {items.map((item, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row stays in its place, see useSorting
          <li key={place} className={dragged === place ? 'dragged' : undefined}>
            <button
              type="button"
              className="handle"
              aria-label={t('sortable.handle', { name: nameOf(item), place: place + 1, count: items.length })}
              {...handleOf(place)}
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
