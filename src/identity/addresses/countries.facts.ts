import { countries } from 'countries-list'
import iso from 'i18n-iso-countries/index.js'
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import type { CountryDetails } from '#identity/companies/schema.ts'
import { languageId } from '#identity/languages/languages.facts.ts'
import { isInEu, RATE_SCALE, standardRate } from './vat-rates.facts.ts'

/**
 * Data that the packages lack: minutes to GMT (in the capital, without summer time), video format (0 NTSC, 1 PAL) and
 * DVD region (0: none) of every country of ISO 3166-1, and of Kosovo, which has a code by agreement only.
 */
const TABLE = `
  AD:60:1:2 AE:240:1:2 AF:270:1:5 AG:-240:0:4 AI:-240:0:4 AL:60:1:2 AM:240:1:5 AO:60:1:5 AQ:0:1:0 AR:-180:1:4
  AS:-660:0:1 AT:60:1:2 AU:600:1:4 AW:-240:0:4 AX:120:1:2 AZ:240:1:5 BA:60:1:2 BB:-240:0:4 BD:360:1:5 BE:60:1:2
  BF:0:1:5 BG:120:1:2 BH:180:1:2 BI:120:1:5 BJ:60:1:5 BL:-240:1:2 BM:-240:0:1 BN:480:1:3 BO:-240:0:4 BQ:-240:0:4
  BR:-180:1:4 BS:-300:0:4 BT:360:1:5 BV:60:1:2 BW:120:1:5 BY:180:1:5 BZ:-360:0:4 CA:-300:0:1 CC:390:1:4 CD:60:1:5
  CF:60:1:5 CG:60:1:5 CH:60:1:2 CI:0:1:5 CK:-600:1:4 CL:-240:0:4 CM:60:1:5 CN:480:1:6 CO:-300:0:4 CR:-360:0:4
  CU:-300:0:4 CV:-60:1:5 CW:-240:0:4 CX:420:1:4 CY:120:1:2 CZ:60:1:2 DE:60:1:2 DJ:180:1:5 DK:60:1:2 DM:-240:0:4
  DO:-240:0:4 DZ:60:1:5 EC:-300:0:4 EE:120:1:2 EG:120:1:2 EH:60:1:5 ER:180:1:5 ES:60:1:2 ET:180:1:5 FI:120:1:2
  FJ:720:1:4 FK:-180:1:4 FM:660:0:4 FO:0:1:2 FR:60:1:2 GA:60:1:5 GB:0:1:2 GD:-240:0:4 GE:240:1:5 GF:-180:1:2 GG:0:1:2
  GH:0:1:5 GI:60:1:2 GL:-120:1:2 GM:0:1:5 GN:0:1:5 GP:-240:1:2 GQ:60:1:5 GR:120:1:2 GS:-120:1:0 GT:-360:0:4 GU:600:0:1
  GW:0:1:5 GY:-240:0:4 HK:480:1:3 HM:300:1:0 HN:-360:0:4 HR:60:1:2 HT:-300:0:4 HU:60:1:2 ID:420:1:3 IE:0:1:2
  IL:120:1:2 IM:0:1:2 IN:330:1:5 IO:360:1:5 IQ:180:1:2 IR:210:1:2 IS:0:1:2 IT:60:1:2 JE:0:1:2 JM:-300:0:4 JO:180:1:2
  JP:540:0:2 KE:180:1:5 KG:360:1:5 KH:420:1:3 KI:720:1:4 KM:180:1:5 KN:-240:0:4 KP:540:1:5 KR:540:0:3 KW:180:1:2
  KY:-300:0:4 KZ:300:1:5 LA:420:1:3 LB:120:1:2 LC:-240:0:4 LI:60:1:2 LK:330:1:5 LR:0:1:5 LS:120:1:2 LT:120:1:2
  LU:60:1:2 LV:120:1:2 LY:120:1:5 MA:60:1:5 MC:60:1:2 MD:120:1:5 ME:60:1:2 MF:-240:1:2 MG:180:1:5 MH:720:0:4 MK:60:1:2
  ML:0:1:5 MM:390:0:3 MN:480:1:5 MO:480:1:3 MP:600:0:1 MQ:-240:1:2 MR:0:1:5 MS:-240:0:4 MT:60:1:2 MU:240:1:5
  MV:300:1:5 MW:120:1:5 MX:-360:0:4 MY:480:1:3 MZ:120:1:5 NA:120:1:5 NC:660:1:2 NE:60:1:5 NF:660:1:4 NG:60:1:5
  NI:-360:0:4 NL:60:1:2 NO:60:1:2 NP:345:1:5 NR:720:1:4 NU:-660:1:4 NZ:720:1:4 OM:240:1:2 PA:-300:0:4 PE:-300:0:4
  PF:-600:1:2 PG:600:1:4 PH:480:0:3 PK:300:1:5 PL:60:1:2 PM:-180:1:2 PN:-480:1:4 PR:-240:0:1 PS:120:1:2 PT:0:1:2
  PW:540:0:4 PY:-180:1:4 QA:180:1:2 RE:240:1:2 RO:120:1:2 RS:60:1:2 RU:180:1:5 RW:120:1:5 SA:180:1:2 SB:660:1:4
  SC:240:1:5 SD:120:1:5 SE:60:1:2 SG:480:1:3 SH:0:1:5 SI:60:1:2 SJ:60:1:2 SK:60:1:2 SL:0:1:5 SM:60:1:2 SN:0:1:5
  SO:180:1:5 SR:-180:0:4 SS:120:1:5 ST:0:1:5 SV:-360:0:4 SX:-240:0:4 SY:180:1:2 SZ:120:1:2 TC:-300:0:4 TD:60:1:5
  TF:300:1:2 TG:0:1:5 TH:420:1:3 TJ:300:1:5 TK:780:1:4 TL:540:1:3 TM:300:1:5 TN:60:1:5 TO:780:1:4 TR:180:1:2
  TT:-240:0:4 TV:720:1:4 TW:480:0:3 TZ:180:1:5 UA:120:1:5 UG:180:1:5 UM:-660:0:1 US:-300:0:1 UY:-180:1:4 UZ:300:1:5
  VA:60:1:2 VC:-240:0:4 VE:-240:0:4 VG:-240:0:4 VI:-240:0:1 VN:420:1:3 VU:660:1:4 WF:720:1:2 WS:780:1:4 XK:60:1:2
  YE:180:1:2 YT:180:1:2 ZA:120:1:2 ZM:120:1:5 ZW:120:1:5
`

