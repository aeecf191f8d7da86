/** An element by the names of those that it stands in and its own, from the root: `html body main h1`. */
export type ElementPath = string

const VOID = new Set(['meta', 'link', 'input', 'br', 'wbr'])
const TOKEN = /<!doctype html>|<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z][\w:-]*(?:="[^"<]*")?)*)\s*(\/?)>|([^<]+)|(<)/gi
const ATTRIBUTE = /([a-z][\w:-]*)(?:="([^"]*)")?/gi

type Tag = { name: string; attributes: [name: string, value: string][] }

/** What is wrong with a document as it was sent, given the elements that a browser made of it. */
export function brokenMarkup(source: string, understood: readonly ElementPath[]): string[] {
  const { paths, tags, faults } = parse(source)
  const moved = paths.findIndex((path, index) => path !== understood[index])
  if (moved !== -1) faults.push(`<${paths[moved]}> became <${understood[moved]}> in the browser`)
  if (paths.length < understood.length) faults.push(`the browser added <${understood[paths.length]}>`)
  return [...faults, ...brokenAttributes(tags)]
}

function parse(source: string): { paths: ElementPath[]; tags: Tag[]; faults: string[] } {
  const open: string[] = []
  const paths: ElementPath[] = []
  const tags: Tag[] = []
  const faults: string[] = []
  if (!source.startsWith('<!doctype html>')) faults.push('there is no doctype')
  for (const [token, closing, name = '', attributes = '', selfClosing, , stray] of source.matchAll(TOKEN)) {
    if (stray !== undefined) faults.push(`a < that opens nothing`)
    if (name === '') continue
    if (closing === '/') {
      const expected = open.pop()
      if (expected !== name) faults.push(`${token} closes <${expected}>`)
      continue
    }
    paths.push([...open, name].join(' '))
    tags.push({ name, attributes: [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, value]) })
    if (!VOID.has(name) && selfClosing !== '/') open.push(name)
  }
  return { paths, tags, faults: [...faults, ...open.map((name) => `<${name}> is never closed`)] }
}

/** Scripts of a theme come from its assets. Pages work without them. */
function isOfTheme(attributes: Tag['attributes']): boolean {
  return attributes.some(([key, value]) => key === 'src' && value.startsWith('/assets/themes/'))
}

/** Names of elements that are not there or there twice, attributes that a policy would drop, fields without a label. */
function brokenAttributes(tags: readonly Tag[]): string[] {
  const all = tags.flatMap(({ attributes }) => attributes)
  const ids = all.filter(([key]) => key === 'id').map(([, value]) => value)
  const labelled = all.filter(([key]) => key === 'for').map(([, value]) => value)
  const references = all.filter(([key]) => key === 'aria-describedby').flatMap(([, value]) => value.split(' '))
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two elements are called ${id}`),
    ...[...references, ...labelled].filter((id) => !ids.includes(id)).map((id) => `nothing is called ${id}`),
    ...all.filter(([key]) => key === 'style' || key.startsWith('on')).map(([key]) => `an attribute ${key}`),
    ...all
      .filter(([key]) => key === 'autofocus')
      .slice(1)
      .map(() => 'two fields want the cursor'),
    ...tags.flatMap(({ name, attributes }) => {
      const keys = attributes.map(([key]) => key)
      return keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `<${name}> has ${key} twice`)
    }),
    ...tags
      .filter(({ name }) => name === 'input' || name === 'select')
      .map(({ attributes }) => Object.fromEntries(attributes))
      .filter(
        ({ type, hidden, id = '' }) =>
          !['hidden', 'radio'].includes(type ?? '') && hidden === undefined && !labelled.includes(id),
      )
      .map(({ name }) => `the field ${name} has no label`),
    ...tags
      .filter(({ name, attributes }) => name === 'style' || (name === 'script' && !isOfTheme(attributes)))
      .map(({ name }) => `there is a <${name}>`),
  ]
}
