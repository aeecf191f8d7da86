import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { Field } from './fields.tsx'

type PickerProps<Row> = {
  label: string
  placeholder: string
  /** What the list of those that fit is called. */
  foundLabel: string
  none: string
  /** Finds rows by words. It asks only while somebody looks. */
  useFound: (words: string, isOpen: boolean) => UseQueryResult<Row[]>
  /** Leaves out what cannot be chosen here. */
  isOffered?: ((row: Row) => boolean) | undefined
  rowOf: (row: Row) => { key: string | number; content: ReactNode }
  choose: (row: Row) => void
  /** Below the rows: what else can be done with the words. */
  beside?: (words: string, close: () => void) => ReactNode
  /** What is typed, without a choice. */
  onWords?: (words: string) => void
  /** Enter with words that fit no row. */
  takeWords?: (words: string) => void
  error?: string | undefined
}

/** Finds one of many by a few words. Enter takes the first that fits. */
export function Picker<Row>(props: PickerProps<Row>) {
  const { label, placeholder, foundLabel, none, useFound, isOffered = () => true, rowOf, choose, beside, error } = props
  const { onWords, takeWords } = props
  const listId = useId()
  const [words, setWords] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const found = useFound(words.trim(), isOpen)
  const rows = found.data?.filter(isOffered)
  const close = () => {
    setWords('')
    setIsOpen(false)
  }
  const take = (row: Row) => {
    choose(row)
    close()
  }
  return (
    <Field label={label} error={error}>
      {(id, describedBy) => (
        <>
          <input
            id={id}
            className="input"
            type="search"
            autoComplete="off"
            placeholder={placeholder}
            value={words}
            maxLength={100}
            aria-invalid={error !== undefined}
            aria-describedby={describedBy}
            aria-controls={isOpen ? listId : undefined}
            onFocus={() => setIsOpen(true)}
            onChange={({ target }) => {
              setWords(target.value)
              setIsOpen(true)
              onWords?.(target.value.trim())
            }}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setIsOpen(false)
              if (event.key !== 'Enter') return
              event.preventDefault()
              const [first] = rows ?? []
              if (found.isPlaceholderData) return
              if (isOpen && first !== undefined) take(first)
              else if (rows !== undefined) takeWords?.(words.trim())
            }}
          />
          {isOpen && rows !== undefined && (rows.length > 0 || words.trim() !== '') && (
            <ul id={listId} className="picks" aria-label={foundLabel}>
              {rows.map((row) => {
                const { key, content } = rowOf(row)
                return (
                  <li key={key}>
                    <button type="button" onClick={() => take(row)}>
                      {content}
                    </button>
                  </li>
                )
              })}
              {rows.length === 0 && words.trim() !== '' && <li className="muted small">{none}</li>}
              {beside?.(words.trim(), close)}
            </ul>
          )}
        </>
      )}
    </Field>
  )
}
