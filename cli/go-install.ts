import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeFolder } from '../settings/make-folder.ts'
import { firstOf, workingProgram } from './find-program.ts'

const REPORT_EVERY_MS = 15_000
const VERSION_TIMEOUT_MS = 20_000

interface GoInstallOptions {
  /** Path of the program's package. */
  program: string
  version: string
  /** Where the program must be afterwards. */
  target: string
  env: NodeJS.ProcessEnv
  /** What it is called in the log. */
  name: string
  log: (line: string) => void
}

/** The program in the cache, built with Go on first use. Rejects with each try and why it failed. */
export async function goProgram(options: GoInstallOptions): Promise<string> {
  const { name, version, target } = options
  const working = () => workingProgram(target, VERSION_TIMEOUT_MS)
  const found = await firstOf([
    { origin: 'cache', find: working },
    { origin: 'go install', find: () => goInstall(options).then(working) },
  ])
  if ('program' in found) return found.program
  throw new Error(
    `${name} ${version} was not found:\n${found.failures.map((line) => `  - ${line}`).join('\n')}`,
  )
}

/** Builds one program with Go. Rejects with the reason, and leaves nothing that looks complete. */
export async function goInstall(options: GoInstallOptions): Promise<void> {
  const { program, version, target, env, name, log } = options
  await makeFolder(dirname(target))
  const folder = await mkdtemp(join(dirname(target), 'build-'))
  log(`${name}: building ${program}@v${version} with Go; this takes a few minutes, once`)
  try {
    await compile({ ...options, env: { ...env, GOBIN: folder } })
    const [built] = await readdir(folder)
    await rename(join(folder, built!), target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function compile({ program, version, env, name, log }: GoInstallOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const startMs = Date.now()
    let compiled = 0
    const last: string[] = []
    const child = spawn('go', ['install', '-v', `${program}@v${version}`], {
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
      log(`${name}: ${compiled} packages compiled after ${Math.round((Date.now() - startMs) / 1000)} s`)
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
