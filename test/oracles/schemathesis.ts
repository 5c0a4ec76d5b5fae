import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installPythonTool } from './install-python-tool.ts'

const VERSION = '4.32.5'
const run = promisify(execFile)

/** Installs the pinned schemathesis from PyPI on first use and returns the path of its program. */
export async function installSchemathesis(): Promise<string> {
  const name = `schemathesis-${VERSION}`
  const programs = await installPythonTool({
    name,
    requirements: [`schemathesis==${VERSION}`],
  })
  return join(programs, 'st')
}

/** 431 is accepted too, because a list above its limit may not fit into a URL. */
const SETTINGS = `[checks]
negative_data_rejection.expected-statuses = ["400", "401", "402", "403", "404", "405", "409", "413", "415", "429", "431"]
`

/** 503 with the body of the contract is right too for these paths. */
const settingsOf503 = (paths: string) => `
[[operations]]
include-path-regex = '${paths}'
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]
`

interface RunOptions {
  program: string
  document: unknown
  url: string
  /** Sent with every request. */
  key?: string
  examples: number
  seed: number
  /** `positive`: only valid requests. */
  mode: 'all' | 'positive'
  /** Regular expression of the paths that may answer 503, because a first read is not done yet. */
  firstReads?: string
}

/**
 * Runs schemathesis against a server. Returns its report, and whether it found nothing. One check is off: a
 * schema cannot say which currency exists, that `from` is before `to`, or that a checksum is right, so valid
 * data may be refused.
 */
export async function runSchemathesis(options: RunOptions): Promise<{ clean: boolean; report: string }> {
  const { program, document, url, key, examples, seed, mode, firstReads } = options
  const folder = await mkdtemp(join(tmpdir(), 'sluice-schemathesis-'))
  try {
    const file = join(folder, 'openapi.json')
    await writeFile(file, JSON.stringify(document))
    const settings = firstReads === undefined ? SETTINGS : SETTINGS + settingsOf503(firstReads)
    await writeFile(join(folder, 'schemathesis.toml'), settings)
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