const packaged = new Map(Object.entries(countries))
const englishNames = new Map<string, string | string[]>(Object.entries(english.countries))

const known = new Map(TABLE.trim().split(/\s+/).map(readEntry))

function readEntry(entry: string): [string, CountryDetails] {
  const [code = '', ...numbers] = entry.split(':')
  const [timeOffset = 0, videoFormat = 0, dvdRegion = 0] = numbers.map(Number)
  const num = Number(iso.alpha2ToNumeric(code))
  const country = packaged.get(code)
  if (country === undefined) throw new Error(`the package has no country ${code}`)
  const [currency = ''] = country.currency
  const [language] = country.languages
  return [
    code,
    {
      ID: num,
      Country: country.name,
      Eu: isInEu(code) ? 1 : 0,
      Country_id: code,
      Euro: currency === 'EUR' ? 1 : 0,
      Culture: language === undefined ? '' : `${language}-${code}`,
      Num: num,
      VideoFormat: videoFormat,
      DVDRegion: dvdRegion,
      Currency: currency,
      VAT: standardRate(code, new Date(performance.timeOrigin)) / (RATE_SCALE / 100),
      TimeOffset: timeOffset,
    },
  ]
}

export const COUNTRY_CODES: ReadonlySet<string> = new Set(known.keys())

/** The details of a country. An unknown code, stored when any two letters were accepted, is shown as it is. */
export function countryDetails(code: string): CountryDetails {
  return (
    known.get(code) ?? {
      ID: 0,
      Country: code,
      Eu: 0,
      Country_id: code,
      Euro: 0,
      Culture: '',
      Num: 0,
      VideoFormat: 1,
      DVDRegion: 0,
      Currency: '',
      VAT: 0,
      TimeOffset: 0,
    }
  )
}

/** The European Union writes XKX for Kosovo, and the package another user-assigned code. */
const ALIASES: readonly (readonly [string, string])[] = [['XKX', 'XK']]

/** Compares names without regard to case, accents and the way an accented letter is encoded. */
function fold(text: string): string {
  return text.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The name of a country in each of its own languages. */
function ownNames(code: string): string[] {
  const { native = '', languages = [] } = packaged.get(code) ?? {}
  const names = languages.map((language) => new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? '')
  return [native, ...names].filter((name) => name !== '')
}

/** Computed with the first name that is no two-letter code, because names in every language take a while to collect. */
let byName: ReadonlyMap<string, string> | undefined

function collectNames(): ReadonlyMap<string, string> {
  const names = new Map(ALIASES.map(([name, code]) => [fold(name), code]))
  for (const code of known.keys()) for (const name of ownNames(code)) names.set(fold(name), code)
  // English names and codes are set last: they win over a name in another language.
  for (const [code, { Country }] of known) {
    for (const name of [englishNames.get(code) ?? [], Country, iso.alpha2ToAlpha3(code) ?? [], code].flat())
      names.set(fold(name), code)
  }
  return names
}

/** The two-letter code of a country, from its code of two or three letters, its English name or its own, in any case. */
export function countryCode(text: string): string | undefined {
  const code = text.trim().toUpperCase()
  if (known.has(code)) return code
  byName ??= collectNames()
  return byName.get(fold(text))
}

/** countryCode with the English name of the country. */
export function findCountry(text: string): { code: string; name: string } | undefined {
  const code = countryCode(text)
  return code === undefined ? undefined : { code, name: countryDetails(code).Country }
}

/**
 * The languages of a country that the service knows, the most likely one first. The package lists them, and the Unicode
 * data of Node say which is the most likely: English in Ireland. None for an unknown code.
 */
export function languagesOf(code: string): string[] {
  const country = packaged.get(code)
  if (country === undefined) return []
  const { language } = new Intl.Locale(`und-${code}`).maximize()
  const spoken = country.languages.filter((each) => languageId(each) !== undefined)
  return [...spoken.filter((each) => each === language), ...spoken.filter((each) => each !== language)]
}
