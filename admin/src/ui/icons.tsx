/** Drawn on a grid of 24, in lines. */
const PATHS = {
  home: 'M3 10.5 12 3l9 7.5V20a1 1 0 0 1-1 1h-5v-7H9v7H4a1 1 0 0 1-1-1z',
  orders: 'M3 13h5l1.5 3h5L16 13h5M5.5 5h13L21 13v5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-5z',
  products: 'm12 3 8.5 4.5v9L12 21l-8.5-4.5v-9zM3.5 7.5 12 12l8.5-4.5M12 12v9',
  customers:
    'M5.5 8a3.5 3.5 0 1 0 7 0 3.500 3.500 0 0 0-7 0zM2.500 20a6.500 6.500 0 0 1 13 0M16 4.800a3.500 3.500 0 0 1 0 6.400M18 14.500a6.500 6.500 0 0 1 3.500 5.500',
  settings:
    'M4 7h10M18 7h2M4 17h2M10 17h10M13.800 7a2.200 2.200 0 1 0 4.400 0 2.200 2.200 0 0 0-4.400 0zM5.800 17a2.200 2.200 0 1 0 4.400 0 2.200 2.200 0 0 0-4.400 0z',
  shop: 'M4 10v10h16V10M3 9l2-5h14l2 5c0 1.500-1 2.500-2.200 2.500S16.500 10.500 16.500 9c0 1.500-1 2.500-2.250 2.500S12 10.500 12 9c0 1.500-1 2.500-2.250 2.500S7.500 10.500 7.500 9c0 1.500-1 2.500-2.300 2.500S3 10.500 3 9zM10 20v-5h4v5',
  search: 'M4.500 11a6.500 6.500 0 1 0 13 0 6.500 6.500 0 0 0-13 0zM20 20l-4.300-4.300',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  next: 'm9 6 6 6-6 6',
  switch: 'm8 9 4-4 4 4M8 15l4 4 4-4',
  up: 'M12 19V5M6 11l6-6 6 6',
  close: 'm6 6 12 12M18 6 6 18',
  truck:
    'M3 6h11v10H3zM14 10h4l3 3v3h-7zM5.200 17.500a1.800 1.800 0 1 0 3.600 0 1.800 1.800 0 0 0-3.600 0zM15.200 17.500a1.800 1.800 0 1 0 3.600 0 1.800 1.800 0 0 0-3.600 0z',
  mail: 'M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM3.5 7.5 12 13l8.5-5.5',
  card: 'M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM3 10h18',
  bank: 'M3 10 12 4l9 6zM5 10v8M10 10v8M14 10v8M19 10v8M3 20h18',
  undo: 'M4 9h10a6 6 0 0 1 0 12h-3M8 5 4 9l4 4',
  picture:
    'M5 4h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM4 18l5-4 3 2 4-4 5 5M7.500 10a1.500 1.500 0 1 0 3 0 1.500 1.500 0 0 0-3 0z',
  check: 'm5 12.500 4.500 4.500L19 7.500',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  down: 'M12 5v14M6 13l6 6 6-6',
  webhook: 'm8 7-5 5 5 5M16 7l5 5-5 5M13.500 5l-3 14',
  file: 'M6 3h8l5 5v12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM14 3v5h5',
  warning: 'M12 4 2.500 20h19zM12 10v4M12 17h.01',
  disk: 'M5 4h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM3 14h18M7 17h.01',
  external: 'M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5',
  copy: 'M10 8h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2zM16 8V5a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h3',
  film: 'M4 5h16a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM10 9v6l5-3z',
  audio:
    'M9 18V6l11-2v12M4.500 18a2.250 2.250 0 1 0 4.500 0 2.250 2.250 0 0 0-4.500 0zM15.500 16a2.250 2.250 0 1 0 4.500 0 2.250 2.250 0 0 0-4.500 0z',
  book: 'M12 6c-2-1.500-5-2-9-2v14c4 0 7 .5 9 2 2-1.500 5-2 9-2V4c-4 0-7 .5-9 2zM12 6v14',
  software: 'M4 5h16a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM7 10l3 2.500L7 15M12.500 15H17',
  collection: 'm12 3 9 4.500-9 4.500-9-4.500zM3 12l9 4.500 9-4.500M3 16.500 12 21l9-4.500',
  plus: 'M12 5v14M5 12h14',
  pause: 'M9 5v14M15 5v14',
  play: 'M7 5v14l12-7z',
  eye: 'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM9.500 12a2.500 2.500 0 1 0 5 0 2.500 2.500 0 0 0-5 0z',
} as const

export type IconName = keyof typeof PATHS

/** A drawing beside a word that says the same, so that nobody has to see it. */
export function Icon({ name, size = 16, className }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' || name === 'grip' ? 3 : 1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
