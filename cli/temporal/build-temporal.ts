import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { FetchOptions } from './find-temporal.ts'

const PACKAGE = 'github.com/temporalio/cli/cmd/temporal'
const REPORT_EVERY_MS = 15_000

/** Builds the Temporal CLI with Go; takes 2 to 4 minutes on two cores, once. */
export async function buildTemporal({ version, target, env, log }: FetchOptions): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const folder = await mkdtemp(join(dirname(target), 'build-'))
  log(`Temporal: building ${PACKAGE}@v${version} with Go; this takes a few minutes, once`)
  try {
    await install({ version, env: { ...env, GOBIN: folder }, log })
    await rename(join(folder, 'temporal'), target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface InstallOptions {
  version: string
  env: NodeJS.ProcessEnv
  log: (line: string) => void
}

function install({ version, env, log }: InstallOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const startMs = Date.now()
    let compiled = 0
    const last: string[] = []
    const child = spawn('go', ['install', '-v', `${PACKAGE}@v${version}`], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    createInterface({ input: child.stderr }).on('line', (line) => {
      // With -v Go names each package that it compiles; other lines tell of downloads and errors.
      if (!line.includes(' ')) compiled++
      last.push(line)
      if (last.length > 3) last.shift()
    })
    const timer = setInterval(() => {
      log(`Temporal: ${compiled} packages compiled after ${Math.round((Date.now() - startMs) / 1000)} s`)
    }, REPORT_EVERY_MS)
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearInterval(timer)
      reject(error.code === 'ENOENT' ? new Error('no program "go" on PATH') : error)
    })
    child.once('close', (code) => {
      clearInterval(timer)
      if (code === 0) resolve()
      else reject(new Error(`go ended with code ${code}: ${last.join(' / ')}`))
    })
  })
}
