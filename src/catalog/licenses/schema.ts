import { type Static, type TInteger, type TProperties, Type } from 'typebox'
import { Id, nullable, Text, Time, TimeInput } from '#platform/wire/schema.ts'

const NAME_MAX = 255
const HTML_MAX = 65_535

/** The known codes of each field. */
export const LICENSE_VALUES = {
  type: [0, 1, 2, 3],
  valid: [0, 1],
  drm: [0, 1],
  allow_play: [0, 1],
  copp_aps: [0, 1],
  copp_cgms: [0, 1],
  copp_hdcp: [0, 1],
  copy_prot_level_analog: [0, 100, 200, 300, 400, 500],
  copy_prot_level_digital: [0, 100, 110, 200, 300],
  play_prot_level_analog: [0, 100, 200, 300, 400, 500],
  play_prot_level_digital: [0, 100, 150, 200],
  delete_on_clock_rollback: [0, 1],
  disable_on_clock_rollback: [0, 1],
  expire_after_acquisition_mode: [0, 1, 2],
  expire_after_first_use_mode: [0, 1, 2],
  export_epub: [0, 1],
  export_mp3: [0, 1],
  export_pdf_print: [0, 1],
  physical: [0, 1],
  physical_weight_type: [0, 1],
  tax_handling: [0, 1],
  stamp: [0, 1],
} as const

/** A count: -1 is unlimited, 0 is never. */
export const LICENSE_COUNTS = [
  'burn_play',
  'total_downloads',
  'annual_downloads',
  'total_export',
  'annual_export',
  'total_concurrent_devices',
  'annual_concurrent_devices',
] as const

/** A period: 0 is unlimited. */
export const LICENSE_PERIODS = ['expire_after_acquisition', 'expire_after_first_use'] as const

export const COUNT_MAX = 2_147_483_647
/** In months this is more than four thousand years. */
export const PERIOD_MAX = 50_000
export const WEIGHT_MAX = 1_000_000_000
export const DVD_REGIONS = [1, 2, 3, 4, 5, 6] as const
export const VIDEO_NORMS = [0, 1] as const

/** One of the codes above, with a description of each. */
const One = (field: keyof typeof LICENSE_VALUES, description: string) =>
  Type.Integer({ enum: LICENSE_VALUES[field], description })
const Times = (description: string) =>
  Type.Integer({ minimum: -1, maximum: COUNT_MAX, description: `${description} -1: without limit; 0: none.` })
const Period = (description: string) =>
  Type.Integer({ minimum: 0, maximum: PERIOD_MAX, description: `${description} 0: no such end.` })

const ANALOG = '0 none, 100 copy once, 200 copy never, 300 and APS bit 1, 400 and APS bit 2, 500 and APS bits 1 and 2.'
const UNITS = '0 hours, 1 days, 2 months.'

const terms = {
  type: One('type', '0 content, 1 software, 2 physical and software, 3 physical and content.'),
  valid: One('valid', '0 invalid: no longer to be used; 1 valid.'),
  drm: One('drm', '0 no DRM control; 1 DRM as the other fields define it.'),
  allow_play: One('allow_play', '1 allows to view and play.'),
  burn_play: Times('How often it may be burnt, exported or printed.'),
  total_downloads: Times('Downloads in total.'),
  annual_downloads: Times('Downloads a year.'),
  total_export: Times('Exports in total.'),
  annual_export: Times('Exports a year.'),
  total_concurrent_devices: Times('Devices at the same time.'),
  annual_concurrent_devices: Times('Devices at the same time, counted by the year.'),
  copp_aps: One('copp_aps', '0 disabled, 1 enabled.'),
  copp_cgms: One('copp_cgms', '0 disabled, 1 enabled.'),
  copp_hdcp: One('copp_hdcp', '0 disabled, 1 enabled.'),
  copy_prot_level_analog: One('copy_prot_level_analog', ANALOG),
  copy_prot_level_digital: One(
    'copy_prot_level_digital',
    '0 none, 100 secure burn, 110 secure burn enhanced, 200 secure burn and recordable CSS, 300 the same enforced.',
  ),
  play_prot_level_analog: One('play_prot_level_analog', ANALOG),
  play_prot_level_digital: One(
    'play_prot_level_digital',
    '0 none, 100 HDCP if available and AirPlay allowed, 150 HDCP if available and AirPlay disabled, 200 HDCP enforced.',
  ),
  delete_on_clock_rollback: One('delete_on_clock_rollback', '1: the license is deleted when a clock was put back.'),
  disable_on_clock_rollback: One(
    'disable_on_clock_rollback',
    '1: the license is suspended until a clock that was put back is right again.',
  ),
} satisfies Record<string, TInteger>

const ends = {
  expire_after_acquisition: Period('Time units after issue.'),
  expire_after_acquisition_mode: One('expire_after_acquisition_mode', UNITS),
  expire_after_first_use: Period('Time units after first use.'),
  expire_after_first_use_mode: One('expire_after_first_use_mode', UNITS),
  export_epub: One('export_epub', '1 allows to export an ePub without DRM.'),
  export_mp3: One('export_mp3', '1 allows to export MP3 without DRM.'),
}

