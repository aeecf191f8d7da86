import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { plainText } from './rules.ts'

describe('HTML in words', () => {
  for (const [html, words] of [
    ['<p>A film about <b>patience</b>.</p><p>And luck.</p>', 'A film about patience. And luck.'],
    ['One<br>two<BR/>three', 'One two three'],
    ['un<i>believ</i>able', 'unbelievable'],
    ['<script>alert("<p>")</script>after', 'after'],
    ['before<style>p { color: red }', 'before'],
    ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
    ['a < b', 'a < b'],
  ] as const) {
    test(JSON.stringify(html), () => assert.equal(plainText(html), words))
  }

  // Patterns that search for an end which never comes took seconds for these, and the whole service waited.
  for (const piece of ['<', '<a', '<style ', '<script>', '</p', '<p><']) {
    test(`is found in the longest text made of ${piece}`, () => {
      const html = piece.repeat(65_535 / piece.length)
      assert.ok(plainText(html).length <= html.length)
    })
  }
})
