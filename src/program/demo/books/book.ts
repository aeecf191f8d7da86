import { makeZip } from '../archive.ts'

type Chapter = { id: string; title: string; paragraphs: readonly string[] }

/** Written for the demo shop. A star begins and ends what is in italics. */
const CHAPTERS: readonly Chapter[] = [
  {
    id: 'one',
    title: 'The Weather Page',
    paragraphs: [
      'My grandfather kept the weather in a book the way other men keep money. Each evening, when the boat was tied up and the nine passengers had gone home to their nine lamps, he sat at the chart table with his coat still on and wrote down what the day had done to us.',
      'He did not write what we could all see. Rain was not in it, nor snow, nor the wind that took the chapel roof. He wrote *Tuesday, heavy*. He wrote *A day with its back turned*. For the whole of one February there is a single line, and it says: *Waiting, but politely*.',
      'I was eleven before I understood that it could be used. I had been told to stay off the water, because there was ice in the narrows and because I was eleven. Instead of arguing I went below and turned back through the years to the same week, one winter under another, like a child counting blankets. In every one of them the ice had come on the Thursday. In every one of them it had gone by noon on Friday, without a word to anybody.',
      '“It goes tomorrow,” I said at supper.',
      '“Who told you that?”',
      '“You did.”',
      'He put down his fork. He looked at me for as long as it takes to cross, and I saw him decide something that he would not say aloud for another thirty years.',
      '“Then you had better learn to write in it,” he said, and slid the pencil over the table, past the salt and the butter and the good lamp, until it touched my hand.',
      'That was the night I stopped being a passenger. I have the page here. It is the first in the almanac that is not in his hand, and the letters lean into the wind. *Wednesday*, it says. *Clear, and getting nearer.*',
      'He never corrected me. When I had a day wrong he waited for the day to say so, and in the evening he moved the lamp a little closer, so that I could see what I had written, and what I had meant.',
      'By the spring I could tell a grey that would lift from a grey that had come to stay. I could tell, from the sound of the rope on the bollard, whether we would sail with six or with four. None of this was magic. It was only that somebody had written it down, every evening, for longer than I had been alive.',
    ],
  },
  {
    id: 'two',
    title: 'Nine Passengers',
    paragraphs: [
      'There were always nine. People on the mainland think that this is a way of speaking, but I have counted the tickets. The teacher crossed on Mondays with a box of other people’s handwriting. The twins crossed to quarrel where their mother could not hear them. The man who repaired pianos crossed with a fork in his breast pocket, and struck it on the rail when the fog came down, to hear how far away the world was.',
      'If one of them stayed at home, another came who had not meant to. My grandfather did not find this strange. “A boat knows what she is for,” he said, and he would hold her at the pier, engine turning, until the ninth came running down the hill with one arm in a coat.',
      'Only once did we leave with eight. It was the November after the new bridge had been promised, when there were men with poles and bright vests on both shores, and everybody spoke of the crossing as of somebody who was ill. We waited until ten past, and then until a quarter past, and then he took his hand from the lever and wrote something in the almanac, standing, which he never did.',
      'Halfway over, the engine stopped. It did not cough or complain. It stopped as a person stops who has remembered something. We lay in the middle of the sound with the lights of both shores at the same distance, and nobody spoke, and the piano man took out his fork and put it away again.',
      'Then we heard oars. It was the girl from the lighthouse, in the small boat, with her school bag between her feet and her face as red as a lamp. She had missed us by a minute and rowed after us for forty.',
      '“You could have waited for the next one,” said the teacher.',
      '“There are nine on this one,” said the girl, and she climbed over the rail and sat down in her place.',
      'My grandfather pressed the starter, and the engine turned as if it had been asked nicely.',
      'I looked up the page that night, when he was asleep. I had thought that it would say something about the bridge. *Thursday*, it said. *One short. She is not far.*',
    ],
  },
  {
    id: 'three',
    title: 'The Last Line',
    paragraphs: [
      'They opened the bridge on a Saturday, with a band. It was a good bridge. I say this because people expect me to say something else. It brought the doctor in eight minutes, and the bread while it was still warm, and it did not stop for ice.',
      'The ferry had one more crossing, in the evening, for whoever wanted it. The county had printed tickets with a picture of her on them, and we had thought that there would be hundreds. There were nine.',
      'He let me take her out. He stood behind me with his hands in his coat and said nothing at all, which I knew by then was the most that he could say. The water was flat, and held both shores upside down, and between them, upside down as well, the bridge with all its lights.',
      'In the middle I stopped the engine. Nobody asked why. The twins, who were grown up and had not quarrelled for years, leaned on the rail on either side of their mother. The piano man struck his fork, and we listened until it was finished, and a little longer.',
      '“Now you,” said my grandfather, and gave me the almanac.',
      'It was nearly full. There was one line left on the last page, and no more pages, and I understood that he had been writing smaller for a year so that it would come out even. I held the pencil for so long that the current began to turn us. I thought of everything that ought to be in it: the wind and the chapel roof, the winters under each other like blankets, the girl with the oars.',
      'Then I wrote what the day had done to us, and showed it to him, and he read it by the light of the compass and nodded, once, the way he nodded to other boats.',
      'I still cross, most evenings, in the small boat, for no reason that I could explain to the county. I bought a new book. It has good thick paper, and on the first page, in letters that have stopped leaning, there is the first weather that I kept alone.',
      'People ask me sometimes what the last line of the almanac was. I tell them that it is not a secret, and that they would be disappointed. It has no poetry in it. It was only what I saw when I looked up.',
      '*Saturday*, it says. *Calm. Everybody is here.*',
    ],
  },
]

