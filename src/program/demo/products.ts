import type { ProductInput } from '#catalog/products/schema.ts'
import {
  AUDIO_ALBUM,
  AUDIO_COLLECTION,
  E_BOOK,
  HD_VIDEO,
  PACKAGE,
  PHYSICAL,
  SERVICE,
  SOFTWARE,
  VIDEO,
} from '#catalog/products/types.facts.ts'
import type { Random } from './random.ts'
import { bindingsOf } from './terms.ts'

/** The ids of a shop's categories and prices, by name. */
export type ShopIds = { categoryIds: ReadonlyMap<string, number>; priceIds: ReadonlyMap<string, number> }

/** The categories of a demo shop, with their subcategories. */
export const CATEGORIES = [
  {
    en: 'Films',
    de: 'Filme',
    below: [
      { en: 'Documentaries', de: 'Dokumentarfilme' },
      { en: 'Short films', de: 'Kurzfilme' },
    ],
  },
  { en: 'Music', de: 'Musik', below: [{ en: 'Albums', de: 'Alben' }] },
  {
    en: 'Books',
    de: 'Bücher',
    below: [
      { en: 'Travel', de: 'Reise' },
      { en: 'Cooking', de: 'Kochen' },
    ],
  },
  { en: 'Software', de: 'Software', below: [] },
  { en: 'Courses', de: 'Kurse', below: [] },
  { en: 'Goods', de: 'Waren', below: [] },
] as const

const ADJECTIVES = [
  'Silent',
  'Golden',
  'Hidden',
  'Northern',
  'Restless',
  'Paper',
  'Electric',
  'Borrowed',
  'Salted',
  'Slow',
  'Winter',
  'Crooked',
  'Open',
  'Blue',
  'Distant',
  'Patient',
]
const NOUNS = [
  'Harbour',
  'Garden',
  'Orchard',
  'Mountain',
  'Letters',
  'Kitchen',
  'Railway',
  'Lantern',
  'River',
  'Workshop',
  'Island',
  'Market',
  'Observatory',
  'Meadow',
  'Lighthouse',
  'Archive',
]
const PLACES = [
  'Lisbon',
  'Bergen',
  'Kyoto',
  'Valparaíso',
  'Tbilisi',
  'Galway',
  'Ljubljana',
  'Oaxaca',
  'Tartu',
  'Cádiz',
  'Zanzibar',
  'Turku',
]
export const FIRST_NAMES = [
  'Ana',
  'Jonas',
  'Mei',
  'Tomás',
  'Ingrid',
  'Samuel',
  'Noor',
  'Elif',
  'Mateo',
  'Freya',
  'Kofi',
  'Yuki',
]
export const LAST_NAMES = [
  'Lindqvist',
  'Okafor',
  'Moreira',
  'Tanaka',
  'Kowalski',
  'Haddad',
  'Byrne',
  'Novak',
  'Ferreira',
  'Castellano',
  'Vogel',
  'Sato',
]
const GENRES = [
  'Documentary',
  'Drama',
  'Travel',
  'History',
  'Nature',
  'Jazz',
  'Ambient',
  'Folk',
  'Cooking',
  'Crime',
  'Science',
  'Biography',
]
const STUDIOS = ['Tidewater Pictures', 'Kiln House', 'Nordlicht Film', 'Small Hours', 'Paperboat']
const SENTENCES = [
  'Filmed over three winters with a crew of four, it stays close to the people who never left.',
  'What begins as a walk along the coast becomes a long conversation about work, luck and patience.',
  'Every chapter stands on its own, and together they tell how a place remembers.',
  'Recorded in one room with the windows open, it keeps the weather of those days.',
  'Clear instructions, honest photographs and nothing you have to buy first.',
  'It does one thing, does it quickly, and works without a connection.',
  'Made in a small series, numbered by hand and packed without plastic.',
]
const TYPES = [
  ...[HD_VIDEO, HD_VIDEO, HD_VIDEO, VIDEO, E_BOOK, E_BOOK, AUDIO_COLLECTION, AUDIO_ALBUM],
  ...[SOFTWARE, PHYSICAL, PHYSICAL, PACKAGE, SERVICE],
] as const
const CATEGORY_OF: Record<number, readonly string[]> = {
  [HD_VIDEO]: ['Films', 'Documentaries'],
  [VIDEO]: ['Films', 'Short films'],
  [E_BOOK]: ['Books', 'Travel'],
  [AUDIO_COLLECTION]: ['Music'],
  [AUDIO_ALBUM]: ['Music', 'Albums'],
  [SOFTWARE]: ['Software'],
  [PHYSICAL]: ['Goods'],
  [PACKAGE]: ['Courses'],
  [SERVICE]: ['Courses'],
}

