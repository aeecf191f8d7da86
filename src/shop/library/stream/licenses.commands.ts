import type { CompanyTime, MachineClock } from '#platform/clock.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import type { DrmProxy } from '#platform/settings/drm-settings.ts'
import { takeDrmLicense } from '#rights/drm-licenses/proxy.commands.ts'
import type { ProxyAnswer } from '#rights/drm-licenses/state.ts'
import type { WantedLicense } from '#rights/playbacks/rules.ts'
import type { Address, Stopped, Streams } from './streams.files.ts'

type Dependencies = {
  streams: Pick<Streams, 'takeLicensed'>
  outbound: Outbound
  proxy: DrmProxy
  issuer: string
  now: CompanyTime
  clock: MachineClock
}

/** Asks the rights engine as for a key, and then the proxy of the operator for a license. */
export async function takeLicense(
  { streams, outbound, proxy, issuer, now, clock }: Dependencies,
  address: Address,
  { clientTime, body, ...wanted }: WantedLicense & { clientTime: string; body: Buffer },
): Promise<ProxyAnswer | Stopped> {
  const given = await streams.takeLicensed(address, wanted, clientTime)
  if (given.kind !== 'given') return given
  const times = { now: now(address.session.companyId), machineNow: clock.now() }
  return takeDrmLicense({ outbound, proxy, issuer }, given, { system: wanted.system, body }, times)
}
