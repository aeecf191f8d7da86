import { languageNames } from '#identity/languages/rules.ts'
import { t } from '#platform/text/messages.ts'
import { filesOf } from '#rights/content-files/access.rules.ts'
import { chooseVersion, subtitlesOf, type Title, titlesOf, type Version } from '#rights/content-files/media.rules.ts'
import type { Grant } from '#rights/content-files/state.ts'
import { FINISHED } from '#rights/entitlements/positions/rules.ts'
import type { Position } from '#rights/entitlements/positions/state.ts'
import { type Code, decide } from '#rights/entitlements/rights/rules.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import type { OwnedPart } from '#shop/catalog-pages/cards.present.ts'
import { refusalOnPage } from '#shop/site/rights-sentences.rules.ts'
import { presentOwned } from '../my-content/library.present.ts'
import { outputsOf, type Way } from '../stream/rules.ts'
import { remedyFor, resumeAt } from './rules.ts'
import type { Source } from './sources.present.ts'

export type Playing = {
  grant: Grant
  part: OwnedPart | undefined
  positions: readonly Position[]
  /** The file in the address; undefined: where the customer stopped last. */
  fileId: number | undefined
  device: string
  base: string
  language: string
  country: string
  /** The page from which the customer came. */
  back: string
}

export type Watching = Playing & {
  /** How the title is played. */
  way: Way
  /** Who is named on the picture; empty: nobody. */
  watermark: string
  /** Where the browser loads the library for encrypted segments from. */
  engine: string
}

/** A refusal as a page shows it: the reason, and one thing to do about it. */
export function refusalOf({ grant, ...place }: Playing, code: Code, now: Date) {
  if (code === 'allowed') return undefined
  const { path, text } = remedyFor(code, grant.entitlement)
  const reason = refusalOnPage(code, rightsOf(grant.entitlement), now, place)
  return { reason, path, text, is_in_shop: path.startsWith('/products/') }
}

/** Why a title that the customer may use is not played in the page. */
function closedOf({ way, language }: Watching) {
  if (way.kind !== 'closed') return undefined
  const reason = t(language, `pages.player.closed.${way.why}`)
  return { reason, path: '/my-content', text: 'player.remedies.content', is_in_shop: false }
}

/** What the rights engine would say if the customer pressed Play in this browser now. */
export function decideNow({ grant, device: id }: Playing, now: Date): Code {
  const device = { id, last_client_time: null }
  return decide(rightsOf(grant.entitlement), { action: 'play', device, client_time: null, pages: 1 }, now)
}

function isOf(title: Title, { file_id }: Position): boolean {
  return title.versions.some(({ file }) => file.id === file_id)
}

/** The title and the version that are meant, and where to go on; undefined if there is nothing to play. */
export function choosePlayed({ grant, positions, fileId }: Pick<Playing, 'grant' | 'positions' | 'fileId'>) {
  const titles = titlesOf(filesOf(grant))
  const latest = positions.find((position) => titles.some((title) => isOf(title, position)))
  const chosen = chooseVersion(titles, fileId ?? latest?.file_id)
  if (chosen === undefined) return undefined
  // Both versions of a film go on at the same place.
  const position = positions.find((each) => isOf(chosen.title, each))
  return { ...chosen, titles, seconds: position === undefined ? 0 : resumeAt(position, FINISHED) }
}

/** A player tells where it is in seconds and as a part of the whole, from which the whole is known. */
function lengthOf(position: Position | undefined): string {
  if (position === undefined || !position.fraction || position.seconds === 0) return ''
  const seconds = Math.round(position.seconds / position.fraction)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The versions that can be chosen: of a film that is streamed, those that the license has streamed. */
function versionsOf(way: Way, { versions }: Title): readonly Version[] {
  if (way.kind !== 'stream') return versions
  return versions.filter(({ file }) => way.versions.some(({ file_id }) => file_id === file.id))
}

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]

/** The values of the page on which something is played; undefined if nothing can be. */
export function playerModel(playing: Watching, source: Source | undefined, refused: Code | undefined, now: Date) {
  const chosen = choosePlayed(playing)
  if (chosen === undefined) return undefined
  const { grant, base, language } = playing
  const { titles, title, version, seconds } = chosen
  const place = `${base}/my-content/${grant.entitlement.id}`
  const { item } = presentOwned(grant, playing.part, playing, now)
  const nameOf = languageNames(language)
  return {
    page: { title: item.title, is_private: true },
    item,
    /** The page from which the customer came. */
    back: playing.back,
    picture: playing.part?.picture,
    /** The length of all of it, in seconds, as its owner says. */
    runtime: playing.part?.runtime,
    /** The beginning of the addresses of its forms. */
    place,
    /** `video` or `audio`. */
    kind: title.kind,
    /** The name of what is played. */
    name: titles.length > 1 ? title.name : item.title,
    /** The file that is played. */
    file_id: version.file.id,
    /** Where the customer stopped. */
    seconds,
    /** What the browser plays, once the customer has pressed Play. */
    source,
    speeds: SPEEDS,
    /** Why it cannot be played, and one thing to do about it. */
    refusal: refusalOf(playing, refused ?? decideNow(playing, now), now) ?? closedOf(playing),
    /** Is it played from encrypted segments? */
    is_stream: playing.way.kind === 'stream',
    engine: playing.engine,
    /** What the license lets the page do with the picture. */
    outputs: outputsOf(grant.entitlement.terms, playing.watermark !== ''),
    /** What is shown on the picture, faintly and in changing places; empty: nothing. */
    watermark: title.kind === 'video' ? playing.watermark : '',
    /** The same in other qualities. */
    versions: versionsOf(playing.way, title).map(({ file, quality }) => ({
      file_id: file.id,
      quality,
      is_current: file.id === version.file.id,
    })),
    /** Everything that can be played, in order. */
    titles: titles.map((each) => ({
      name: each.name,
      kind: each.kind,
      is_extra: each.is_extra,
      is_current: each === title,
      language: each.language === '' ? '' : nameOf(each.language),
      file_id: each.versions[0]?.file.id,
      /** Its length, such as 4:05, if it was played before. */
      length: lengthOf(playing.positions.find((position) => isOf(each, position))),
    })),
    subtitles: subtitlesOf(filesOf(grant), titles, title).map((file) => ({
      url: `${place}/subtitles/${file.id}`,
      language: file.language,
      label: file.language === '' ? file.name : nameOf(file.language),
      // Somebody who watches a film in their own language does not expect subtitles.
      is_default: file.language === language && title.language !== '' && title.language !== language,
    })),
  }
}
