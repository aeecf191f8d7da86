import type { ProductInput } from '#products/schema.ts'
import type { Chance } from './chance.ts'
import { bindingsOf } from './terms.ts'

/** The ids of a shop's categories and prices, by name. */
export type Shelf = { categoryIds: ReadonlyMap<string, number>; priceIds: ReadonlyMap<string, number> }

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
const TYPES = [9, 9, 9, 1, 16, 16, 5, 24, 4, 6, 6, 7, 17] as const
const CATEGORY_OF: Record<number, readonly string[]> = {
  9: ['Films', 'Documentaries'],
  1: ['Films', 'Short films'],
  16: ['Books', 'Travel'],
  5: ['Music'],
  24: ['Music', 'Albums'],
  4: ['Software'],
  6: ['Goods'],
  7: ['Courses'],
  17: ['Courses'],
}

const person = (chance: Chance) => `${chance.pick(FIRST_NAMES)} ${chance.pick(LAST_NAMES)}`
const paragraph = (chance: Chance, title: string) =>
  `<p><strong>${title}</strong> — ${chance.some(SENTENCES, 3).join(' ')}</p><p>${chance.pick(SENTENCES)}</p>`

/** A product as shops of digital content sell it; a number in its title tells thousands of them apart. */
export function makeProduct(chance: Chance, index: number, { categoryIds, priceIds }: Shelf): ProductInput {
  const type = chance.pick(TYPES)
  const title = `The ${chance.pick(ADJECTIVES)} ${chance.pick(NOUNS)} of ${chance.pick(PLACES)}`
  const categories = (CATEGORY_OF[type] ?? [])
    .flatMap((name) => categoryIds.get(name) ?? [])
    .map((category_id) => ({ category_id }))
  return {
    product_type: type,
    title: `${title} ${index + 1}`,
    version: `${1 + chance.below(3)}.${chance.below(10)}`,
    comment: chance.often(0.2) ? `Supplied by ${chance.pick(STUDIOS)}` : '',
    published: chance.often(0.9),
    drm_protected: type === 9 || type === 16,
    locales: [
      {
        language_id: 'en',
        title,
        description: paragraph(chance, title),
        email_text: '<p>Thank you. Your purchase waits for you under My Content.</p>',
      },
      {
        language_id: 'de',
        title,
        description: paragraph(chance, title),
        email_text: '<p>Vielen Dank. Ihr Einkauf liegt unter Meine Inhalte bereit.</p>',
      },
    ],
    categories,
    themes: [{ theme_id: -1 }],
    price_license_binding: bindingsOf(type, priceIds),
    ...ofType(chance, type),
  }
}

function ofType(chance: Chance, type: number): ProductInput {
  if (type === 6)
    return {
      gtin: String(4_000_000_000_000 + chance.below(999_999_999)),
      weight: 100 + chance.below(2000),
      manage_stock: true,
      items_in_stock: chance.below(200),
    }
  if (type === 17 || type === 7 || type === 4) return { tagging: { year: 2018 + chance.below(8) } }
  const tagged: ProductInput = {
    tagging: {
      isbn: type === 16 ? `978-3-${100000 + chance.below(899999)}-${10 + chance.below(89)}-${chance.below(10)}` : null,
      year: 2005 + chance.below(20),
    },
    tagging_genre: chance.some(GENRES, 2).map((value) => ({ value })),
    tagging_studios: [{ value: chance.pick(STUDIOS) }],
    tagging_people: [{ role: 'Narrator', person: person(chance) }],
    tagging_script: [{ person: person(chance) }],
  }
  if (type === 16) return tagged
  const chapters = Array.from({ length: 3 + chance.below(3) }, (_, index) => ({
    name: `Part ${index + 1}: ${chance.pick(NOUNS)}`,
    runtime: 300 + chance.below(1800),
  }))
  const runtime = chapters.reduce((sum, chapter) => sum + chapter.runtime, 0)
  if (type === 5 || type === 24) return { ...tagged, runtime }
  return { ...tagged, runtime, chapters, tagging_director: [{ person: person(chance) }] }
}
