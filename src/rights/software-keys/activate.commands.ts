import { randomUUID } from 'node:crypto'
import { signFile } from '#identity/signing-keys/commands.ts'
import type { CompanyTime } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { t } from '#platform/text/messages.ts'
import type { Written } from '#platform/wire/written.ts'
import { releaseDevice, useEntitlement } from '#rights/entitlements/commands.ts'
import { noteDevice } from '#rights/entitlements/devices/commands.ts'
import type { Viewer } from '#rights/entitlements/queries.ts'
import { type Code, decide, limitsDevices } from '#rights/entitlements/rights/rules.ts'
import { askOf, type Question } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { type Decidable, getRights } from '#rights/entitlements/uses/check.queries.ts'
import { recordRefusedCheck } from '#rights/entitlements/uses/commands.ts'
import { presentAnswer, presentCheck, presentClaims, presentNewAnswer } from './present.ts'
import { findActivation, getHolder, lockHolder } from './queries.ts'
import { activationEnd, isActivated } from './rules.ts'
import type { ActivationState, Asked } from './state.ts'

/** The type of the signed activation, so that nothing else that the service signs passes for one. */
const FILE_TYPE = 'activation+jwt'

/** Programs play what they are: being activated is a use of the software. No app asks. */
function questionOf({ fingerprint, client_time }: Asked): Question {
  return { action: 'play', device: fingerprint, country: null, client_time, pages: 1, appId: 0 }
}

/** Was the program activated, and if so, where? */
export type Outcome = { allowed: boolean }

/**
 * Activates a program on a device, which holds a seat until it gives it back. Uses of one entitlement happen one after
 * another, so that the last seat is given once. A program that is activated already gets the same answer again.
 */
export async function activate(
  tx: Tx,
  vault: Vault,
  asked: Asked,
  issuer: string,
  time: CompanyTime,
): Promise<Written<Outcome>> {
  const { viewer, ref } = await lockHolder(tx, asked.key)
  const now = time(viewer.companyId)
  const earlier = await findHeld(tx, viewer, ref, asked, now)
  const { code, entitlement, document } = await useEntitlement(tx, viewer, ref, questionOf(asked), now, {
    holdUntil: null,
    isRecorded: earlier === undefined,
  })
  if (code !== 'allowed') return { state: { allowed: false }, document: presentNewAnswer(document, null, null) }
  const activation = await saveActivation(tx, entitlement, asked, earlier, now)
  const license = asked.nonce === null ? null : await signActivation(tx, vault, entitlement, asked, issuer, now)
  return { state: { allowed: true }, document: presentNewAnswer(document, activation, license) }
}

/** The activation of a device that still has its seat. */
async function findHeld(
  db: Db,
  viewer: Viewer,
  ref: string,
  { fingerprint }: Asked,
  now: Date,
): Promise<ActivationState | undefined> {
  const { rights } = await getRights(db, viewer, ref, fingerprint)
  const found = await findActivation(db, viewer.companyId, Number(ref), fingerprint)
  return found !== undefined && isActivated(rights, found, now) ? found : undefined
}

async function saveActivation(
  tx: Tx,
  { company_id, id, customer_id }: EntitlementState,
  { fingerprint, name }: Asked,
  earlier: ActivationState | undefined,
  now: Date,
): Promise<ActivationState> {
  const activation = { fingerprint, name: name || (earlier?.name ?? ''), activated_at: earlier?.activated_at ?? now }
  if (earlier !== undefined && earlier.name === activation.name) return earlier
  // The customer sees the same name in the list of devices.
  const device = { device_id: fingerprint, name, client_time: null }
  await noteDevice(tx, { companyId: company_id, customerId: customer_id }, device, now)
  await tx
    .insertInto('software_activations')
    .values({ company_id, entitlement_id: id, customer_id, ...activation })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'entitlement_id', 'fingerprint'])
        .doUpdateSet({ name: activation.name, activated_at: activation.activated_at }),
    )
    .execute()
  return activation
}

async function signActivation(
  tx: Tx,
  vault: Vault,
  entitlement: EntitlementState,
  asked: Asked,
  issuer: string,
  now: Date,
): Promise<{ jws: string; kid: string }> {
  const end = activationEnd(entitlement, now)
  const file = { issuer, id: randomUUID(), keyHash: tokenHash(asked.key), end }
  const claims = presentClaims(entitlement, asked, file, now)
  return signFile(tx, vault, { type: FILE_TYPE, claims, end }, now)
}

/** An answer to a program, with the refusal that is worth keeping. */
export type Check = { document: string; found: Decidable; code: Code }

const MAY_NEED_SEAT: ReadonlySet<Code> = new Set(['allowed', 'device_limit', 'annual_device_limit'])

/** May the program run on this device? Nothing is counted. */
export async function checkActivation(db: Db, asked: Asked, time: CompanyTime): Promise<Check> {
  const { viewer, ref } = await getHolder(db, asked.key)
  const now = time(viewer.companyId)
  const found = await getRights(db, viewer, ref, asked.fingerprint)
  const { rights, language } = found
  const code = decide(rights, askOf(questionOf(asked), found.device), now)
  const activation = await findActivation(db, viewer.companyId, found.id, asked.fingerprint)
  const isHeld = activation !== undefined && isActivated(rights, activation, now)
  // A device without a seat hears so, also where none is left: it learns that when it asks for one.
  const needsSeat = MAY_NEED_SEAT.has(code) && !isHeld && limitsDevices(rights)
  const notActivated = needsSeat ? t(language, 'rights.not_activated') : null
  const decision = presentCheck(rights, { code, notActivated, language }, now)
  return { document: presentAnswer(decision, isHeld ? activation : null), found, code }
}

/** Keeps a refusal of the rights engine for support. */
export async function recordRefusal(tx: Tx, asked: Asked, { found, code }: Check, now: CompanyTime): Promise<void> {
  await recordRefusedCheck(tx, {
    company_id: found.company_id,
    entitlement_id: found.id,
    kind: 'check',
    action: 'play',
    code,
    device_id: asked.fingerprint,
    country: null,
    client_time: asked.client_time,
    app_id: 0,
    created_at: now(found.company_id),
  })
}

/** Gives the seat of a device back, also where the software has ended. */
export async function deactivate(tx: Tx, asked: Asked, time: CompanyTime): Promise<Written<Outcome>> {
  const { viewer, ref } = await lockHolder(tx, asked.key)
  const now = time(viewer.companyId)
  await releaseDevice(tx, viewer, ref, asked.fingerprint, now)
  await tx
    .deleteFrom('software_activations')
    .where('company_id', '=', viewer.companyId)
    .where('entitlement_id', '=', Number(ref))
    .where('fingerprint', '=', asked.fingerprint)
    .execute()
  const { rights, language, device } = await getRights(tx, viewer, ref, asked.fingerprint)
  const code = decide(rights, askOf(questionOf(asked), device), now)
  const decision = presentCheck(rights, { code, notActivated: null, language }, now)
  return { state: { allowed: code === 'allowed' }, document: presentAnswer(decision, null) }
}
