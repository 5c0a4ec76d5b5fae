import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { availableParallelism, freemem } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeFolder } from '../ops/settings/make-folder.ts'
import { firstOf, workingProgram } from './find-program.ts'
import { onlyOne } from './only-one.ts'

const REPORT_EVERY_MS = 15_000
const VERSION_TIMEOUT_MS = 20_000
/** The part of the packages after which the rest of the time can be told. */
const FEWEST_TO_TELL = 0.1

interface GoInstallOptions {
  /** Path of the program's package. */
  program: string
  version: string
  /** Where the program must be afterwards. */
  target: string
  env: NodeJS.ProcessEnv
  /** What it is called in the log. */
  name: string
  /** How many packages it has with all that it needs; absent: how many are left is not told. */
  packages?: number
  log: (line: string) => void
}

/** The program in the cache, built with Go on first use. Rejects with each try and why it failed. */
export async function goProgram(options: GoInstallOptions): Promise<string> {
  const { name, version, target, log } = options
  const working = () => workingProgram(target, VERSION_TIMEOUT_MS)
  const cached = await working().catch(() => null)
  if (cached !== null) return cached
  const found = await onlyOne({
    target,
    onWait: () => log(`${name}: another process is building it; waiting for that`),
    make: () =>
      firstOf([
        { origin: 'cache', find: working },
        { origin: 'go install', find: () => goInstall(options).then(working) },
      ]),
  })
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

/**
 * A compiler lives for seconds: collecting its garbage takes a quarter of the build. It collects only when it would take
 * more than its part of half the memory that is free.
 */
function compilerMemory(): NodeJS.ProcessEnv {
  const partMib = Math.floor(freemem() / 2 / availableParallelism() / 1024 ** 2)
  return { GOGC: 'off', GOMEMLIMIT: `${Math.max(partMib, 256)}MiB` }
}

interface BuildProgress {
  /** Packages, of all that there are. */
  compiled: number
  packages: number | undefined
  /** Since the begin, and since the first package. */
  ms: number
  ofCompilingMs: number
}

/** How far a build is, in words, with the time that is left as far as that can be told. */
export function buildProgress({ compiled, packages, ms, ofCompilingMs }: BuildProgress): string {
  const seconds = Math.round(ms / 1000)
  if (compiled === 0) return `downloading its modules (${seconds} s)`
  if (packages === undefined) return `${compiled} packages compiled after ${seconds} s`
  const told = `${compiled} of ${packages} packages compiled after ${seconds} s`
  if (compiled < packages * FEWEST_TO_TELL || compiled >= packages) return told
  const leftMinutes = ((ofCompilingMs / compiled) * (packages - compiled)) / 60_000
  return `${told}, about ${leftMinutes < 1 ? 'a minute' : `${Math.ceil(leftMinutes)} minutes`} left`
}

function compile({ program, version, env, name, packages, log }: GoInstallOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const startMs = Date.now()
    let compilingMs = startMs
    let compiled = 0
    const last: string[] = []
    const child = spawn('go', ['install', '-v', '-ldflags=-s -w', `${program}@v${version}`], {
      env: { ...compilerMemory(), ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    createInterface({ input: child.stderr }).on('line', (line) => {
      // With -v Go names each package that it compiles; other lines tell of downloads and errors.
      if (!line.includes(' ') && ++compiled === 1) compilingMs = Date.now()
      last.push(line)
      if (last.length > 3) last.shift()
    })
    const timer = setInterval(() => {
      const [ms, ofCompilingMs] = [Date.now() - startMs, Date.now() - compilingMs]
      log(`${name}: ${buildProgress({ compiled, packages, ms, ofCompilingMs })}`)
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
