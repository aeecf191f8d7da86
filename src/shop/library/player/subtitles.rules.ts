/** Longer than the subtitles of any film. */
export const SUBTITLES_BYTES_MAX = 2_000_000

const TIME = /^(\d{1,2}):(\d\d):(\d\d)[,.](\d{1,3})$/

/** `00:01:02,5` as WebVTT writes it; undefined if it is no time. */
function timeOf(text: string): string | undefined {
  const [, hours, minutes, seconds, fraction] = TIME.exec(text) ?? []
  if (hours === undefined || fraction === undefined) return undefined
  return `${hours.padStart(2, '0')}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}`
}

/** Only these tags mean the same in WebVTT. */
const TAGS = /^<\/?[biu]>$/i

function textOf(line: string): string {
  return line
    .replace(/\{\\[a-z0-9]{1,20}\}/gi, '')
    .replace(/<[^<>]{0,200}>/g, (tag) => (TAGS.test(tag) ? tag.toLowerCase() : ''))
    .replaceAll('-->', '→')
}

function cueOf(block: string): string | undefined {
  const lines = block.split('\n')
  const at = lines.findIndex((line) => line.includes('-->'))
  const [from = '', to = ''] = (lines[at] ?? '').split('-->')
  // Some programs write the place on the screen after the time.
  const [start, end] = [timeOf(from.trim()), timeOf(to.trim().split(/\s/)[0] ?? '')]
  const text = lines
    .slice(at + 1)
    .map(textOf)
    .filter((line) => line.trim() !== '')
  if (start === undefined || end === undefined || text.length === 0) return undefined
  return `${start} --> ${end}\n${text.join('\n')}`
}

/** Subtitles as browsers read them: SubRip is converted, WebVTT stays as it is. */
export function toWebVtt(source: string): string {
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  if (/^WEBVTT(\s|$)/.test(text)) return text
  const cues = text.split(/\n[ \t]*\n/).map(cueOf)
  return `WEBVTT\n\n${cues.filter((cue) => cue !== undefined).join('\n\n')}\n`
}
