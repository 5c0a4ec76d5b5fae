// Adds optional packages of other platforms that npm left out of package-lock.json, here and of the
// peers of benchmarks.
// npm writes no entry for a platform package that its registry does not serve at that moment, and
// `npm ci` then refuses the whole file. A placeholder without integrity is enough: npm only fetches
// the ones that match its own platform.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const OS = ['darwin', 'linux', 'win32', 'freebsd', 'openbsd', 'android', 'openharmony']
const CPU = {
  x64: 'x64',
  amd64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'ia32',
  loong64: 'loong64',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
}

const ROOT = join(import.meta.dirname, '..')
const PEERS = join(ROOT, 'test/bench/peers')
for (const folder of [ROOT, ...readdirSync(PEERS).map((peer) => join(PEERS, peer))]) {
  const file = join(folder, 'package-lock.json')
  // Peers of Python have none.
  if (!existsSync(file)) continue
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  complete(lock.packages)
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
}

function complete(packages) {
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (packages[`node_modules/${name}`] || packages[`${path}/node_modules/${name}`]) continue
      const words = name.split('/').at(-1).replace('_', '-').split('-')
      const os = OS.filter((word) => words.includes(word))
      const cpu = words.flatMap((word) => CPU[word] ?? [])
      packages[`node_modules/${name}`] = {
        version,
        optional: true,
        ...(os.length > 0 && { os }),
        ...(cpu.length > 0 && { cpu }),
        ...(entry.dev && { dev: true }),
      }
    }
  }
}
