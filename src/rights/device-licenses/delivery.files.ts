import type { CompanyTime } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { decideAccess } from '#rights/content-files/access.rules.ts'
import { getGrant } from '#rights/content-files/delivery/queries.ts'
import { accessEnded, fileNotIncluded } from '#rights/content-files/errors.ts'
import { takeContentKey } from '#rights/content-keys/commands.ts'
import { createKeyCache } from '#rights/content-keys/keys.cache.ts'
import type { Viewer } from '#rights/entitlements/queries.ts'
import { keySubject } from '#rights/packing/rules.ts'
import { createFilmCache } from '#rights/playbacks/films.cache.ts'
import { deviceLicenseClosed, deviceLicenseEnded, deviceTrackNotFound } from './errors.ts'
import { getDeviceLicense } from './queries.ts'
import { chooseFilm } from './sources.rules.ts'
import type { DeviceLicense } from './state.ts'
import { type KeyedTrack, keyedTracks } from './tracks.secrets.ts'

type Options = {
  db: Db
  vault: Vault
  now: CompanyTime
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
}

export type Address = { id: string; license: string; track: string }

/**
 * Finds the track that an address names, if its license still gives access to it: not after a return, after its end, and not when
 * the customer may no longer have it.
 */
export function createTrackFinder({ db, vault, now, change }: Options) {
  const films = createFilmCache(db)
  const keys = createKeyCache()

  return async (
    viewer: Viewer,
    { id, license: ref, track }: Address,
  ): Promise<{ license: DeviceLicense; track: KeyedTrack }> => {
    const grant = await getGrant(db, viewer, id)
    const license = await getDeviceLicense(db, grant.entitlement, ref)
    if (license.closed_as !== null) throw deviceLicenseClosed(license.closed_as)
    const verdict = decideAccess(grant, { kind: 'file', id: license.file_id }, now(license.company_id))
    if (verdict.kind === 'ended') throw accessEnded(verdict.reason)
    if (verdict.kind === 'not included') throw fileNotIncluded()
    if (license.ends_at <= now(license.company_id)) throw deviceLicenseEnded()
    const { packed_company_id: company_id, packed_id, file_id } = license
    const { subtitles } = chooseFilm(grant, file_id)
    const subject = keySubject(packed_id)
    const [film, contentKey] = await Promise.all([
      films.read({ company_id, packed_id, file_id, quality: 'sd' }),
      keys.take(company_id, subject, () =>
        change((tx) => takeContentKey(tx, vault, company_id, subject, now(company_id))),
      ),
    ])
    const found = keyedTracks(contentKey, license.uid, film, subtitles).find((each) => each.track.id === track)
    if (found === undefined) throw deviceTrackNotFound()
    return { license, track: found }
  }
}
