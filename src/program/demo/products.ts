import type { ProductInput } from '#catalog/products/schema.ts'
import {
  AUDIO_ALBUM,
  AUDIO_COLLECTION,
  E_BOOK,
  HD_VIDEO,
  type Medium,
  mediumOf,
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
const GENRES: Partial<Record<Medium, readonly string[]>> = {
  film: ['Documentary', 'Drama', 'Travel', 'History', 'Nature', 'Crime', 'Biography'],
  audio: ['Jazz', 'Ambient', 'Folk', 'Classical'],
  book: ['Travel', 'History', 'Crime', 'Science', 'Biography'],
}
const STUDIOS = ['Tidewater Pictures', 'Kiln House', 'Nordlicht Film', 'Small Hours', 'Paperboat']
type Said = readonly { en: string; de: string }[]

/** What is said of products, by what they are. */
const SENTENCES: Partial<Record<Medium, Said>> = {
  film: [
    {
      en: 'Filmed over three winters with a crew of four, it stays close to the people who never left.',
      de: 'Gedreht in drei Wintern von vier Leuten, nah bei denen, die nie weggegangen sind.',
    },
    {
      en: 'What begins as a walk along the coast becomes a long conversation about work, luck and patience.',
      de: 'Was als Gang an der Küste beginnt, wird ein langes Gespräch über Arbeit, Glück und Geduld.',
    },
  ],
  audio: [
    {
      en: 'Recorded in one room with the windows open, it keeps the weather of those days.',
      de: 'Aufgenommen in einem Raum bei offenem Fenster, mit dem Wetter jener Tage.',
    },
    { en: 'Nobody hurries, and nothing is repeated.', de: 'Niemand eilt, und nichts kommt zweimal.' },
  ],
  book: [
    {
      en: 'Every chapter stands on its own, and together they tell how a place remembers.',
      de: 'Jedes Kapitel steht für sich, und zusammen erzählen sie, wie ein Ort sich erinnert.',
    },
    { en: 'To be read on a train, or instead of one.', de: 'Zu lesen im Zug, oder statt eines Zuges.' },
  ],
  course: [
    {
      en: 'Clear instructions, honest photographs and nothing you have to buy first.',
      de: 'Klare Anleitungen, ehrliche Fotos und nichts, was man erst kaufen muss.',
    },
  ],
  software: [
    {
      en: 'It does one thing, does it quickly, and works without a connection.',
      de: 'Es tut eines, tut es schnell und braucht keine Verbindung.',
    },
  ],
  service: [
    {
      en: 'We call you within two days and agree on a time.',
      de: 'Wir rufen innerhalb von zwei Tagen an und vereinbaren einen Termin.',
    },
  ],
}
const OF_GOODS: Said = [
  {
    en: 'Made in a small series, numbered by hand and packed without plastic.',
    de: 'In kleiner Serie gemacht, von Hand nummeriert und ohne Plastik verpackt.',
  },
]
const TYPES = [
  HD_VIDEO,
  HD_VIDEO,
  HD_VIDEO,
  VIDEO,
  E_BOOK,
  E_BOOK,
  AUDIO_COLLECTION,
  AUDIO_ALBUM,
  SOFTWARE,
  PHYSICAL,
  PHYSICAL,
  PACKAGE,
  SERVICE,
] as const
/** What the demo shop begins with, beside its showpieces: as many of each as there are covers. */
export const DEMO_TYPES: readonly number[] = [
  HD_VIDEO,
  E_BOOK,
  AUDIO_ALBUM,
  SOFTWARE,
  VIDEO,
  PACKAGE,
  HD_VIDEO,
  AUDIO_COLLECTION,
  E_BOOK,
  SERVICE,
  VIDEO,
  AUDIO_ALBUM,
  HD_VIDEO,
  E_BOOK,
  PACKAGE,
]

type Names = { en: string; de: string }

const SKILLS: readonly Names[] = [
  { en: 'Bookbinding in six evenings', de: 'Buchbinden an sechs Abenden' },
  { en: 'Photographing in low light', de: 'Fotografieren bei wenig Licht' },
  { en: 'Baking with rye', de: 'Backen mit Roggen' },
  { en: 'Repairing bicycles', de: 'Fahrräder reparieren' },
  { en: 'Knots that hold', de: 'Knoten, die halten' },
  { en: 'Recording outdoors', de: 'Aufnehmen im Freien' },
]
const SERVICES: readonly Names[] = [
  { en: 'Colour grading, one hour', de: 'Farbkorrektur, eine Stunde' },
  { en: 'Subtitles in two languages', de: 'Untertitel in zwei Sprachen' },
  { en: 'A talk about your screenplay', de: 'Ein Gespräch über Ihr Drehbuch' },
]
const PROGRAMS = ['Notes', 'Mixer', 'Planner', 'Maps', 'Studio', 'Ledger']
const THINGS: readonly (Names & { made: Names })[] = [
  { en: 'Notebook', de: 'Notizbuch', made: { en: 'Linen, 160 pages', de: 'Leinen, 160 Seiten' } },
  { en: 'Tote bag', de: 'Stofftasche', made: { en: 'Cotton, 38 × 42 cm', de: 'Baumwolle, 38 × 42 cm' } },
  { en: 'Poster', de: 'Poster', made: { en: 'Paper, 50 × 70 cm', de: 'Papier, 50 × 70 cm' } },
  { en: 'Candle', de: 'Kerze', made: { en: 'Beeswax, 40 hours', de: 'Bienenwachs, 40 Stunden' } },
]

/** What a product of a type is called, and what goods are made of. */
function namesOf(random: Random, type: number): Names & { made?: Names } {
  const [adjective, noun, place] = [random.pick(ADJECTIVES), random.pick(NOUNS), random.pick(PLACES)]
  const same = (name: string) => ({ en: name, de: name })
  if (type === PACKAGE) return random.pick(SKILLS)
  if (type === SERVICE) return random.pick(SERVICES)
  if (type === SOFTWARE) return same(`${noun} ${random.pick(PROGRAMS)}`)
  if (mediumOf(type) === 'audio') return same(`${place}: ${adjective} ${noun}`)
  if (type === E_BOOK) return { en: `Letters from ${place}`, de: `Briefe aus ${place}` }
  const thing = random.pick(THINGS)
  if (type === PHYSICAL) return { en: `${thing.en} “${noun}”`, de: `${thing.de} „${noun}“`, made: thing.made }
  return same(`The ${adjective} ${noun} of ${place}`)
}

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

function descriptionsOf(random: Random, type: number): Names {
  const said = random.some(SENTENCES[mediumOf(type)] ?? OF_GOODS, 2)
  const inLanguage = (language: keyof Names) => `<p>${said.map((sentence) => sentence[language]).join(' ')}</p>`
  return { en: inLanguage('en'), de: inLanguage('de') }
}

/** A product as shops of digital content sell it; a number in its title tells thousands of them apart. */
export function makeProduct(
  random: Random,
  index: number,
  { categoryIds, priceIds }: ShopIds,
  type: number = random.pick(TYPES),
): ProductInput {
  const { en, de, made } = namesOf(random, type)
  const description = descriptionsOf(random, type)
  const categories = (CATEGORY_OF[type] ?? [])
    .flatMap((name) => categoryIds.get(name) ?? [])
    .map((category_id) => ({ category_id }))
  return {
    product_type: type,
    title: `${en} ${index + 1}`,
    version: type === SOFTWARE ? `${1 + random.below(3)}.${random.below(10)}` : (made?.en ?? ''),
    comment: random.often(0.2) ? `Supplied by ${random.pick(STUDIOS)}` : '',
    published: random.often(0.9),
    drm_protected: type === 9 || type === 16,
    locales: [
      {
        language_id: 'en',
        title: en,
        ...(made === undefined ? {} : { version: made.en }),
        description: description.en,
        email_text: '<p>Thank you. Your purchase waits for you under My Content.</p>',
      },
      {
        language_id: 'de',
        title: de,
        ...(made === undefined ? {} : { version: made.de }),
        description: description.de,
        email_text: '<p>Vielen Dank. Ihr Einkauf liegt unter Meine Inhalte bereit.</p>',
      },
    ],
    categories,
    themes: [{ theme_id: -1 }],
    price_license_binding: bindingsOf(type, priceIds, random.often(0.5) ? 'low' : ''),
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
    tagging_genre: random.some(GENRES[mediumOf(type)] ?? [], 2).map((value) => ({ value })),
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
