import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3mini } from 's3mini'
import { cacheFolder } from '../../cli/folders.ts'
import { goProgram } from '../../cli/go-install.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'

const VERSION = '1.8.0'

/** Starts Versity's S3 gateway on a folder, built with Go on first use. It checks signatures as AWS does. */
export async function startS3Store() {
  const program = await goProgram({
    name: 'versitygw',
    program: 'github.com/versity/versitygw/cmd/versitygw',
    version: VERSION,
    target: join(cacheFolder(), `versitygw-${VERSION}`, 'versitygw'),
    env: process.env,
    log: console.log,
  })
  const folder = await mkdtemp(join(tmpdir(), 'sluice-s3-'))
  const buckets = join(folder, 'buckets')
  const sidecar = join(folder, 'sidecar')
  for (const made of [buckets, sidecar]) await mkdir(made)
  const port = await freePort()
  // In us-east-1, the first region, a bucket cannot be created with a location.
  const region = 'eu-central-1'
  const keys = { access: 'analyst', secret: 'a-secret-of-the-test' }
  const child = spawn(
    program,
    [
      '--port',
      `127.0.0.1:${port}`,
      '--access',
      keys.access,
      '--secret',
      keys.secret,
      '--region',
      region,
      '--quiet',
      'posix',
      '--sidecar',
      sidecar,
      buckets,
    ],
    { stdio: 'ignore' },
  )
  const endpoint = `http://127.0.0.1:${port}`
  const bucket = 'exports'
  const store = new S3mini({
    accessKeyId: keys.access,
    secretAccessKey: keys.secret,
    endpoint: `${endpoint}/${bucket}`,
    region,
  })
  for (let tries = 0; ; tries++) {
    const isMade = await store.createBucket().catch((error: unknown) => {
      if (tries > 100) throw error
      return false
    })
    if (isMade) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    store,
    bucket,
    host: `127.0.0.1:${port}`,
    env: {
      S3_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: keys.access,
      AWS_SECRET_ACCESS_KEY: keys.secret,
      AWS_REGION: region,
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
