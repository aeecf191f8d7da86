import { Link, type LinkProps } from '@tanstack/react-router'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

/** A button without a text needs an `aria-label`. */
type Look = { look?: 'primary' | 'danger' | 'plain'; icon?: IconName; children?: ReactNode }

export function Button({ look, icon, children, ...rest }: Look & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="button" className={look === undefined ? 'button' : `button ${look}`} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A file that the service sends. */
export function DownloadLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="button" href={href} download>
      <Icon name="download" />
      {children}
    </a>
  )
}

/** Leads somewhere else, and looks like a button. */
export function ButtonLink({ look, icon, children, ...rest }: Look & Omit<LinkProps, 'children'>) {
  return (
    <Link className={look === undefined ? 'button' : `button ${look}`} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </Link>
  )
}
