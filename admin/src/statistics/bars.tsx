import type { ReactNode } from 'react'

export type Bar = {
  key: string
  title: ReactNode
  value: string
  /** The length, from 0 to 1. */
  share: number
  about?: string
  picture?: ReactNode
}

/** Names with their values, longer bars for higher ones. The value says what the bar shows. */
export function Bars({ bars }: { bars: readonly Bar[] }) {
  return (
    <ul className="rows bars">
      {bars.map(({ key, title, value, share, about, picture }) => (
        <li key={key}>
          {picture}
          <span className="grow">
            <span className="bar-head">
              <span className="strong cut">{title}</span>
              <span className="strong figure">{value}</span>
            </span>
            <svg className="bar" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
              <rect className="bar-rest" width={100} height={3} />
              <rect className="bar-part" width={Math.max(0, Math.min(1, share)) * 100} height={3} />
            </svg>
            {about !== undefined && <span className="muted small">{about}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
