import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '../ops/settings/make-folder.ts'
import { firstOf, workingProgram } from './find-program.ts'
// @ts-expect-error: runs before the packages are installed, so it is plain JavaScript
import { goBuild } from './go-build.mjs'
import { onlyOne } from './only-one.ts'
import { commandOf } from './supervisor/process-mark.ts'

const REPORT_EVERY_MS = 15_000
const VERSION_TIMEOUT_MS = 20_000
/** The remaining time is estimated once this share of the packages is compiled. */
const FEWEST_TO_TELL = 0.1

interface GoInstallOptions {
  /** Path of the Go package. */
  program: string
  version: string
  /** Path of the built program. */
  target: string
  env: NodeJS.ProcessEnv
  /** Name of the program in the log. */
  name: string
  /** Packages to compile, dependencies included; absent: the log shows no total and no estimate. */
  packages?: number
  /** A build that has already begun. */
  ahead?: BuildAhead | undefined
  log: (line: string) => void
}

/** A running build. It writes the program to `folder`/bin and its output to `folder`/log. */
export interface BuildAhead {
  pid: number
  folder: string
}

/**
 * Returns the program in the cache, built with Go on first use. Rejects with the reason of each failed try.
 */
export async function goProgram(options: GoInstallOptions): Promise<string> {
  const { name, version, target, log } = options
  const working = () => workingProgram(target, VERSION_TIMEOUT_MS)
  const cached = await working().catch(() => null)
  if (cached !== null) return cached
  const found = await onlyOne({
    target,
    onWait: () => log(`${name}: another process is building it; waiting for it to finish`),
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

/** Builds one program with Go. A failed build rejects with the reason and leaves no file at the target. */
export async function goInstall(options: GoInstallOptions): Promise<void> {
  const { program, version, target, name, ahead, log } = options
  await makeFolder(dirname(target))
  if (ahead && (await takeOver(ahead, options))) return
  const folder = await mkdtemp(join(dirname(target), 'build-'))
  log(`${name}: building ${program}@v${version} with Go; this takes a few minutes the first time`)
  try {
    await compile({ ...options, folder })
    await takeFrom(join(folder, 'bin'), target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Waits for a build that has already begun. Returns false if it produced nothing. */
async function takeOver(ahead: BuildAhead, options: GoInstallOptions): Promise<boolean> {
  const progress = reportProgress(options)
  try {
    // The pid alone may belong to another process by now, so the folder must be among its arguments.
    while (commandOf(ahead.pid).includes(ahead.folder)) {
      await sleep(1_000)
      progress.sees((await readFile(join(ahead.folder, 'log'), 'utf8')).split('\n').filter(isPackage).length)
    }
    await takeFrom(join(ahead.folder, 'bin'), options.target)
    return true
  } catch {
    return false
  } finally {
    progress.end()
    await rm(ahead.folder, { recursive: true, force: true })
  }
}

async function takeFrom(folder: string, target: string): Promise<void> {
  const [built] = await readdir(folder)
  await rename(join(folder, built!), target)
}

/** With -v Go prints the name of each package that it compiles; other lines are downloads and errors. */
const isPackage = (line: string): boolean => line !== '' && !line.includes(' ')

interface BuildProgress {
  /** Packages compiled so far. */
  compiled: number
  packages: number | undefined
  /** Milliseconds since the start, and since the first package. */
  ms: number
  ofCompilingMs: number
}

/** Describes the progress of a build, with an estimate of the remaining time if there is one. */
export function buildProgress({ compiled, packages, ms, ofCompilingMs }: BuildProgress): string {
  const seconds = Math.round(ms / 1000)
  if (compiled === 0) return `downloading its modules (${seconds} s)`
  if (packages === undefined) return `${compiled} packages compiled after ${seconds} s`
  const told = `${compiled} of ${packages} packages compiled after ${seconds} s`
  if (compiled < packages * FEWEST_TO_TELL || compiled >= packages) return told
  const leftMinutes = ((ofCompilingMs / compiled) * (packages - compiled)) / 60_000
  return `${told}, about ${leftMinutes < 1 ? 'a minute' : `${Math.ceil(leftMinutes)} minutes`} left`
}

/** Logs the progress of a build every 15 s. Call `sees` with the number of compiled packages. */
function reportProgress({ name, packages, log }: GoInstallOptions) {
  const startMs = Date.now()
  let compilingMs = startMs
  let compiled = 0
  const timer = setInterval(() => {
    const [ms, ofCompilingMs] = [Date.now() - startMs, Date.now() - compilingMs]
    log(`${name}: ${buildProgress({ compiled, packages, ms, ofCompilingMs })}`)
  }, REPORT_EVERY_MS)
  return {
    sees: (count: number) => {
      if (compiled === 0 && count > 0) compilingMs = Date.now()
      compiled = count
    },
    end: () => clearInterval(timer),
  }
}

function compile(options: GoInstallOptions & { folder: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    let compiled = 0
    const last: string[] = []
    const progress = reportProgress(options)
    const child: ChildProcess = goBuild({ ...options, stderr: 'pipe' })
    createInterface({ input: child.stderr! }).on('line', (line) => {
      if (isPackage(line)) progress.sees(++compiled)
      last.push(line)
      if (last.length > 3) last.shift()
    })
    child.once('error', (error: NodeJS.ErrnoException) => {
      progress.end()
      reject(error.code === 'ENOENT' ? new Error('no program "go" on PATH') : error)
    })
    child.once('close', (code) => {
      progress.end()
      if (code === 0) resolve()
      else reject(new Error(`go exited with code ${code}: ${last.join(' / ')}`))
    })
  })
}
