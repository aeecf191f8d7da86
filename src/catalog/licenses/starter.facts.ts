import type { LicenseInput } from './schema.ts'

const [HOURS, DAYS] = [0, 1]
const [CONTENT, SOFTWARE, PHYSICAL_SOFTWARE, PHYSICAL_CONTENT] = [0, 1, 2, 3]
const [ENGLISH, GERMAN] = [1, 2]

type Texts = [name: string, description: string]

/** A license that comes with the service, with its texts in English and German. */
function license(en: Texts, de: Texts, terms: LicenseInput): LicenseInput {
  const locales = [
    { language_id: ENGLISH, name: en[0], description: en[1] },
    { language_id: GERMAN, name: de[0], description: de[1] },
  ]
  return { name: en[0], ...terms, locales }
}

/** Streaming only: no download, one device, and a screen that is protected by HDCP where possible. */
const RENTED: LicenseInput = {
  type: CONTENT,
  drm: 1,
  total_downloads: 0,
  annual_downloads: 0,
  total_concurrent_devices: 1,
  copp_hdcp: 1,
  play_prot_level_digital: 150,
  delete_on_clock_rollback: 1,
}

/** A rented film has to be started within this time. */
const START_WITHIN: LicenseInput = { expire_after_acquisition: 30, expire_after_acquisition_mode: DAYS }

const BOOK: LicenseInput = { type: CONTENT, drm: 1, total_downloads: 6, total_concurrent_devices: 6 }

const software = (devices: number): LicenseInput => ({
  type: SOFTWARE,
  drm: 1,
  total_downloads: -1,
  total_concurrent_devices: devices,
  disable_on_clock_rollback: 1,
})

/**
 * The general licenses that come with the service, enough for the first day of a shop. Ids are permanent: a new license
 * gets the next id below 1000, and a published one is never changed here.
 */
export const STARTER_LICENSES: ReadonlyMap<number, LicenseInput> = new Map([
  [
    1,
    license(
      ['Buy', 'Watch, listen or read for as long as you like, on up to five devices.'],
      ['Kaufen', 'Sehen, hören oder lesen, so lange Sie mögen, auf bis zu fünf Geräten.'],
      {
        type: CONTENT,
        drm: 1,
        annual_downloads: 10,
        total_concurrent_devices: 5,
        copp_hdcp: 1,
        play_prot_level_digital: 100,
      },
    ),
  ],
  [
    2,
    license(
      ['Rent for 24 hours', 'Start within 30 days, then watch for 24 hours.'],
      ['Leihen für 24 Stunden', 'Beginnen Sie innerhalb von 30 Tagen, danach 24 Stunden lang ansehen.'],
      { ...RENTED, ...START_WITHIN, expire_after_first_use: 24, expire_after_first_use_mode: HOURS },
    ),
  ],
  [
    3,
    license(
      ['Rent for 48 hours', 'Start within 30 days, then watch for 48 hours.'],
      ['Leihen für 48 Stunden', 'Beginnen Sie innerhalb von 30 Tagen, danach 48 Stunden lang ansehen.'],
      { ...RENTED, ...START_WITHIN, expire_after_first_use: 48, expire_after_first_use_mode: HOURS },
    ),
  ],
  [
    4,
    license(
      ['30 days', 'Use it for 30 days from the day of purchase.'],
      ['30 Tage', 'Nutzen Sie es 30 Tage lang ab dem Kauf.'],
      { ...RENTED, expire_after_acquisition: 30, expire_after_acquisition_mode: DAYS },
    ),
  ],
  [
    5,
    license(
      ['Loan', 'Borrow it for 14 days, on one device.'],
      ['Ausleihe', 'Leihen Sie es für 14 Tage aus, auf einem Gerät.'],
      {
        ...RENTED,
        total_downloads: 1,
        annual_downloads: 1,
        expire_after_acquisition: 14,
        expire_after_acquisition_mode: DAYS,
      },
    ),
  ],
  [
    6,
    license(
      ['Download to own', 'Download up to five times and keep it, without copy protection.'],
      ['Herunterladen und behalten', 'Bis zu fünfmal herunterladen und behalten, ohne Kopierschutz.'],
      {
        type: CONTENT,
        drm: 0,
        total_downloads: 5,
        total_export: -1,
        annual_export: -1,
        export_epub: 1,
        export_mp3: 1,
        export_pdf_print: 1,
        burn_play: -1,
      },
    ),
  ],
  [
    7,
    license(
      ['E-book', 'Read on up to six devices. No printing.'],
      ['E-Book', 'Lesen auf bis zu sechs Geräten. Kein Druck.'],
      { ...BOOK, export_pdf_print: 0 },
    ),
  ],
  [
    8,
    license(
      ['E-book with printing', 'Read on up to six devices and print up to ten pages at a time.'],
      ['E-Book mit Druck', 'Lesen auf bis zu sechs Geräten und bis zu zehn Seiten auf einmal drucken.'],
      { ...BOOK, export_pdf_print: 1, burn_play: 10 },
    ),
  ],
  [
    9,
    license(
      ['Software, one device', 'Install on one device.'],
      ['Software, ein Gerät', 'Auf einem Gerät installieren.'],
      software(1),
    ),
  ],
  [
    10,
    license(
      ['Software, three devices', 'Install on up to three devices.'],
      ['Software, drei Geräte', 'Auf bis zu drei Geräten installieren.'],
      software(3),
    ),
  ],
  [
    11,
    license(
      ['Physical with content', 'A copy is sent to you; watch, listen or read the digital one at once.'],
      ['Physisch mit Inhalt', 'Sie bekommen ein Exemplar zugesandt; das digitale steht sofort bereit.'],
      { type: PHYSICAL_CONTENT, drm: 1, annual_downloads: 10, total_concurrent_devices: 5 },
    ),
  ],
  [
    12,
    license(
      ['Physical with software', 'A copy is sent to you; install the software on one device at once.'],
      ['Physisch mit Software', 'Sie bekommen ein Exemplar zugesandt; die Software steht sofort für ein Gerät bereit.'],
      { ...software(1), type: PHYSICAL_SOFTWARE },
    ),
  ],
])
