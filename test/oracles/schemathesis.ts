import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installPythonTool } from './install-python-tool.ts'

const VERSION = '4.32.5'
const run = promisify(execFile)

/** The pinned schemathesis (PyPI), installed on first use; answers the path of its program. */
export async function installSchemathesis(): Promise<string> {
  const name = `schemathesis-${VERSION}`
  const programs = await installPythonTool({
    name,
    requirements: [`schemathesis==${VERSION}`],
    program: 'st',
  })
  return join(programs, 'st')
}

/** A list longer than allowed may be more than fits into a URL. */
const SETTINGS = `[checks]
negative_data_rejection.expected-statuses = ["400", "401", "402", "403", "404", "405", "409", "413", "415", "429", "431"]
`

interface RunOptions {
  program: string
  document: unknown
  url: string
  /** Sent with every request. */
  key?: string
  examples: number
  seed: number
  /** `positive`: what the description allows alone. */
  mode: 'all' | 'positive'
}

/**
 * Runs it against a server; answers its report, and whether it found nothing. All checks but one: a schema cannot say
 * which currency exists, that `from` is before `to`, or that a checksum is right, so data it allows may be refused.
 */
export async function runSchemathesis(options: RunOptions): Promise<{ clean: boolean; report: string }> {
  const { program, document, url, key, examples, seed, mode } = options
  const folder = await mkdtemp(join(tmpdir(), 'sluice-schemathesis-'))
  try {
    const file = join(folder, 'openapi.json')
    await writeFile(file, JSON.stringify(document))
    await writeFile(join(folder, 'schemathesis.toml'), SETTINGS)
    const args = ['run', file, '--url', url, '--mode', mode]
    if (key !== undefined) args.push('--header', `X-API-KEY: ${key}`)
    args.push(
      '--checks',
      'all',
      '--exclude-checks',
      'positive_data_acceptance',
      '--phases',
      'examples,coverage,fuzzing',
    )
    args.push('--max-examples', String(examples), '--seed', String(seed), '--workers', '1', '--no-color')
    const settled = await run(program, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).then(
      ({ stdout }) => ({ clean: true, report: stdout }),
      (error: { stdout?: string; message: string }) => ({
        clean: false,
        report: error.stdout || error.message,
      }),
    )
    return settled
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
