import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

const REPORT_EVERY_MS = 15_000

export interface GoProgram {
  /** What log lines call it. */
  name: string
  /** Path of its main package; the last part of it is what Go names the program. */
  path: string
  /** Of its module, such as v1.2.3. */
  version: string
  /** Where the program must be afterwards. */
  target: string
  env: NodeJS.ProcessEnv
  log: (line: string) => void
}

/** Builds a program with Go, once. Rejects with Go's last words when it cannot. */
export async function installGoProgram({ name, path, version, target, env, log }: GoProgram): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const folder = await mkdtemp(join(dirname(target), 'build-'))
  log(`${name}: building ${path}@${version} with Go; this takes a few minutes, once`)
  try {
    await install(`${path}@${version}`, { ...env, GOBIN: folder }, (line) => log(`${name}: ${line}`))
    await rename(join(folder, basename(path)), target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function install(what: string, env: NodeJS.ProcessEnv, log: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const startMs = Date.now()
    let compiled = 0
    const last: string[] = []
    const child = spawn('go', ['install', '-v', what], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    createInterface({ input: child.stderr }).on('line', (line) => {
      // With -v Go names each package that it compiles; other lines tell of downloads and errors.
      if (!line.includes(' ')) compiled++
      last.push(line)
      if (last.length > 3) last.shift()
    })
    const timer = setInterval(() => {
      log(`${compiled} packages compiled after ${Math.round((Date.now() - startMs) / 1000)} s`)
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
