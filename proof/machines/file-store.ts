import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { atCleanUp } from '#bench/processes.ts'
import { hasRadosgw, startRadosgw } from '#test/radosgw.ts'

/** Where the processes have their files: in a bucket of Ceph, or in a folder that they share. */
export type FileStore = { name: string; settings: NodeJS.ProcessEnv }

const BUCKET = 'licet'

/** Ceph takes a quarter of a minute to start, so the short form has the folder. */
export async function openFileStore(isShort: boolean): Promise<FileStore> {
  if (isShort || !hasRadosgw) return { name: 'files in a shared folder', settings: {} }
  const server = await startRadosgw()
  atCleanUp(server.stop)
  const { endpoint = '', region, credentials } = server.settings
  if (credentials === undefined) throw new Error('the bucket has no credentials')
  const client = new S3Client({ endpoint, credentials, region, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  client.destroy()
  const settings = {
    LICET_S3_BUCKET: BUCKET,
    LICET_S3_REGION: region,
    LICET_S3_ENDPOINT: endpoint,
    LICET_S3_ACCESS_KEY_ID: credentials.accessKeyId,
    LICET_S3_ACCESS_SECRET: credentials.secretAccessKey,
  }
  return { name: "files in a bucket of Ceph's S3 server", settings }
}
