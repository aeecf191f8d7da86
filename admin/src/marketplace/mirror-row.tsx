import { Link } from '@tanstack/react-router'
import { Picture } from '../products/pictures.tsx'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/page.tsx'
import { shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Mirror } from './queries.ts'
import { changesOf, inPercent, stateOf } from './words.ts'

/** What may be done with it. */
export type MirrorChanges = { setShown: (mirror: Mirror, isShown: boolean) => void; remove: (mirror: Mirror) => void }

/** A product of another company in the own shop, and what its owner did with it since it was taken. */
export function MirrorRow({ mirror, changes }: { mirror: Mirror; changes: MirrorChanges | undefined }) {
  const { id, title, src, company_name, cost_to_licensees_percent, standing, published } = mirror
  const { tone, text } = stateOf(mirror)
  return (
    <li>
      <Picture src={src === '' ? undefined : src} />
      <span className="grow">
        <Link className="strong" to="/products/$id" params={{ id: String(id) }}>
          {title}
        </Link>{' '}
        <Chip tone={tone}>{text}</Chip>
        <br />
        <span className="muted small">
          {t('marketplace.mirror_of', { name: company_name, percent: inPercent(100 - cost_to_licensees_percent) })}
        </span>
        <br />
        <span className="small">{becameOf(mirror)}</span>
      </span>
      {changes !== undefined && (
        <span className="row-actions">
          {standing === 'offered' && (
            <Button onClick={() => changes.setShown(mirror, !published)}>
              {t(published ? 'products.hide' : 'products.publish')}
            </Button>
          )}
          <Button
            look="plain"
            aria-label={t('marketplace.remove_one', { title })}
            onClick={() => changes.remove(mirror)}
          >
            {t('marketplace.remove')}
          </Button>
        </span>
      )}
    </li>
  )
}

function becameOf(mirror: Mirror): string {
  const { standing, changed_at, taken_at } = mirror
  if (standing === 'ended') return t('marketplace.ended')
  if (standing === 'held_back') return t('marketplace.held_back')
  const what = changesOf(mirror)
  if (changed_at === null || what === '') return t('marketplace.taken', { time: shortTime(taken_at) })
  return t('marketplace.changed', { what, time: shortTime(changed_at) })
}
