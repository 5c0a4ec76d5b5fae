// Runs before the packages are installed, so it is plain JavaScript and needs only Node 20.
import { execFile } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { setPriority } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { goBuild } from '../go-build.mjs'

const run = promisify(execFile)
const { version, program } = JSON.parse(readFileSync(new URL('release.json', import.meta.url), 'utf8'))
const DOWNLOAD = 'https://temporal.download'
const ANSWER_DEADLINE_MS = 5_000
/** File that names the running build. */
export const AHEAD = 'ahead.json'

/**
 * If Temporal must be built, starts the build at low priority while npm installs. Writes a note into the
 * cache, where goInstall finds the build. Resolves to the process; null: nothing to build, or a build is
 * already running.
 */
export async function buildAhead({ env, cache, download = DOWNLOAD }) {
  if (env.TEMPORAL_ADDRESS || onPath(env, 'temporal') || !onPath(env, 'go')) return null
  const place = join(cache, `temporal-${version}`)
  if (isExecutable(join(place, 'temporal'))) return null
  const others = [canDownload(download), run('python3', ['-m', 'pip', '--version'], { env })]
  if (
    await Promise.any(others).then(
      () => true,
      () => false,
    )
  )
    return null
  mkdirSync(place, { recursive: true })
  const note = join(place, AHEAD)
  if (existsSync(note)) return null
  const folder = mkdtempSync(join(place, 'build-'))
  const child = goBuild({ program, version, folder, env, stderr: openSync(join(folder, 'log'), 'w') })
  child.on('error', () => {})
  child.unref()
  if (child.pid === undefined) return null
  setPriority(child.pid, 10)
  writeFileSync(note, JSON.stringify({ pid: child.pid, folder }))
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
