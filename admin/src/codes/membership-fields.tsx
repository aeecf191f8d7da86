import { useQuery } from '@tanstack/react-query'
import { groupsQuery } from '../groups/queries.ts'
import { beginningOf } from '../ui/charts/days.ts'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { SelectField, TextField } from '../ui/forms/fields.tsx'
import { t } from '../words/words.ts'
import type { NewCodes } from './queries.ts'

/** Which group codes make members of, and for how long: without an end, until a day, or for some days. */
export type MembershipDraft = { group: string; lasts: 'open' | 'until' | 'days'; day: string; days: string }

export const NEW_MEMBERSHIP: MembershipDraft = { group: '', lasts: 'open', day: '', days: '30' }

const isDays = (typed: string) => /^[1-9]\d{0,4}$/.test(typed.trim())

export const isMembership = ({ group, lasts, day, days }: MembershipDraft) =>
  group !== '' && (lasts !== 'until' || day !== '') && (lasts !== 'days' || isDays(days))

/** The membership as the API takes it. The last day counts. */
export function membershipOf({ group, lasts, day, days }: MembershipDraft): Partial<NewCodes> {
  return {
    group_id: group,
    ...(lasts === 'until' ? { member_until: beginningOf(day, 1) } : {}),
    ...(lasts === 'days' ? { member_days: Number(days) } : {}),
  }
}

type FieldsProps = { draft: MembershipDraft; set: (part: Partial<MembershipDraft>) => void; errorAt: ErrorAt }

export function MembershipFields({ draft, set, errorAt }: FieldsProps) {
  const groups = useQuery(groupsQuery).data ?? []
  return (
    <>
      <SelectField
        label={t('codes.membership')}
        value={draft.group}
        options={[
          { value: '', title: t('codes.choose_group') },
          ...groups.map(({ id, title }) => ({ value: id, title: `${title} · ${id}` })),
        ]}
        onValue={(group) => set({ group })}
        error={errorAt('group_id')}
      />
      <div className="pair">
        <SelectField
          label={t('codes.lasts')}
          value={draft.lasts}
          options={(['open', 'until', 'days'] as const).map((value) => ({ value, title: t(`codes.lasting.${value}`) }))}
          onValue={(lasts) => set({ lasts })}
        />
        {draft.lasts === 'until' && (
          <TextField
            type="date"
            label={t('codes.last_day')}
            value={draft.day}
            onValue={(day) => set({ day })}
            error={errorAt('member_until')}
          />
        )}
        {draft.lasts === 'days' && (
          <TextField
            label={t('codes.days')}
            value={draft.days}
            onValue={(days) => set({ days })}
            error={isDays(draft.days) ? errorAt('member_days') : t('codes.days_wrong')}
            inputMode="numeric"
            maxLength={5}
          />
        )}
      </div>
    </>
  )
}
