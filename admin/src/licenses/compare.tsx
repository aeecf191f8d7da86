import './licenses.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { termsQuery } from '../products/editor/terms.ts'
import { licensesQuery } from '../products/queries.ts'
import { SelectField } from '../ui/forms/fields.tsx'
import { Empty } from '../ui/lists/list.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { list } from '../words/format.ts'
import { t } from '../words/words.ts'
import { draftOf, inputOf, LEVEL_NAMES, SWITCHES } from './draft.ts'
import { levelWords } from './more-fields.tsx'
import { licenseName } from './names.ts'
import type { License } from './queries.ts'
import { whereOf } from './said.tsx'

const route = getRouteApi('/licenses/compare')
const FILM = 1

/** Two licenses side by side, with what differs marked. */
export function CompareLicenses() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const licenses = useQuery(licensesQuery)
  const usable = licenses.data?.filter(({ valid }) => valid === 1) ?? []
  const options = [
    { value: '', title: t('offers.choose') },
    ...usable.map((license) => ({ value: String(license.id), title: licenseName(license) })),
  ]
  const [one, other] = [search.one, search.other].map((id) => usable.find((license) => license.id === id))
  const choose = (side: 'one' | 'other') => (value: string) =>
    void navigate({
      search: ({ [side]: _before, ...now }) => (value === '' ? now : { ...now, [side]: Number(value) }),
      replace: true,
    })
  return (
    <Page title={t('licenses.compare_title')} trail={{ to: '/licenses', title: t('menu.licenses') }}>
      {licenses.isError && <Problem error={licenses.error} retry={() => void licenses.refetch()} />}
      <Card label={t('licenses.compare_title')}>
        <div className="card-body said-card pair">
          <SelectField
            label={t('licenses.first_one')}
            value={String(search.one ?? '')}
            options={options}
            onValue={choose('one')}
          />
          <SelectField
            label={t('licenses.second_one')}
            value={String(search.other ?? '')}
            options={options}
            onValue={choose('other')}
          />
        </div>
        {one !== undefined && other !== undefined ? (
          <Comparison one={one} other={other} />
        ) : (
          <Empty icon="key" text={t('licenses.choose_two')} />
        )}
      </Card>
    </Page>
  )
}

function useSentences(license: License): readonly string[] | undefined {
  return useQuery(termsQuery(license, FILM, document.documentElement.lang)).data?.sentences
}

function Comparison({ one, other }: { one: License; other: License }) {
  const [first, second] = [useSentences(one), useSentences(other)]
  if (first === undefined || second === undefined) return <span className="skeleton" />
  const facts = FACTS.map(({ title, textOf }) => ({ title: title(), texts: [textOf(one), textOf(other)] as const }))
  return (
    <table className="compare" aria-label={t('licenses.compare_title')}>
      <thead>
        <tr>
          <td />
          <th scope="col">{licenseName(one)}</th>
          <th scope="col">{licenseName(other)}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t('licenses.said')}</th>
          <td>
            <Sentences sentences={first} others={second} />
          </td>
          <td>
            <Sentences sentences={second} others={first} />
          </td>
        </tr>
        {facts.map(({ title, texts: [left, right] }) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            <td>{marked(left, left !== right)}</td>
            <td>{marked(right, left !== right)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What differs is marked for those who see it, and said for those who hear it. */
function marked(text: string, isDifferent: boolean): ReactNode {
  if (!isDifferent) return text
  return (
    <mark>
      {text}
      <span className="hidden">{t('licenses.different')}</span>
    </mark>
  )
}

function Sentences({ sentences, others }: { sentences: readonly string[]; others: readonly string[] }) {
  return (
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence}>{marked(sentence, !others.includes(sentence))}</li>
      ))}
    </ul>
  )
}

type Fact = { title: () => string; textOf: (license: License) => string }

/** What a license says beside the sentences about its use. */
const FACTS: readonly Fact[] = [
  { title: () => t('licenses.type'), textOf: (license) => t(`licenses.types.${draftOf(license).type}`) },
  { title: () => t('licenses.where'), textOf: (license) => whereOf(inputOf(draftOf(license))) },
  { title: () => t('licenses.clock'), textOf: (license) => t(`licenses.clocks.${draftOf(license).clock}`) },
  {
    title: () => t('licenses.stamp'),
    textOf: ({ stamp }) => (stamp === 1 ? t('licenses.stamped') : t('licenses.not_stamped')),
  },
  {
    title: () => t('licenses.taxes'),
    textOf: ({ tax_handling }) => t(`licenses.tax.${tax_handling === 1 ? 'net' : 'gross'}`),
  },
  { title: () => t('licenses.outputs'), textOf: outputsOf },
]

function outputsOf(license: License): string {
  const { outputs, levels } = draftOf(license)
  const said = [
    ...SWITCHES.filter((name) => outputs[name]).map((name) => t(`licenses.output.${name}`)),
    ...LEVEL_NAMES.filter((name) => levels[name] !== 0).map((name) =>
      t(`licenses.levels.${levelWords(name)}_${levels[name]}` as 'licenses.levels.analog_0'),
    ),
  ]
  return said.length === 0 ? t('licenses.no_outputs') : list(said)
}
