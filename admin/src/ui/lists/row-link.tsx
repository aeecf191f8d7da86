import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

/** The screens that rows of long lists lead to. */
type Screen =
  | '/orders/$id'
  | '/products/$id'
  | '/customers/$token'
  | '/licenses/prices/$id'
  | '/discounts/codes/$id'
  | '/memberships/subscriptions/$id'

type RowLinkProps = { to: Screen; id: string | number; className?: string; children: ReactNode }

const DELAY_MS = 50

/**
 * The way to the screen of a row. A link of the router watches where the reader is and works out its address each time, which
 * costs more than the rest of a row does. This one does the same when it is used: it opens without a reload, loads the screen
 * when somebody points at it, and is a link to the browser.
 */
export function RowLink({ to, id, className, children }: RowLinkProps) {
  const router = useRouter()
  // The router takes the path as it is, but its types know only those with a name in place of the id.
  const path = to.replace(/\$\w+$/, encodeURIComponent(id)) as '/'
  const preload = () => void router.preloadRoute({ to: path })
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.altKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    void router.navigate({ to: path })
  }
  return (
    <a
      className={className}
      href={`${router.basepath}${path}`}
      onClick={open}
      onTouchStart={preload}
      onFocus={preload}
      onMouseEnter={({ currentTarget }) => {
        setTimeout(() => currentTarget.matches(':hover') && preload(), DELAY_MS)
      }}
    >
      {children}
    </a>
  )
}
