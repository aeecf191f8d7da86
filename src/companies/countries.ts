import { countries } from 'countries-list'
import { isInEu, RATE_SCALE, standardRate } from '#taxes/rates.ts'
import type { CountryDetails } from './schema.ts'

/**
 * Data that the package lacks: code, numeric ISO code, minutes to GMT (in the capital, without summer time), video
 * format (0 NTSC, 1 PAL) and DVD region (0: none) of every country of ISO 3166-1.
 */
const TABLE = `
  AD:020:60:1:2 AE:784:240:1:2 AF:004:270:1:5 AG:028:-240:0:4 AI:660:-240:0:4 AL:008:60:1:2 AM:051:240:1:5
  AO:024:60:1:5 AQ:010:0:1:0 AR:032:-180:1:4 AS:016:-660:0:1 AT:040:60:1:2 AU:036:600:1:4 AW:533:-240:0:4
  AX:248:120:1:2 AZ:031:240:1:5 BA:070:60:1:2 BB:052:-240:0:4 BD:050:360:1:5 BE:056:60:1:2 BF:854:0:1:5
  BG:100:120:1:2 BH:048:180:1:2 BI:108:120:1:5 BJ:204:60:1:5 BL:652:-240:1:2 BM:060:-240:0:1 BN:096:480:1:3
  BO:068:-240:0:4 BQ:535:-240:0:4 BR:076:-180:1:4 BS:044:-300:0:4 BT:064:360:1:5 BV:074:60:1:2 BW:072:120:1:5
  BY:112:180:1:5 BZ:084:-360:0:4 CA:124:-300:0:1 CC:166:390:1:4 CD:180:60:1:5 CF:140:60:1:5 CG:178:60:1:5
  CH:756:60:1:2 CI:384:0:1:5 CK:184:-600:1:4 CL:152:-240:0:4 CM:120:60:1:5 CN:156:480:1:6 CO:170:-300:0:4
  CR:188:-360:0:4 CU:192:-300:0:4 CV:132:-60:1:5 CW:531:-240:0:4 CX:162:420:1:4 CY:196:120:1:2 CZ:203:60:1:2
  DE:276:60:1:2 DJ:262:180:1:5 DK:208:60:1:2 DM:212:-240:0:4 DO:214:-240:0:4 DZ:012:60:1:5 EC:218:-300:0:4
  EE:233:120:1:2 EG:818:120:1:2 EH:732:60:1:5 ER:232:180:1:5 ES:724:60:1:2 ET:231:180:1:5 FI:246:120:1:2
  FJ:242:720:1:4 FK:238:-180:1:4 FM:583:660:0:4 FO:234:0:1:2 FR:250:60:1:2 GA:266:60:1:5 GB:826:0:1:2
  GD:308:-240:0:4 GE:268:240:1:5 GF:254:-180:1:2 GG:831:0:1:2 GH:288:0:1:5 GI:292:60:1:2 GL:304:-120:1:2
  GM:270:0:1:5 GN:324:0:1:5 GP:312:-240:1:2 GQ:226:60:1:5 GR:300:120:1:2 GS:239:-120:1:0 GT:320:-360:0:4
  GU:316:600:0:1 GW:624:0:1:5 GY:328:-240:0:4 HK:344:480:1:3 HM:334:300:1:0 HN:340:-360:0:4 HR:191:60:1:2
  HT:332:-300:0:4 HU:348:60:1:2 ID:360:420:1:3 IE:372:0:1:2 IL:376:120:1:2 IM:833:0:1:2 IN:356:330:1:5
  IO:086:360:1:5 IQ:368:180:1:2 IR:364:210:1:2 IS:352:0:1:2 IT:380:60:1:2 JE:832:0:1:2 JM:388:-300:0:4
  JO:400:180:1:2 JP:392:540:0:2 KE:404:180:1:5 KG:417:360:1:5 KH:116:420:1:3 KI:296:720:1:4 KM:174:180:1:5
  KN:659:-240:0:4 KP:408:540:1:5 KR:410:540:0:3 KW:414:180:1:2 KY:136:-300:0:4 KZ:398:300:1:5 LA:418:420:1:3
  LB:422:120:1:2 LC:662:-240:0:4 LI:438:60:1:2 LK:144:330:1:5 LR:430:0:1:5 LS:426:120:1:2 LT:440:120:1:2
  LU:442:60:1:2 LV:428:120:1:2 LY:434:120:1:5 MA:504:60:1:5 MC:492:60:1:2 MD:498:120:1:5 ME:499:60:1:2
  MF:663:-240:1:2 MG:450:180:1:5 MH:584:720:0:4 MK:807:60:1:2 ML:466:0:1:5 MM:104:390:0:3 MN:496:480:1:5
  MO:446:480:1:3 MP:580:600:0:1 MQ:474:-240:1:2 MR:478:0:1:5 MS:500:-240:0:4 MT:470:60:1:2 MU:480:240:1:5
  MV:462:300:1:5 MW:454:120:1:5 MX:484:-360:0:4 MY:458:480:1:3 MZ:508:120:1:5 NA:516:120:1:5 NC:540:660:1:2
  NE:562:60:1:5 NF:574:660:1:4 NG:566:60:1:5 NI:558:-360:0:4 NL:528:60:1:2 NO:578:60:1:2 NP:524:345:1:5
  NR:520:720:1:4 NU:570:-660:1:4 NZ:554:720:1:4 OM:512:240:1:2 PA:591:-300:0:4 PE:604:-300:0:4 PF:258:-600:1:2
  PG:598:600:1:4 PH:608:480:0:3 PK:586:300:1:5 PL:616:60:1:2 PM:666:-180:1:2 PN:612:-480:1:4 PR:630:-240:0:1
  PS:275:120:1:2 PT:620:0:1:2 PW:585:540:0:4 PY:600:-180:1:4 QA:634:180:1:2 RE:638:240:1:2 RO:642:120:1:2
  RS:688:60:1:2 RU:643:180:1:5 RW:646:120:1:5 SA:682:180:1:2 SB:090:660:1:4 SC:690:240:1:5 SD:729:120:1:5
  SE:752:60:1:2 SG:702:480:1:3 SH:654:0:1:5 SI:705:60:1:2 SJ:744:60:1:2 SK:703:60:1:2 SL:694:0:1:5 SM:674:60:1:2
  SN:686:0:1:5 SO:706:180:1:5 SR:740:-180:0:4 SS:728:120:1:5 ST:678:0:1:5 SV:222:-360:0:4 SX:534:-240:0:4
  SY:760:180:1:2 SZ:748:120:1:2 TC:796:-300:0:4 TD:148:60:1:5 TF:260:300:1:2 TG:768:0:1:5 TH:764:420:1:3
  TJ:762:300:1:5 TK:772:780:1:4 TL:626:540:1:3 TM:795:300:1:5 TN:788:60:1:5 TO:776:780:1:4 TR:792:180:1:2
  TT:780:-240:0:4 TV:798:720:1:4 TW:158:480:0:3 TZ:834:180:1:5 UA:804:120:1:5 UG:800:180:1:5 UM:581:-660:0:1
  US:840:-300:0:1 UY:858:-180:1:4 UZ:860:300:1:5 VA:336:60:1:2 VC:670:-240:0:4 VE:862:-240:0:4 VG:092:-240:0:4
  VI:850:-240:0:1 VN:704:420:1:3 VU:548:660:1:4 WF:876:720:1:2 WS:882:780:1:4 YE:887:180:1:2 YT:175:180:1:2
  ZA:710:120:1:2 ZM:894:120:1:5 ZW:716:120:1:5
`

const packaged = new Map(Object.entries(countries))

const known = new Map(TABLE.trim().split(/\s+/).map(readEntry))

function readEntry(entry: string): [string, CountryDetails] {
  const [code = '', ...numbers] = entry.split(':')
  const [num = 0, timeOffset = 0, videoFormat = 0, dvdRegion = 0] = numbers.map(Number)
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
      VAT: standardRate(code, new Date()) / (RATE_SCALE / 100),
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

const codes = new Map(
  [...known].flatMap(([code, { Country }]) => [code, Country].map((text) => [text.toLowerCase(), code])),
)

/** The country with this two-letter code or English name, in any case. */
export function findCountry(text: string): { code: string; name: string } | undefined {
  const code = codes.get(text.trim().toLowerCase())
  return code === undefined ? undefined : { code, name: countryDetails(code).Country }
}
