import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Path of the anvil program for this platform. The package's launcher is a separate process, and killing it
 * leaves its child running, so anvil is started directly. Falls back to `anvil` on PATH.
 */
export function anvilBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const require = createRequire(import.meta.url)
  try {
    const manifest = require.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/package.json`)
    const program = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
    return existsSync(program) ? program : 'anvil'
  } catch {
    return 'anvil'
  }
}
