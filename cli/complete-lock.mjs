// Adds optional packages of other platforms that npm left out of package-lock.json.
// npm writes no entry for a platform package that its registry does not serve at that moment, and
// `npm ci` then refuses the whole file. A placeholder without integrity is enough: npm only fetches
// the ones that match its own platform.
import { readFileSync, writeFileSync } from 'node:fs'

const OS = ['darwin', 'linux', 'win32', 'freebsd', 'android', 'openharmony']
const CPU = {
  x64: 'x64',
  amd64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
}

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (lock.packages[`node_modules/${name}`] || lock.packages[`${path}/node_modules/${name}`]) continue
    const words = name.split('/').at(-1).replace('_', '-').split('-')
    const os = OS.filter((word) => words.includes(word))
    const cpu = words.flatMap((word) => CPU[word] ?? [])
    lock.packages[`node_modules/${name}`] = {
      version,
      optional: true,
      ...(os.length > 0 && { os }),
      ...(cpu.length > 0 && { cpu }),
      ...(entry.dev && { dev: true }),
    }
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
