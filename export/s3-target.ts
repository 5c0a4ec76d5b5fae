import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { S3mini } from 's3mini'
import { fetch } from 'undici'
import { isDataFile } from './data-file.ts'
import { MANIFEST } from './manifest.ts'
import type { Target } from './target.ts'

/**
 * An export in an S3-compatible store, under s3://BUCKET/PREFIX. S3_ENDPOINT is the address of the store.
 * AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION are the usual variables. An object is written whole
 * or not at all.
 */
export function s3Target(where: string, env: NodeJS.ProcessEnv): Target {
  const { host: bucket, pathname } = new URL(where)
  const prefix = pathname.replace(/^\/+|\/+$/g, '')
  const keyOf = (name: string) => (prefix === '' ? name : `${prefix}/${name}`)
  const region = env['AWS_REGION'] || 'us-east-1'
  const endpoint = env['S3_ENDPOINT'] || `https://s3.${region}.amazonaws.com`
  const store = new S3mini({
    accessKeyId: required(env, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: required(env, 'AWS_SECRET_ACCESS_KEY'),
    endpoint: `${endpoint.replace(/\/$/, '')}/${bucket}`,
    region,
    // Node's own fetch ends the process when a server hangs up while its answer is still unread.
    fetch: fetch as unknown as typeof globalThis.fetch,
  })
  return {
    root: `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`,
    async withStaging(work) {
      const staging = await mkdtemp(join(tmpdir(), 'sluice-export-'))
      try {
        return await work(staging)
      } finally {
        await rm(staging, { recursive: true, force: true })
      }
    },
    async check() {
      await store.getObject(keyOf(MANIFEST))
    },
    readText: (name) => store.getObject(keyOf(name)),
    async listData() {
      const objects = await store.listObjects('/', keyOf('data/'))
      if (!objects)
        throw new Error(
          `there is no bucket ${bucket} at ${endpoint}: create it, or correct EXPORT_TO or S3_ENDPOINT`,
        )
      const sizes = objects.map(({ Key, Size }) => [Key.slice(keyOf('').length), Number(Size)] as const)
      return new Map(sizes.filter(([name]) => isDataFile(name)))
    },
    async put(path, name) {
      await store.putAnyObject(keyOf(name), await openAsBlob(path))
    },
    async remove(name) {
      await store.deleteObject(keyOf(name))
    },
    async localCopy(names, folder) {
      for (const name of names) {
        const response = await store.getObjectResponse(keyOf(name))
        if (!response?.body) continue
        const path = join(folder, name)
        await mkdir(dirname(path), { recursive: true })
        await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(path))
      }
      return folder
    },
  }
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name]
  if (!value) throw new Error(`exports to s3:// need ${name}: set it`)
  return value
}
