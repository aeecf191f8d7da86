/**
 * The numbers of languages in the API. The first six are given; the others got the next free numbers, most used
 * languages first. Numbers are permanent: a new language goes to the end, with a number that was never used.
 */
const TABLE = `
  en:1 de:2 pt:6 es:8 it:10 fr:12
  nl:3 pl:4 ru:5 sv:7 da:9 nb:11 fi:13 cs:14 hu:15 ro:16 el:17 tr:18 uk:19 bg:20 hr:21 sk:22 sl:23 et:24 lv:25 lt:26
  ga:27 mt:28 is:29 no:30 nn:31 sr:32 bs:33 mk:34 sq:35 ca:36 eu:37 gl:38 cy:39 lb:40 ar:41 he:42 fa:43 hi:44 bn:45
  ur:46 ta:47 te:48 mr:49 gu:50 pa:51 th:52 vi:53 id:54 ms:55 tl:56 zh:57 ja:58 ko:59 ka:60 hy:61 az:62 kk:63 uz:64
  af:65 sw:66 am:67 be:68 aa:69 ab:70 ae:71 ak:72 an:73 as:74 av:75 ay:76 ba:77 bi:78 bm:79 bo:80 br:81 ce:82 ch:83
  co:84 cr:85 cu:86 cv:87 dv:88 dz:89 ee:90 eo:91 ff:92 fj:93 fo:94 fy:95 gd:96 gn:97 gv:98 ha:99 ho:100 ht:101 hz:102
  ia:103 ie:104 ig:105 ii:106 ik:107 io:108 iu:109 jv:110 kg:111 ki:112 kj:113 kl:114 km:115 kn:116 kr:117 ks:118
  ku:119 kv:120 kw:121 ky:122 la:123 lg:124 li:125 ln:126 lo:127 lu:128 mg:129 mh:130 mi:131 ml:132 mn:133 my:134
  na:135 nd:136 ne:137 ng:138 nr:139 nv:140 ny:141 oc:142 oj:143 om:144 or:145 os:146 pi:147 ps:148 qu:149 rm:150
  rn:151 rw:152 sa:153 sc:154 sd:155 se:156 sg:157 si:158 sm:159 sn:160 so:161 ss:162 st:163 su:164 tg:165 ti:166
  tk:167 tn:168 to:169 ts:170 tt:171 tw:172 ty:173 ug:174 ve:175 vo:176 wa:177 wo:178 xh:179 yi:180 yo:181 za:182
  zu:183
`

const entries = TABLE.trim()
  .split(/\s+/)
  .map((entry) => {
    const [code = '', id] = entry.split(':')
    return [code, Number(id)] as const
  })

const ids = new Map(entries)
const codes = new Map(entries.map(([code, id]) => [id, code]))

/** The number of a language, by its two-letter code (ISO 639-1). */
export function languageId(code: string): number | undefined {
  return ids.get(code)
}

/** The two-letter code of a language, by its number. */
export function languageCode(id: number): string | undefined {
  return codes.get(id)
}
