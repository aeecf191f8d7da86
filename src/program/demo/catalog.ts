import type { ProductInput } from '#catalog/products/schema.ts'
import { AUDIO_ALBUM, E_BOOK, HD_VIDEO, PHYSICAL, SOFTWARE } from '#catalog/products/types.facts.ts'
import type { ShopIds } from './products.ts'
import { bindingsOf } from './terms.ts'

type Texts = { title: string; description: string; version?: string }

/** A product of the demo shop that has a drawn cover of its own. */
type Showpiece = {
  /** The file in `covers/`. */
  cover: string
  type: number
  categories: readonly string[]
  en: Texts
  de: Texts
  details?: ProductInput
  /** The price models to take instead of those of its type. */
  level?: string
}

const FILMS = ['Films']

const film = (genre: string, minutes: number, year: number, age: number, director: string): ProductInput => ({
  runtime: minutes * 60,
  tagging: { year, age },
  tagging_genre: [{ value: genre }],
  tagging_director: [{ person: director }],
})

const audio = (genre: string, minutes: number, year: number): ProductInput => ({
  runtime: minutes * 60,
  tagging: { year },
  tagging_genre: [{ value: genre }],
})

const book = (genre: string, year: number, author: string): ProductInput => ({
  tagging: { year },
  tagging_genre: [{ value: genre }],
  tagging_script: [{ person: author }],
})

const goods = (weight: number, stock: number): ProductInput => ({ weight, manage_stock: true, items_in_stock: stock })

