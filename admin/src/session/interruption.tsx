import { ConflictError, UnauthorizedError } from '@licet/client'
import { useSyncExternalStore } from 'react'
import { Button } from '../ui/button.tsx'
import { t } from '../words/words.ts'
import { useSession } from './session.ts'

/** What keeps this tab from going on: the session has ended, or belongs to another shop by now. */
type Interruption = 'ended' | 'switched'

let current: Interruption | undefined
const hearers = new Set<() => void>()

function interrupt(what: Interruption): void {
  current = what
  for (const hear of hearers) hear()
}

function subscribe(hear: () => void): () => void {
  hearers.add(hear)
  return () => hearers.delete(hear)
}

const isSwitched = (error: unknown) => error instanceof ConflictError && error.reason === 'company_switched'

/** The sign-in, from which somebody comes back to the same place. */
export function signInAddress(
  told: 'ended' | 'out' | 'everywhere',
  path = location.pathname + location.search,
): string {
  return `/sign-in?${new URLSearchParams({ told, return_to: path })}`
}

/** The screen on which somebody has typed something that is not saved. */
let typedOn: string | undefined

addEventListener('input', ({ target }) => {
  // Whoever looks for something in a list loses nothing.
  if (target instanceof Element && target.closest('search, .finder') === null) typedOn = location.pathname
})

/** Would somebody lose something by leaving? Screens say so as they do when the tab is closed. */
function isInUse(): boolean {
  return typedOn === location.pathname || !dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

/**
 * Leads whoever is no longer signed in to the sign-in, and back to the same place afterwards. Screens read on their own, too:
 * that must not take away what somebody is typing.
 */
export function onFailedRead(error: unknown): void {
  if (isSwitched(error)) interrupt('switched')
  if (!(error instanceof UnauthorizedError)) return
  if (isInUse()) interrupt('ended')
  else location.assign(signInAddress('ended'))
}

/** A change that was refused stays on the screen, with everything that was typed. */
export function onFailedChange(error: unknown): void {
  if (isSwitched(error)) interrupt('switched')
  if (error instanceof UnauthorizedError) interrupt('ended')
}

/** An answer shows that somebody has signed in again, or has come back to this shop. */
export function onAnswer(): void {
  if (current === undefined) return
  current = undefined
  for (const hear of hearers) hear()
}

/** What was typed is saved. */
export function onChange(): void {
  typedOn = undefined
  onAnswer()
}

/** Over every screen, what keeps it from going on. */
export function InterruptionBar() {
  const what = useSyncExternalStore(subscribe, () => current)
  const { company } = useSession()
  if (what === undefined) return null
  return (
    <div className="interruption notice wait" role="alert">
      <span className="grow">
        <strong>{t(what === 'ended' ? 'settings.ended.title' : 'settings.switched.title')}</strong>{' '}
        {what === 'ended' ? t('settings.ended.text') : t('settings.switched.text', { shop: company.company_name })}
      </span>
      {what === 'ended' ? (
        <a className="button" href="/sign-in?return_to=%2Fadmin" target="_blank" rel="noreferrer">
          {t('settings.ended.sign_in')}
        </a>
      ) : (
        <Button onClick={() => location.assign('/admin')}>{t('settings.switched.reload')}</Button>
      )}
    </div>
  )
}
