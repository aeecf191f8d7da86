import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { makeCourse, makeMakingOf } from './making-of.ts'
import { makePdf } from './pdf.ts'

const textsIn = (pdf: Buffer) =>
  [...pdf.toString('latin1').matchAll(/\((.*)\) Tj/g)].map(([, text = '']) => text.replace(/\\([\\()])/g, '$1'))

test('the book of the demo shop is a PDF of several pages, with all of its text', async () => {
  const pdf = makeMakingOf()
  const document = await PDFDocument.load(pdf)
  assert.equal(document.getTitle(), 'Making The Last Ferry')
  assert.ok(document.getPageCount() >= 6, String(document.getPageCount()))
  const text = textsIn(pdf).join(' ')
  for (const words of ['Ingrid Solheim', 'The boat came first', 'Scene 61, not filmed', 'CUT TO BLACK.'])
    assert.ok(text.includes(words), words)
  assert.equal((await PDFDocument.load(makeCourse())).getPageCount(), 3)
})

test('lines stay within the margins, and signs of PDF are letters', async () => {
  const long = Array.from({ length: 400 }, (_, at) => `word${at} (in brackets \\)`).join(' ')
  const pdf = makePdf({ title: 'T', author: 'A', sections: [{ title: 'S', paragraphs: [long, 'Café – “yes”'] }] })
  assert.ok((await PDFDocument.load(pdf)).getPageCount() > 3)
  assert.ok(textsIn(pdf).every((line) => line.length < 75))
  assert.ok(textsIn(pdf).join(' ').includes('word399 (in brackets \\)'))
  assert.ok(pdf.includes(Buffer.from('Caf\xe9 \x96 \x93yes\x94', 'latin1')))
})