const XML = '<?xml version="1.0" encoding="UTF-8"?>'
const XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'

const STYLE = `body { margin: 0; }
h1 { margin: 2em 0 1.5em; font-size: 1.5em; font-weight: 400; text-align: center; }
h1 small { display: block; margin-bottom: .5em; font: 600 .55em sans-serif; }
p { margin: 0; text-indent: 1.4em; }
h1 + p { text-indent: 0; }
h1 + p::first-letter { float: left; padding: .06em .08em 0 0; font-size: 3.1em; line-height: .8; }`

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const inMarkup = (text: string) => escaped(text).replace(/\*([^*]+)\*/g, '<em>$1</em>')

function pageOf({ title, paragraphs }: Chapter, index: number): string {
  const text = paragraphs.map((paragraph) => `<p>${inMarkup(paragraph)}</p>`).join('\n')
  return `${XML}
<html ${XHTML} lang="en"><head><title>${escaped(title)}</title><link rel="stylesheet" href="book.css"/></head>
<body><h1><small>Chapter ${index + 1}</small>${escaped(title)}</h1>
${text}
</body></html>`
}

/** A short novel of three chapters, so that there is something to read in the demo shop. */
export function makeDemoBook(): Buffer {
  const items = CHAPTERS.map(({ id }) => `<item id="${id}" href="${id}.xhtml" media-type="application/xhtml+xml"/>`)
  const entries = CHAPTERS.map(({ id, title }) => `<li><a href="${id}.xhtml">${escaped(title)}</a></li>`)
  return makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'book.opf': `${XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:uuid:5d0f4b8e-0c2b-4f6c-9c1c-0a7c1f1f0001</dc:identifier><dc:title>The Ferryman’s Almanac</dc:title><dc:creator>Tove Lind</dc:creator><dc:language>en</dc:language><meta property="dcterms:modified">2026-01-01T00:00:00Z</meta></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="css" href="book.css" media-type="text/css"/>${items.join('')}</manifest><spine>${CHAPTERS.map(({ id }) => `<itemref idref="${id}"/>`).join('')}</spine></package>`,
    'nav.xhtml': `${XML}<html ${XHTML} xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Contents</title></head><body><nav epub:type="toc"><ol>${entries.join('')}</ol></nav></body></html>`,
    'book.css': STYLE,
    ...Object.fromEntries(CHAPTERS.map((chapter, index) => [`${chapter.id}.xhtml`, pageOf(chapter, index)])),
  })
}
