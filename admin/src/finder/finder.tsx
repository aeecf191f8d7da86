import './finder.css'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useSession } from '../session/session.ts'
import { useParts } from '../settings/parts.tsx'
import { Icon } from '../ui/icons.tsx'
import { t } from '../words/words.ts'
import { type Entry, GROUPS } from './entries.ts'
import { findPlaces } from './places.ts'
import { foundQuery } from './queries.ts'

const TYPING_MS = 150

/** Finds orders, products, customers and places by a few letters. */
export default function Finder({ close }: { close: () => void }) {
  const { user } = useSession()
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [words] = useDebouncedValue(typed.trim(), TYPING_MS)
  const found = useQuery(foundQuery(words))
  const places = findPlaces(typed.trim(), useParts(), (permission) => user.permissions[permission] === 1)
  const entries: Entry[] = [...places, ...(words === '' ? [] : (found.data ?? []))].toSorted(
    (one, other) => GROUPS.indexOf(one.group) - GROUPS.indexOf(other.group),
  )
  const chosen = entries[Math.min(at, entries.length - 1)]
  useEffect(() => dialog.current?.showModal(), [])

  const open = ({ link }: Entry) => {
    close()
    if ('href' in link) location.assign(link.href)
    else void navigate(link)
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((now) => (Math.min(now, entries.length - 1) + step + entries.length) % Math.max(1, entries.length))
    }
    if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault()
      open(chosen)
    }
  }
  return (
    <dialog
      ref={dialog}
      className="dialog finder"
      aria-label={t('finder.title')}
      onClose={close}
      // A press outside of the dialog closes it.
      onPointerDown={(event) => event.target === dialog.current && close()}
    >
      <label className="search">
        <Icon name="search" />
        <span className="hidden">{t('finder.title')}</span>
        <input
          type="search"
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.key}`}
          autoComplete="off"
          placeholder={t('finder.hint')}
          value={typed}
          maxLength={100}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={move}
        />
      </label>
      <div id={`${id}-list`} role="listbox" aria-label={t('finder.found')} aria-busy={found.isFetching}>
        {GROUPS.map((group) => {
          const members = entries.filter((entry) => entry.group === group)
          return (
            members.length > 0 && (
              // biome-ignore lint/a11y/useSemanticElements: a group of options, and not of fields.
              <div key={group} role="group" aria-label={t(`finder.groups.${group}`)}>
                <p className="finder-group" aria-hidden="true">
                  {t(`finder.groups.${group}`)}
                </p>
                {members.map((entry) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above.
                  <div
                    key={entry.key}
                    id={`${id}-${entry.key}`}
                    role="option"
                    tabIndex={-1}
                    aria-selected={entry === chosen}
                    onPointerMove={() => setAt(entries.indexOf(entry))}
                    onClick={() => open(entry)}
                  >
                    <span className="cut strong">{entry.title}</span>
                    <span className="cut muted">{entry.about}</span>
                  </div>
                ))}
              </div>
            )
          )
        })}
      </div>
      {entries.length === 0 && !found.isFetching && <p className="finder-none muted">{t('finder.none')}</p>}
    </dialog>
  )
}
