import { inOneLine, readSources, type Source, type Violation } from './source.ts'

/** How many requirements each section of ASVS 5.0 has at levels 1 and 2. They are numbered from 1. */
const ASVS_SECTIONS: Record<string, number> = {
  '1.1': 2,
  '1.2': 9,
  '1.3': 11,
  '1.4': 3,
  '1.5': 2,
  '2.1': 3,
  '2.2': 3,
  '2.3': 4,
  '2.4': 1,
  '3.2': 2,
  '3.3': 4,
  '3.4': 6,
  '3.5': 5,
  '3.7': 2,
  '4.1': 3,
  '4.2': 1,
  '4.3': 2,
  '4.4': 4,
  '5.1': 1,
  '5.2': 3,
  '5.3': 2,
  '5.4': 3,
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
  '11.1': 2,
  '11.2': 3,
  '11.3': 3,
  '11.4': 4,
  '11.5': 1,
  '11.6': 1,
  '12.1': 3,
  '12.2': 2,
  '12.3': 4,
  '13.1': 1,
  '13.2': 5,
  '13.3': 2,
  '13.4': 5,
  '14.1': 2,
  '14.2': 4,
  '14.3': 3,
  '15.1': 3,
  '15.2': 3,
  '15.3': 7,
  '16.1': 1,
  '16.2': 5,
  '16.3': 4,
  '16.4': 3,
  '16.5': 3,
  '17.1': 1,
  '17.2': 4,
  '17.3': 2,
}

export const ASVS = Object.entries(ASVS_SECTIONS).flatMap(([section, last]) =>
  Array.from({ length: last }, (_, index) => `${section}.${index + 1}`),
)
export const TOP_10 = Array.from({ length: 10 }, (_, index) => `API${index + 1}`)

/** The states that a requirement can have, each with what has to follow it. */
const STATES: Record<string, { needs: RegExp; missing: string }> = {
  Test: { needs: /\]\([^)]*(?:\.test\.ts|\/fuzz\/[^)]*)\)/, missing: 'links to no test' },
  Check: { needs: /\]\([^)]*scripts\/[^)]+\.ts\)/, missing: 'links to no check in scripts/' },
  'Held, no test': { needs: /\]\([^)]+\)/, missing: 'links to nothing that shows it' },
  'Not yet': { needs: /\w+ \w+/, missing: 'does not say what is missing' },
  'Does not apply': { needs: /\w+ \w+/, missing: 'does not say why' },
}

type Row = { id: string; line: number; state: string; evidence: string }

/** The rows of all tables whose first cell is a number of the standard. The last cell is the state. */
export function readRows(text: string): Row[] {
  return text.split('\n').flatMap((content, index) => {
    const [id = '', ...cells] = content.split(' | ').map((cell) => cell.replace(/^\| |\s*\|$/g, ''))
    if (!/^(API\d+|\d+\.\d+\.\d+)$/.test(id.split(' ')[0] ?? '')) return []
    const [, state = '', evidence = ''] = /^([^:]+): (.*)$/.exec(cells.at(-1) ?? '') ?? []
    return [{ id: id.split(' ')[0] ?? '', line: index + 1, state, evidence }]
  })
}

/** Rows without a proper state, and requirements that have no row or several. */
export function mistakesIn({ path, text }: Source, requirements: readonly string[]): Violation[] {
  const rows = readRows(text)
  const wrong = rows.flatMap(({ id, line, state, evidence }) => {
    const rule = Object.hasOwn(STATES, state) ? STATES[state] : undefined
    if (rule === undefined) return [{ path, line, message: `${id} has no state: ${Object.keys(STATES).join(', ')}` }]
    return rule.needs.test(evidence) ? [] : [{ path, line, message: `${id} says ${state}, but ${rule.missing}` }]
  })
  const unknown = rows
    .filter(({ id }, index) => !requirements.includes(id) || rows.findIndex((row) => row.id === id) !== index)
    .map(({ id, line }) => ({ path, line, message: `${id} is listed twice, or is not a requirement` }))
  const absent = requirements
    .filter((id) => !rows.some((row) => row.id === id))
    .map((id) => ({ path, line: 1, message: `${id} is not listed` }))
  return [...wrong, ...unknown, ...absent]
}

const COLUMNS: Record<string, readonly string[]> = {
  'Held by a test or a check': ['Test', 'Check'],
  'Held, no test': ['Held, no test'],
  'Not yet': ['Not yet'],
  'Does not apply': ['Does not apply'],
}

/** The table that counts the states, by chapter of the page with the requirements. */
export function countsTable(text: string): string {
  const chapters = text.split(/^(?=## )/m).slice(1)
  const countsOf = (part: string) => {
    const rows = readRows(part)
    return Object.values(COLUMNS).map((states) => rows.filter(({ state }) => states.includes(state)).length)
  }
  const rows = chapters.map((chapter) => {
    const title = /^## (.*)$/m.exec(chapter)?.[1] ?? ''
    return [`[${title}](security-asvs.md#${title.toLowerCase().replaceAll(' ', '-')})`, ...countsOf(chapter)]
  })
  const header = ['Chapter', ...Object.keys(COLUMNS)]
  return [header, header.map((_, index) => (index === 0 ? '---' : '--:')), ...rows, ['All', ...countsOf(text)]]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

const COUNTS = /(<!-- Counts, written by npm run generate. -->\n)[\s\S]*?(\n<!-- End of the counts. -->)/

/** The overview with the counts of the page with the requirements. */
export function withCounts(overview: string, requirements: string): string {
  if (!COUNTS.test(overview)) throw new Error('docs/security.md has no place for the counts')
  return overview.replace(COUNTS, (_all, before, after) => `${before}\n${countsTable(requirements)}\n${after}`)
}

export async function checkSecurityOfProject(): Promise<string[]> {
  const [asvs, overview] = await readSources(['docs/security-asvs.md', 'docs/security.md'])
  if (asvs === undefined || overview === undefined) return ['saw no page: it looked in the wrong place']
  return [...mistakesIn(asvs, ASVS), ...mistakesIn(overview, TOP_10)].map(inOneLine)
}