const person = (random: Random) => `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`
const paragraph = (random: Random, title: string) =>
  `<p><strong>${title}</strong> — ${random.some(SENTENCES, 3).join(' ')}</p><p>${random.pick(SENTENCES)}</p>`

/** A product as shops of digital content sell it; a number in its title tells thousands of them apart. */
export function makeProduct(random: Random, index: number, { categoryIds, priceIds }: ShopIds): ProductInput {
  const type = random.pick(TYPES)
  const title = `The ${random.pick(ADJECTIVES)} ${random.pick(NOUNS)} of ${random.pick(PLACES)}`
  const categories = (CATEGORY_OF[type] ?? [])
    .flatMap((name) => categoryIds.get(name) ?? [])
    .map((category_id) => ({ category_id }))
  return {
    product_type: type,
    title: `${title} ${index + 1}`,
    version: `${1 + random.below(3)}.${random.below(10)}`,
    comment: random.often(0.2) ? `Supplied by ${random.pick(STUDIOS)}` : '',
    published: random.often(0.9),
    drm_protected: type === 9 || type === 16,
    locales: [
      {
        language_id: 'en',
        title,
        description: paragraph(random, title),
        email_text: '<p>Thank you. Your purchase waits for you under My Content.</p>',
      },
      {
        language_id: 'de',
        title,
        description: paragraph(random, title),
        email_text: '<p>Vielen Dank. Ihr Einkauf liegt unter Meine Inhalte bereit.</p>',
      },
    ],
    categories,
    themes: [{ theme_id: -1 }],
    price_license_binding: bindingsOf(type, priceIds),
    ...ofType(random, type),
  }
}

function ofType(random: Random, type: number): ProductInput {
  if (type === 6)
    return {
      gtin: String(4_000_000_000_000 + random.below(999_999_999)),
      weight: 100 + random.below(2000),
      manage_stock: true,
      items_in_stock: random.below(200),
    }
  if (type === 17 || type === 7 || type === 4) return { tagging: { year: 2018 + random.below(8) } }
  const tagged: ProductInput = {
    tagging: {
      isbn: type === 16 ? `978-3-${100000 + random.below(899999)}-${10 + random.below(89)}-${random.below(10)}` : null,
      year: 2005 + random.below(20),
    },
    tagging_genre: random.some(GENRES, 2).map((value) => ({ value })),
    tagging_studios: [{ value: random.pick(STUDIOS) }],
    tagging_people: [{ role: 'Narrator', person: person(random) }],
    tagging_script: [{ person: person(random) }],
  }
  if (type === 16) return tagged
  const chapters = Array.from({ length: 3 + random.below(3) }, (_, index) => ({
    name: `Part ${index + 1}: ${random.pick(NOUNS)}`,
    runtime: 300 + random.below(1800),
  }))
  const runtime = chapters.reduce((sum, chapter) => sum + chapter.runtime, 0)
  if (type === 5 || type === 24) return { ...tagged, runtime }
  return { ...tagged, runtime, chapters, tagging_director: [{ person: person(random) }] }
}
