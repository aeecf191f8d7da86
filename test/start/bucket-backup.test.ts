import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { readConfig } from '#platform/settings/config.ts'
import { createScheduledBackups } from '#program/boot/scheduled.ts'
import { closeStore, openStore } from '#program/boot/store.ts'
import { hasRadosgw, type Radosgw, startRadosgw } from '#test/radosgw.ts'
import { FILM_KEY, useSealedInstallation } from './sealed.ts'
import { run } from './terminal.ts'

/** A name of the schedule, which removes it when its time is over. */
const FIRST = 's3://safe/nightly/licet-backup-2026-11-18T03-00-00'
const why = hasRadosgw ? false : 'needs the Debian packages radosgw, ceph-mon and ceph-osd'

describe('a backup in a bucket', { skip: why }, () => {
  // Larger than a part of an upload.
  const shop = useSealedInstallation(20_000_000)
  let server: Radosgw | undefined
  let bucket: Record<string, string>
  after(() => server?.stop())

  test('arrives in parts, is proved from there, and is removed with what it had', async () => {
    server = await startRadosgw()
    const { endpoint = '', credentials, region } = server.settings
    assert.ok(credentials)
    const client = new S3Client({ endpoint, credentials, region, forcePathStyle: true })
    await client.send(new CreateBucketCommand({ Bucket: 'safe' }))
    bucket = {
      LICET_BACKUP_S3_ENDPOINT: endpoint,
      LICET_BACKUP_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      LICET_BACKUP_S3_ACCESS_SECRET: credentials.secretAccessKey,
    }
    const made = await run(['backup', FIRST], { ...shop.settings, ...bucket })
    assert.equal(made.code, 0, made.err)
    // What a drill restores is compared with the checksums of what was stored, and a restore fetches it in the same way.
    const proved = await run(['drill', 's3://safe/nightly', '--key', join(shop.room, 'own.key')], {
      ...shop.settings,
      ...bucket,
    })
    assert.match(proved.out, /^licet-backup-2026-11-18T03-00-00 can be restored: \d+ rows .* 1 file/, proved.err)

    const keep = {
      LICET_BACKUP_TARGET: 's3://safe/nightly',
      LICET_BACKUP_DAILY: '1',
      LICET_BACKUP_WEEKLY: '0',
      LICET_BACKUP_MONTHLY: '0',
    }
    const config = readConfig({ ...shop.settings, ...bucket, ...keep })
    const store = await openStore(config)
    try {
      const schedule = createScheduledBackups(config, store)
      await rm(join(shop.room, 'data', FILM_KEY))
      assert.equal((await schedule?.run('licet-backup-2026-11-19T03-00-00'))?.removed, 1)
    } finally {
      await closeStore(store)
    }
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'safe', Prefix: 'nightly/' }))
    const keys = Contents.map(({ Key = '' }) => Key)
    assert.ok(keys.includes('nightly/licet-backup-2026-11-19T03-00-00/backup.json'))
    assert.ok(
      keys.every((key) => !key.includes('2026-11-18') && !key.includes('/files')),
      keys.join(' '),
    )
    client.destroy()
  })
})
