// Runs before the packages are there, so it is no TypeScript and needs nothing but Node 20.
import { execFile, spawn } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const { version } = JSON.parse(readFileSync(new URL('release.json', import.meta.url), 'utf8'))
const DOWNLOAD = 'https://temporal.download'
const ANSWER_DEADLINE_MS = 5_000

/**
 * Where Temporal must be built, downloads the modules that it is built of, while npm installs. The build finds them in
 * Go's own cache. Resolves to the process, or to null where there is nothing to prepare.
 */
export async function prefetchModules({ env, cache, download = DOWNLOAD }) {
  if (env.TEMPORAL_ADDRESS || onPath(env, 'temporal') || !onPath(env, 'go')) return null
  if (isExecutable(join(cache, `temporal-${version}`, 'temporal'))) return null
  const others = [canDownload(download), run('python3', ['-m', 'pip', '--version'], { env })]
  if (
    await Promise.any(others).then(
      () => true,
      () => false,
    )
  )
    return null
  // With -n Go loads every package and prints what it would do.
  const args = ['install', '-n', `github.com/temporalio/cli/cmd/temporal@v${version}`]
  const child = spawn('go', args, { env, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
  return child
}

async function canDownload(url) {
  await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_DEADLINE_MS) })
}

function onPath(env, name) {
  return (env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && isExecutable(join(folder, name)))
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
