#!/usr/bin/env node
// Entry point; needs only Node 20 and npm. In a clone it installs the packages when the lock file has changed.
// Continues under the Node version that the lock file pins, which runs the TypeScript sources of a clone directly.
// The package that "npm pack" makes has JavaScript in dist/ instead, and npm has installed its packages.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildAhead } from './temporal/build-ahead.mjs'

const OLDEST_NODE = 20
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const SOURCES = join(ROOT, 'cli', 'main.ts')
const PACKED = !existsSync(SOURCES)

/** Commands that need the development packages. */
export const DEVELOPING = /^(test|check|bench|openapi|package|release|schema|screenshots)/
/** Commands that run a Temporal server. */
const NEEDS_TEMPORAL = /^(start|test|bench)/

/** Identifies what was installed. It changes with the lock file and with the platform. */
export function stampOf(root, { dev }) {
  const lock = readFileSync(join(root, 'package-lock.json'))
  const hash = createHash('sha256').update(lock).digest('hex')
  return `${hash} ${process.platform}-${process.arch} ${dev ? 'all' : 'running'}\n`
}

/** Whether node_modules matches the lock file. Without `dev` only the packages needed at run time count. */
export function isInstalled(root, { dev }) {
  if (!existsSync(pinnedNode(root))) return false
  const stampFile = join(root, 'node_modules', '.sluice-stamp')
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : ''
  if (stamp === stampOf(root, { dev: true }) || (!dev && stamp === stampOf(root, { dev }))) return true
  return installedByHand(root, { dev })
}

/**
 * Whether npm's own record of the installed packages matches the lock file, for users who ran npm themselves.
 */
function installedByHand(root, { dev }) {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || (entry.dev && !dev)) return true
    const found = installed[path]
    return found
      ? found.version === entry.version && found.integrity === entry.integrity
      : entry.optional === true
  })
}

export function pinnedNode(root) {
  return nodeIn(join(root, 'node_modules', 'node'))
}

function nodeIn(folder) {
  return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

/** The pinned Node that npm installed with the package. null: npm ran no install scripts, so it is not there */
function packedNode() {
  const node = nodeIn(dirname(createRequire(import.meta.url).resolve('node/package.json')))
  return existsSync(node) ? node : null
}

/** Runs `npm ci` and writes the stamp of what it installed. Resolves to the exit code of npm. */
export async function install(root, { dev, npm = npmCommand() }) {
  const startMs = Date.now()
  const seconds = () => Math.round((Date.now() - startMs) / 1000)
  say('installing the packages of package-lock.json (npm ci); the first time this takes a minute or two')
  const timer = setInterval(() => say(`still installing (${seconds()} s)`), 10_000)
  const set = dev ? '--include=dev' : '--omit=dev'
  const args = [...npm.args, 'ci', set, '--no-audit', '--no-fund', '--loglevel=error']
  const code = await run(npm.command, args, { cwd: root })
  clearInterval(timer)
  if (code !== 0) return code
  writeFileSync(join(root, 'node_modules', '.sluice-stamp'), stampOf(root, { dev }))
  say(`packages installed (${seconds()} s)`)
  return 0
}

function npmCommand() {
  const cli = process.env.npm_execpath
  if (cli && /npm-cli\.c?js$/.test(cli)) return { command: process.execPath, args: [cli] }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [] }
}

/** Runs a command on this terminal, passes signals on, and resolves to its exit code. */
function run(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    const forward = (signal) => child.kill(signal)
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, forward)
    const watch = watchNpm(() => forward('SIGTERM'))
    const end = (code) => {
      for (const signal of signals) process.off(signal, forward)
      clearInterval(watch)
      resolve(code)
    }
    child.once('error', (error) => {
      say(`${command} cannot be started: ${error.message}`)
      end(127)
    })
    child.once('exit', (code, signal) => end(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}

/** A signal that ends only npm does not reach its script, which would go on without a terminal. */
function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event) return undefined
  const parent = process.ppid
  return setInterval(() => process.ppid !== parent && onGone(), 1_000)
}

function say(line) {
  console.error(`sluice: ${line}`)
}

async function main(args) {
  const major = Number(process.versions.node.split('.')[0])
  if (major < OLDEST_NODE) {
    say(`this is Node ${process.versions.node}; Node ${OLDEST_NODE} or newer is needed (https://nodejs.org)`)
    return 1
  }
  const dev = DEVELOPING.test(args[0] ?? '')
  const cache = process.env.SLUICE_CACHE || join(homedir(), '.cache', 'sluice')
  if (!PACKED && !isInstalled(ROOT, { dev })) {
    const building = NEEDS_TEMPORAL.test(args[0] ?? '') ? buildAhead({ env: process.env, cache }) : null
    const code = await install(ROOT, { dev })
    if (code !== 0) {
      ;(await building)?.kill()
      say(`npm ci failed with exit code ${code}; its message is above.`)
      say(
        'Check that the npm registry answers ("npm ping"; behind a proxy set "npm config set proxy URL") and',
      )
      say('that the disk has 1.5 GB free, then run the same command again.')
      return code
    }
  }
  const node = PACKED ? packedNode() : pinnedNode(ROOT)
  if (node === null) {
    say('its Node is missing, because npm ran no install script of the package "node".')
    say('Run "npm rebuild node" where you installed sluice (npm 11: "npm approve-scripts node" first).')
    return 1
  }
  // Programs of packages, then Node itself.
  const path = [join(dirname(node), '..', '..', '.bin'), dirname(node), process.env.PATH].join(delimiter)
  // Every process loads its compiled modules from this cache, which saves a third of its start time.
  const compiled = { NODE_COMPILE_CACHE: join(cache, 'compiled') }
  // The IPC channel tells the child when this process is gone, however it ended.
  return run(node, [PACKED ? join(ROOT, 'dist', 'cli', 'main.js') : SOURCES, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...compiled, ...process.env, PATH: path },
  })
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = await main(process.argv.slice(2))
}
