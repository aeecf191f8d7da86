import type { MessageKey } from '#platform/text/messages.ts'
import type { LicenseInput } from './schema.ts'

const [HOURS, DAYS] = [0, 1]
const [CONTENT, SOFTWARE, PHYSICAL_SOFTWARE, PHYSICAL_CONTENT] = [0, 1, 2, 3]

type NameIn<Key> = Key extends `rights.starter.${infer Name}.name` ? Name : never

/** What the messages call a license that comes with the service. */
type StarterName = NameIn<MessageKey>

/** A license that comes with the service. Its texts are messages. */
export type StarterLicense = { name: StarterName; terms: LicenseInput }

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
export const STARTER_LICENSES: ReadonlyMap<number, StarterLicense> = new Map<number, StarterLicense>([
  [
    1,
    {
      name: 'buy',
      terms: {
        type: CONTENT,
        drm: 1,
        annual_downloads: 10,
        total_concurrent_devices: 5,
        copp_hdcp: 1,
        play_prot_level_digital: 100,
      },
    },
  ],
  [
    2,
    {
      name: 'rent_24_hours',
      terms: { ...RENTED, ...START_WITHIN, expire_after_first_use: 24, expire_after_first_use_mode: HOURS },
    },
  ],
  [
    3,
    {
      name: 'rent_48_hours',
      terms: { ...RENTED, ...START_WITHIN, expire_after_first_use: 48, expire_after_first_use_mode: HOURS },
    },
  ],
  [4, { name: 'thirty_days', terms: { ...RENTED, expire_after_acquisition: 30, expire_after_acquisition_mode: DAYS } }],
  [
    5,
    {
      name: 'loan',
      terms: {
        ...RENTED,
        total_downloads: 1,
        annual_downloads: 1,
        expire_after_acquisition: 14,
        expire_after_acquisition_mode: DAYS,
      },
    },
  ],
  [
    6,
    {
      name: 'download',
      terms: {
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
    },
  ],
  [7, { name: 'book', terms: { ...BOOK, export_pdf_print: 0 } }],
  [8, { name: 'book_with_printing', terms: { ...BOOK, export_pdf_print: 1, burn_play: 10 } }],
  [9, { name: 'software_one_device', terms: software(1) }],
  [10, { name: 'software_three_devices', terms: software(3) }],
  [
    11,
    {
      name: 'physical_with_content',
      terms: { type: PHYSICAL_CONTENT, drm: 1, annual_downloads: 10, total_concurrent_devices: 5 },
    },
  ],
  [12, { name: 'physical_with_software', terms: { ...software(1), type: PHYSICAL_SOFTWARE } }],
])
