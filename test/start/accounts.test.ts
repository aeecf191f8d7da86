import assert from 'node:assert/strict'
import { chown, mkdir, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Program, run, start, temporaryFolder } from './program.ts'

/** Also without a demo shop, which takes longer to make than the rest of the first start. */
async function expectReady(service: Program): Promise<void> {
  const [, url = ''] = await service.says(/Address +(\S+)/)
  assert.equal((await fetch(`${url}/ready`)).status, 200)
}

describe('accounts', { skip: process.getuid?.() !== 0 && 'only root can take on other accounts' }, () => {
  test('an ordinary user can run it', async () => {
    const folder = await temporaryFolder()
    const data = join(folder, 'data')
    await mkdir(data)
    const nobody = { uid: 65534, gid: 65534 }
    await chown(data, nobody.uid, nobody.gid)
    const service = start(['serve'], { LICET_DATA: data, LICET_DEMO: 'off' }, nobody)
    await expectReady(service)
    service.kill('SIGTERM')
    assert.equal((await service.ended).code, 0)
  })

  test('root can keep its data where the server’s account cannot go', async () => {
    const data = join(await temporaryFolder(), 'data')
    await mkdir(data, { mode: 0o700 })
    const service = start(['serve'], { LICET_DATA: data, LICET_DEMO: 'off' })
    await expectReady(service)
    service.kill('SIGTERM')
    assert.equal((await service.ended).code, 0)
    await rm(join(await readlink(join(data, 'postgres')), '..'), { recursive: true })
  })

  test('a data folder that may not be written to is named', async () => {
    const data = await temporaryFolder()
    const { code, out, err } = await run(['serve'], { LICET_DATA: data }, { uid: 65534, gid: 65534 })
    assert.equal(code, 1)
    assert.equal(out, '')
    assert.match(err, /^The data folder \S+ can't be written to \(EACCES\): set LICET_DATA to one that can\.\n$/)
  })
})
