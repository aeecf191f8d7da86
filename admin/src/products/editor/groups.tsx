import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { groupsQuery } from '../../groups/queries.ts'
import { Check, TextField } from '../../ui/forms/fields.tsx'
import { t } from '../../words/words.ts'
import { joined, wordsOf } from '../draft.ts'

type GroupsProps = { typed: string; onTyped: (typed: string) => void; error: string | undefined }

/** Whose members use the product without buying it: groups by their names, and the numbers of others. */
export function Groups({ typed, onTyped, error }: GroupsProps) {
  const groups = useQuery(groupsQuery)
  const known = groups.data ?? []
  const chosen = wordsOf(typed)
  const isKnown = (id: string) => known.some((group) => group.id === id)
  const [areOthersShown] = useState(() => typed !== '')
  const toggle = (id: string, isOn: boolean) =>
    onTyped(joined(isOn ? [...chosen, id] : chosen.filter((each) => each !== id)))
  const numbers = (
    <TextField
      label={t('products.groups')}
      hint={t('products.groups_hint')}
      value={typed}
      onValue={onTyped}
      error={error}
      maxLength={1000}
    />
  )
  // Those who may not see groups know their numbers.
  if (groups.isError) return numbers
  if (groups.data === undefined) return <span className="skeleton" />
  return (
    <fieldset>
      <legend className="muted small">{t('products.groups')}</legend>
      {known.map(({ id, title }) => (
        <Check key={id} label={title} isOn={chosen.includes(id)} onChange={(isOn) => toggle(id, isOn)} />
      ))}
      <p className="hint">
        {t('products.groups_about')} {known.length === 0 && <Link to="/memberships">{t('products.groups_none')}</Link>}
      </p>
      {areOthersShown && chosen.some((id) => !isKnown(id)) && numbers}
      {error !== undefined && chosen.every(isKnown) && <p className="hint wrong">{error}</p>}
    </fieldset>
  )
}
