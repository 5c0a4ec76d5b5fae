import { execFile } from 'node:child_process'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../../ops/settings/make-folder.ts'
import { checkProgram } from './check-program.ts'
import type { FetchOptions } from './find-temporal.ts'

const run = promisify(execFile)
const ARCHES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }
/**
 * Without a network the host name lookup is slow, and a proxy may swallow requests. Neither may block the
 * start.
 */
const ANSWER_DEADLINE_MS = 10_000
const BODY_DEADLINE_MS = 300_000

/** Fetches the official archive of the Temporal CLI. */
export async function downloadTemporal({ version, target, log }: FetchOptions): Promise<void> {
  const arch = ARCHES[process.arch]
  if (arch === undefined) throw new Error(`there is no archive for ${process.arch}`)
  const url = `https://temporal.download/cli/archive/v${version}?platform=${process.platform}&arch=${arch}`
  log(`Temporal: downloading ${url}`)
  const archive = await fetchBytes(url)
  await makeFolder(dirname(target))
  const draft = await mkdtemp(join(dirname(target), 'download-'))
  try {
    await writeFile(join(draft, 'temporal.tar.gz'), archive)
    await run('tar', ['-xzf', 'temporal.tar.gz', 'temporal'], { cwd: draft })
    await checkProgram(join(draft, 'temporal'))
    await rename(join(draft, 'temporal'), target)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function fetchBytes(url: string): Promise<Buffer> {
  const abort = new AbortController()
  let timer = setTimeout(() => abort.abort(new Error('no answer within 10 s')), ANSWER_DEADLINE_MS)
  try {
    const response = await fetch(url, { signal: abort.signal })
    if (!response.ok) throw new Error(`status ${response.status}`)
    clearTimeout(timer)
    timer = setTimeout(() => abort.abort(new Error('not complete within 5 min')), BODY_DEADLINE_MS)
    return Buffer.from(await response.arrayBuffer())
  } catch (error) {
    const { message, cause } = error as Error
    throw new Error(`${url}: ${cause instanceof Error ? cause.message : message}`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