const goods = {
  export_pdf_print: nullable(
    One('export_pdf_print', '1 allows to print; how many pages at once is `burn_play`. Null: does not apply.'),
  ),
  physical: One('physical', '1 with a physical product, else 0.'),
  physical_weight: Type.Number({ minimum: 0, maximum: WEIGHT_MAX, description: 'Weight of it.' }),
  physical_weight_type: One('physical_weight_type', '0 gram, 1 lbs.'),
  tax_handling: One('tax_handling', '0: prices are gross; 1: prices are net.'),
}

/** Not a field of the interface. */
const stamping = {
  stamp: One('stamp', '1: PDFs and EPUBs that are downloaded name their buyer. 0: they are downloaded as they are.'),
}

const languageId = Type.Integer({
  minimum: 1,
  maximum: COUNT_MAX,
  description: 'Number of the language: 1 en, 2 de, 6 pt, 8 es, 10 it, 12 fr …',
})
const texts = {
  name: Text(NAME_MAX, 'Name in this language.'),
  description: Text(HTML_MAX, 'What a customer may do with it, in this language. HTML is allowed.'),
}
const COUNTRY_MAX = 100
const countryId = Type.String({
  pattern: '^[A-Za-z]{2}$',
  description: 'Two-letter code of a country where it may be sold.',
  examples: ['DE'],
})
const dvdRegion = Type.Integer({ enum: DVD_REGIONS, description: 'Region of the countries where it may be sold.' })
const norm = Type.Integer({ enum: VIDEO_NORMS, description: '0 NTSC countries, 1 PAL countries.' })

const listOf = <Properties extends TProperties>(properties: Properties, description: string) =>
  Type.Array(Type.Object({ id: Id('Id of the entry.'), ...properties }), { description })

export const License = Type.Object(
  {
    id: Id('Id of the license.'),
    company_id: Type.Integer({ minimum: 0, description: 'Company that it belongs to; 0 for general licenses.' }),
    created_by_user_id: Type.Integer({ minimum: 0, description: 'User who made it; 0 if none did.' }),
    name: Text(NAME_MAX, 'Name in the administration.', ['Rent for 48 hours']),
    created_at: Time('When it was made.'),
    assignment: Type.Integer({ enum: [1, 2], description: '1 general, for all companies; 2 of this company.' }),
    ...terms,
    expiration_date: nullable(Time('When it ends; null: no such end.')),
    ...ends,
    ...goods,
    locales: listOf({ language_id: languageId, ...texts }, 'Texts for customers.'),
    restriction_country: listOf({ country_id: countryId }, 'Where it may be sold; empty: everywhere.'),
    restriction_dvd_region: listOf(
      { dvd_region: dvdRegion },
      'Where it may be sold, by DVD region; empty: everywhere.',
    ),
    restriction_video_norm: Type.Unsafe<{ id: number; norm: number } | null>({
      ...Type.Object({ id: Id('Id of the restriction.'), norm }),
      type: ['object', 'null'],
      description: 'Where it may be sold, by video norm; null: everywhere.',
    }),
    ...stamping,
  },
  { $id: 'License' },
)

/** Clients whose numbers cannot be absent send 0 or null for none. */
const PartId = Type.Optional(
  nullable(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Id of an entry to keep. Without one (absent, null or 0) it is added.',
    }),
  ),
)

export const LicenseInput = Type.Object(
  {
    name: Type.Optional(Text(NAME_MAX, 'Name in the administration. Required when it is made.')),
    ...Type.Partial(Type.Object({ ...terms, ...ends, ...goods, ...stamping })).properties,
    expiration_date: Type.Optional(nullable(TimeInput('When it ends.'))),
    locales: Type.Optional(
      Type.Array(
        Type.Object({
          id: PartId,
          language_id: Type.Optional(languageId),
          ...Type.Partial(Type.Object(texts)).properties,
          _destroy: Type.Optional(Type.Boolean({ description: 'Removes the locale with this id.' })),
        }),
        { maxItems: 200, description: 'An entry with an `id` or a known `language_id` changes that one.' },
      ),
    ),
    restriction_country: Type.Optional(
      Type.Array(Type.Object({ id: PartId, country_id: Text(COUNTRY_MAX, 'Code or name of the country.', ['DE']) }), {
        maxItems: 300,
        description: 'Replaces them.',
      }),
    ),
    restriction_dvd_region: Type.Optional(
      Type.Array(Type.Object({ id: PartId, dvd_region: dvdRegion }), { maxItems: 20, description: 'Replaces them.' }),
    ),
    restriction_video_norm: Type.Optional(
      Type.Unsafe<{ norm: number } | null>({ ...Type.Object({ norm }), type: ['object', 'null'] }),
    ),
  },
  { $id: 'LicenseInput', examples: [{ name: 'Rent for 48 hours', type: 0, expire_after_first_use: 48 }] },
)

export const LicenseUse = Type.Object(
  {
    id: Id('Id of the license.'),
    products: Type.Integer({ minimum: 0, description: 'How many products of the company are sold under it.' }),
  },
  { $id: 'LicenseUse' },
)

export type License = Static<typeof License>
export type LicenseInput = Static<typeof LicenseInput>
