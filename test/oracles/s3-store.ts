import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { S3mini } from 's3mini'
import { cacheFolder } from '../../cli/folders.ts'

const run = promisify(execFile)
const VERSION = '1.8.0'

/** Versity's S3 gateway over a folder, built with Go on first use: a server that checks signatures as AWS does. */
export async function startS3Store() {
  const bin = join(cacheFolder(), `versitygw-${VERSION}`)
  const program = join(bin, 'versitygw')
  if (!existsSync(program)) {
    console.log(`building versitygw ${VERSION} with Go; this takes a minute or two, once`)
    await run('go', ['install', `github.com/versity/versitygw/cmd/versitygw@v${VERSION}`], {
      env: { ...process.env, GOBIN: bin },
    })
  }
  const folder = await mkdtemp(join(tmpdir(), 'sluice-s3-'))
  const buckets = join(folder, 'buckets')
  const sidecar = join(folder, 'sidecar')
  for (const made of [buckets, sidecar]) await mkdir(made)
  const port = await freePort()
  // Of the first one buckets cannot be made by name.
  const region = 'eu-central-1'
  const keys = { access: 'analyst', secret: 'a-secret-of-the-test' }
  const child = spawn(
    program,
    [
      ...[
        '--port',
        `127.0.0.1:${port}`,
        '--access',
        keys.access,
        '--secret',
        keys.secret,
        '--region',
        region,
        '--quiet',
      ],
      ...['posix', '--sidecar', sidecar, buckets],
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