/** The last one is the newest, so the home page begins with it. */
export const SHOWPIECES: readonly Showpiece[] = [
  {
    cover: 'morketid',
    type: HD_VIDEO,
    categories: FILMS,
    details: film('Thriller', 98, 2024, 16, 'Jonas Eide'),
    en: {
      title: 'Mørketid',
      description: '<p>Two months without sun, one road out, and somebody has taken the plough.</p>',
    },
    de: {
      title: 'Mørketid',
      description: '<p>Zwei Monate ohne Sonne, eine Straße hinaus, und jemand hat den Schneepflug genommen.</p>',
    },
  },
  {
    cover: 'a-house-at-inari',
    level: 'low',
    type: HD_VIDEO,
    categories: FILMS,
    details: film('Drama', 124, 2023, 12, 'Aino Koskela'),
    en: {
      title: 'A House at Inari',
      description: '<p>Three sisters inherit a house, a lake and a promise that none of them remembers.</p>',
    },
    de: {
      title: 'Ein Haus am Inari',
      description: '<p>Drei Schwestern erben ein Haus, einen See und ein Versprechen, an das sich keine erinnert.</p>',
    },
  },
  {
    cover: 'kelp',
    type: HD_VIDEO,
    categories: ['Films', 'Documentaries'],
    details: film('Documentary', 82, 2025, 0, 'Maja Lund'),
    en: { title: 'Kelp', description: '<p>A year under water with the people who plant forests there.</p>' },
    de: { title: 'Kelp', description: '<p>Ein Jahr unter Wasser mit den Menschen, die dort Wälder pflanzen.</p>' },
  },
  {
    cover: 'northbound',
    level: 'low',
    type: HD_VIDEO,
    categories: FILMS,
    details: film('Road film', 111, 2022, 12, 'Terje Bakken'),
    en: {
      title: 'Northbound',
      description: '<p>A night train, a borrowed ticket and eleven hours until the border.</p>',
    },
    de: {
      title: 'Nordwärts',
      description: '<p>Ein Nachtzug, eine geliehene Fahrkarte und elf Stunden bis zur Grenze.</p>',
    },
  },
  {
    cover: 'fyr',
    level: 'low',
    type: HD_VIDEO,
    categories: ['Films', 'Short films'],
    details: film('Animation', 24, 2025, 6, 'Elias Myhre'),
    en: { title: 'Fyr', description: '<p>The last lighthouse keeper teaches a gull to read the weather.</p>' },
    de: { title: 'Fyr', description: '<p>Der letzte Leuchtturmwärter bringt einer Möwe bei, das Wetter zu lesen.</p>' },
  },
  {
    cover: 'morketid-the-score',
    type: AUDIO_ALBUM,
    categories: ['Music', 'Albums'],
    details: audio('Score', 42, 2024),
    en: { title: 'Mørketid, the score', description: '<p>Strings, a pump organ and the hum of a generator.</p>' },
    de: {
      title: 'Mørketid, die Filmmusik',
      description: '<p>Streicher, ein Harmonium und das Brummen eines Generators.</p>',
    },
  },
  {
    cover: 'harbour-sounds',
    level: 'low',
    type: AUDIO_ALBUM,
    categories: ['Music', 'Albums'],
    details: audio('Field recordings', 58, 2023),
    en: { title: 'Harbour Sounds', description: '<p>Recorded on seven piers before anybody was awake.</p>' },
    de: { title: 'Hafenklänge', description: '<p>Aufgenommen auf sieben Molen, bevor jemand wach war.</p>' },
  },
  {
    cover: 'songs-for-short-days',
    type: AUDIO_ALBUM,
    categories: ['Music', 'Albums'],
    details: audio('Jazz', 36, 2025),
    en: {
      title: 'Songs for Short Days',
      description: '<p>The Liv Aasen Trio plays nine songs, each as long as the daylight of its date.</p>',
    },
    de: {
      title: 'Lieder für kurze Tage',
      description: '<p>Das Liv Aasen Trio spielt neun Lieder, jedes so lang wie das Tageslicht an seinem Datum.</p>',
    },
  },
  {
    cover: 'slow-radio-lofoten',
    level: 'low',
    type: AUDIO_ALBUM,
    categories: ['Music', 'Albums'],
    details: audio('Ambient', 1440, 2024),
    en: { title: 'Slow Radio: Lofoten', description: '<p>Twenty-four hours of one village, from one open window.</p>' },
    de: {
      title: 'Langsames Radio: Lofoten',
      description: '<p>Vierundzwanzig Stunden eines Dorfes, aus einem offenen Fenster.</p>',
    },
  },
  {
    cover: 'making-the-last-ferry',
    type: E_BOOK,
    categories: ['Books'],
    details: book('Film', 2025, 'Ingrid Solheim'),
    en: { title: 'Making The Last Ferry', description: '<p>The screenplay with the notes of its director.</p>' },
    de: {
      title: 'Die letzte Fähre: Das Buch zum Film',
      description: '<p>Das Drehbuch mit den Notizen der Regisseurin.</p>',
    },
  },
  {
    cover: 'snow-grammar',
    level: 'low',
    type: E_BOOK,
    categories: ['Books'],
    details: book('Poems', 2022, 'Elsa Nyberg'),
    en: { title: 'Snow Grammar', description: '<p>Poems about what falls, and what stays.</p>' },
    de: { title: 'Schneegrammatik', description: '<p>Gedichte über das, was fällt, und das, was bleibt.</p>' },
  },
  {
    cover: 'north-light',
    type: E_BOOK,
    categories: ['Books', 'Travel'],
    details: book('Photography', 2024, 'Mikkel Thorsen'),
    en: {
      title: 'North Light',
      description: '<p>A photographer explains what to do while you wait for the light.</p>',
    },
    de: {
      title: 'Nordlicht',
      description: '<p>Ein Fotograf erklärt, was man tut, während man auf das Licht wartet.</p>',
    },
  },
  {
    cover: 'the-ferrymans-almanac',
    level: 'low',
    type: E_BOOK,
    categories: ['Books'],
    details: book('Novel', 2023, 'Tove Lind'),
    en: { title: 'The Ferryman’s Almanac', description: '<p>A novel in twelve crossings and one tide.</p>' },
    de: { title: 'Der Almanach des Fährmanns', description: '<p>Ein Roman in zwölf Überfahrten und einer Flut.</p>' },
  },
  {
    cover: 'nordlys',
    type: SOFTWARE,
    categories: ['Software'],
    details: { tagging: { year: 2025 } },
    en: { title: 'Nordlys', description: '<p>Film looks for editors, for macOS and Windows.</p>' },
    de: { title: 'Nordlys', description: '<p>Filmlooks für den Schnitt, für macOS und Windows.</p>' },
  },
  {
    cover: 'kelp-art-print',
    type: PHYSICAL,
    categories: ['Goods'],
    details: goods(400, 40),
    level: 'print',
    en: {
      title: 'Kelp, art print',
      version: 'Paper, 50 × 70 cm',
      description: '<p>50 × 70 cm, on paper from a mill that still has a wheel.</p>',
    },
    de: {
      title: 'Kelp, Kunstdruck',
      version: 'Papier, 50 × 70 cm',
      description: '<p>50 × 70 cm, auf Papier aus einer Mühle, die noch ein Rad hat.</p>',
    },
  },
  {
    cover: 'ferry-mug',
    type: PHYSICAL,
    categories: ['Goods'],
    details: goods(350, 120),
    level: 'low',
    en: { title: 'Ferry mug', version: 'Enamel, 350 ml', description: '<p>Enamel, 350 ml. It survives the sea.</p>' },
    de: {
      title: 'Fährbecher',
      version: 'Emaille, 350 ml',
      description: '<p>Emaille, 350 ml. Er übersteht die See.</p>',
    },
  },
  {
    cover: 'crossing-blanket',
    type: PHYSICAL,
    categories: ['Goods'],
    details: goods(1800, 3),
    level: 'blanket',
    en: {
      title: 'Crossing blanket',
      version: 'Wool, 130 × 180 cm',
      description: '<p>Wool, 130 × 180 cm, woven by hand.</p>',
    },
    de: {
      title: 'Überfahrtsdecke',
      version: 'Wolle, 130 × 180 cm',
      description: '<p>Wolle, 130 × 180 cm, von Hand gewebt.</p>',
    },
  },
  {
    cover: 'the-last-ferry',
    type: HD_VIDEO,
    categories: FILMS,
    details: {
      ...film('Drama', 107, 2025, 12, 'Ingrid Solheim'),
      tagging_people: ['Terje Bakken', 'Maja Lund', 'Elias Myhre'].map((person) => ({ role: 'Actor', person })),
    },
    en: {
      title: 'The Last Ferry',
      description:
        '<p>For forty years Sverre has taken the same nine passengers across the same fjord. On the last evening before the bridge opens, a tenth comes aboard and asks him to turn around.</p><p>Shot over eleven evenings in the hour before dark, with a crew of six and a ferry that was scrapped the week after.</p>',
    },
    de: {
      title: 'Die letzte Fähre',
      description:
        '<p>Vierzig Jahre lang hat Sverre dieselben neun Fahrgäste über denselben Fjord gebracht. Am letzten Abend, bevor die Brücke öffnet, kommt eine Zehnte an Bord und bittet ihn umzukehren.</p>',
    },
  },
]

/** A showpiece as the API takes it. */
export function showpieceInput(piece: Showpiece, { categoryIds, priceIds }: ShopIds): ProductInput {
  const { type, en, de, categories, details, level } = piece
  return {
    product_type: type,
    title: en.title,
    published: true,
    drm_protected: type === HD_VIDEO || type === E_BOOK,
    locales: [
      { language_id: 'en', ...en },
      { language_id: 'de', ...de },
    ],
    categories: categories.flatMap((name) => categoryIds.get(name) ?? []).map((category_id) => ({ category_id })),
    themes: [{ theme_id: -1 }],
    price_license_binding: bindingsOf(type, priceIds, level),
    ...details,
  }
}
