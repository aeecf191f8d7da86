import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { t } from '../words/words.ts'
import { Help, type Term } from './help.tsx'
import { Icon } from './icons.tsx'

type PageProps = {
  title: string
  /** A hard word that the page is about. */
  term?: Term | undefined
  /** Beside the heading: how things stand. */
  chips?: ReactNode
  /** Below the heading, in one line. */
  about?: ReactNode
  /** The list that the page belongs to. */
  trail?: { to: string; title: string }
  actions?: ReactNode
  children: ReactNode
}

/** A screen: its heading, what can be done there, and its content. */
export function Page({ title, term, chips, about, trail, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Licet`
  }, [title])
  return (
    <div className="page">
      <div className="page-head">
        <div>
          {trail !== undefined && (
            <nav className="trail" aria-label={t('common.trail')}>
              <Link to={trail.to}>{trail.title}</Link>
              <Icon name="next" size={14} />
              <span aria-current="page">{title}</span>
            </nav>
          )}
          <div className="page-title">
            <h1>{title}</h1>
            {term !== undefined && <Help term={term} />}
            {chips}
          </div>
          {about !== undefined && <p className="muted">{about}</p>}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

type CardProps = { title?: string; aside?: ReactNode; end?: ReactNode; label?: string; children: ReactNode }

export function Card({ title, aside, end, label, children }: CardProps) {
  return (
    <section className="card" aria-label={label ?? title}>
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          {aside !== undefined && <span className="muted">{aside}</span>}
          {end !== undefined && <span className="card-end">{end}</span>}
        </header>
      )}
      {children}
    </section>
  )
}

export type Tone = 'ok' | 'wait' | 'part' | 'bad' | 'test' | 'draft'

export function Chip({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`chip ${tone}`}>{children}</span>
}
