// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts are source code.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Node } from 'oxc-parser'
import { calledName, parse, templateText, textOf, walk } from './source.ts'

const parsed = (text: string) => parse({ path: 'a.ts', text })

/** What `look` sees in the nodes of a text, in order. */
function seen<Seen>(text: string, look: (node: Node, around: readonly Node[]) => Seen | undefined): Seen[] {
  const found: Seen[] = []
  walk(parsed(text).program, (node, around) => {
    const one = look(node, around)
    if (one !== undefined) found.push(one)
  })
  return found
}

const nameOf = (node: Node) => (node.type === 'Identifier' ? node.name : undefined)

test('everything is visited, in order, and comments are not', () => {
  assert.deepEqual(seen('a // b\n/* c\n */; d(e, [, f])', nameOf), ['a', 'd', 'e', 'f'])
  assert.deepEqual(seen('function a<B>(c: D = e): F { return g as H }', nameOf), [
    'a',
    'B',
    'c',
    'D',
    'e',
    'F',
    'g',
    'H',
  ])
})

test('a node is visited with those around it', () => {
  const around = seen('f(a)', (node, outer) => (nameOf(node) === 'a' ? outer.map(({ type }) => type) : undefined))
  assert.deepEqual(around, [['Program', 'ExpressionStatement', 'CallExpression']])
})

test('a text keeps what looks like a comment', () => {
  assert.deepEqual(seen('a(\'e // f\', "\\n", /x/, 1)', textOf), ['e // f', '\n'])
})

test('a template has empty holes, and what stands in the holes is visited too', () => {
  const templates = (node: Node) => (node.type === 'TemplateLiteral' ? templateText(node) : undefined)
  const text = 'sql`select ${a} from ${b(`x ${c}`, { d: "}" })} \\d`'
  assert.deepEqual(seen(text, templates), ['select ${} from ${} \\d', 'x ${}'])
  assert.deepEqual(seen(text, nameOf), ['sql', 'a', 'b', 'c', 'd'])
})

test('a call names a function or a method', () => {
  const called = (node: Node) => (node.type === 'CallExpression' ? (calledName(node)?.name ?? '(none)') : undefined)
  assert.deepEqual(seen('f(); a.g(); (await h)(); a[b]()', called), ['f', 'g', '(none)', '(none)'])
})

test('each node knows its line', () => {
  const { program, lineOf } = parsed('a\n\nconst b = `c\nd`\ne')
  assert.deepEqual(program.body.map(lineOf), [1, 3, 5])
})

test('what cannot be parsed is an error', () => {
  assert.throws(() => parsed('const = 1'), { message: /^a\.ts cannot be parsed: / })
})
