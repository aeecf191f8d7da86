import { makePdf, type Section } from './pdf.ts'

/** Written for the demo shop: the notes of the director of a film that does not exist. */
const SECTIONS: readonly Section[] = [
  {
    title: 'The boat came first',
    paragraphs: [
      'We had a boat before we had a story. She lay at the end of a pier that the county had stopped repairing, with a notice on her rail that nobody had signed, and she was for sale for the price of the diesel in her tank. Jonas walked around her twice, as people walk around a horse, and said that he could hear the whole film from the deck. I told him that what he could hear was the pump.',
      'That evening we sat in the wheelhouse with one lamp and wrote the first page. It has a man on it who must leave at ten and does not. Everything that we added in the next two years, and took out again, is an answer to the question why.',
      'I have kept the notebook. The first line is in pencil, in my hand, and the second is in his, and they do not agree. I have come to think that this is how a film should begin.',
    ],
  },
  {
    title: 'Nine people and a pier',
    paragraphs: [
      'There was no money for extras, so we asked the people who took the ferry in the morning whether they would take it again at night. Nine said yes. We gave them soup and no lines. On the third night the piano tuner asked me whom he was waiting for, and I said that I did not know. He nodded, went back to his place at the rail, and waited for that person better than any actor I have ever worked with.',
      'You can see it in the shot that everybody asks about. Nobody in it does anything. It lasts for a minute and forty seconds, and we cut it four times, and each time it came back longer. In the end the editor put a chair in front of the machine and said that the next person to touch it would have to explain to her what was missing.',
      'What was missing was the wind. We added it in the spring, from a recording of another island, and I have never told the nine.',
    ],
  },
  {
    title: 'Light that does not arrive',
    paragraphs: [
      'In November the sun rises on that coast at twenty to ten and is tired by two. We had planned to shoot in the blue hour, and found that in bad weather it lasts all day. So we wrote the weather into the film. If it was clear, they talked. If it was grey, they did not. Most of the silence in The Last Ferry was forecast.',
      'The lamp in the wheelhouse is the only one that we brought. It is the lamp of my grandfather, with a new wick and a bulb hidden behind it, and when the boat rolls you can see the two of them disagree for a moment about where the light should come from. I could have mended that. I left it in, because he would have noticed.',
      'People write to ask how the last shot was made. It was made by waiting. We sat at the landing for eleven nights with the camera under a tarpaulin, and on the twelfth a fog came in that was exactly as high as the rail, and for the time that it takes to say a name you could see nine heads and no boat.',
    ],
  },
  {
    title: 'The page that we did not shoot',
    paragraphs: [
      'There is a scene in the screenplay that is not in the film. The captain turns the boat around, as he has been asked to, and they all arrive where they started, and it is morning. It is a good scene. Everybody who read it liked it best.',
      'On the day we had the light, the nine, and a calm sea, and I stood on the bridge with the page in my hand and could not make myself say the word. It seemed to me that he had earned the other shore. We drank the coffee that was meant for the crew of the second boat, and went home, and that was the end of the shoot.',
      'I print the scene here, because it was written, and because somebody worked for a night on the way in which the captain takes off his cap. You may put it back, if you like. It fits after the bell.',
    ],
  },
  {
    title: 'Scene 61, not filmed',
    paragraphs: [
      'WHEELHOUSE. NIGHT. The clock over the chart table says ten past ten. The CAPTAIN looks at it as if it had spoken.',
      'CAPTAIN: “They are ten now.” He counts them again, in the window, without turning his head. The engine idles. Rain begins and thinks better of it.',
      'THE TEACHER, in the doorway: “You could turn around.” He does not answer. He takes off his cap, looks into it, finds nothing there that he has not seen before, and puts it on the hook, where it has never been.',
      'Then he turns the wheel, slowly, the way one turns a page, and the lights of the pier, which we have had behind us since the beginning, come round into the glass. Nobody cheers. Somebody, it may be one of the twins, starts to laugh, and does not stop until we are made fast.',
      'It is morning. It is the same pier. CUT TO BLACK.',
    ],
  },
]

/** The book about the film, as a PDF. */
export function makeMakingOf(): Buffer {
  return makePdf({ title: 'Making The Last Ferry', author: 'Ingrid Solheim', sections: SECTIONS })
}

const LESSONS: readonly Section[] = [
  {
    title: 'Lesson 1: Look before you press',
    paragraphs: [
      'Stand still for as long as it takes to count to sixty. Most of what makes a picture happens while nothing seems to. Notice where the light comes from, what it falls on last, and what it leaves out.',
      'Then take one picture, and no more than one. Write down what you wanted it to show before you look at it.',
    ],
  },
  {
    title: 'Lesson 2: Put your own course here',
    paragraphs: [
      'This course was made by the demo shop. Open the product in the admin interface, remove this file, and upload a PDF of your own.',
    ],
  },
]

export function makeCourse(): Buffer {
  return makePdf({ title: 'Waiting for the light', author: 'A course in two lessons', sections: LESSONS })
}
