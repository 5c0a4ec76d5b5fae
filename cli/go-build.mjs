// Runs before the packages are installed, so it is plain JavaScript and needs only Node 20.
import { spawn } from 'node:child_process'
import { availableParallelism, freemem } from 'node:os'
import { join } from 'node:path'

/** Starts a Go build of one program in a folder, into its `bin`. Its `stderr` names each compiled package. */
export function goBuild({ program, version, folder, env, stderr }) {
  return spawn('go', ['install', '-C', folder, '-v', '-ldflags=-s -w', `${program}@v${version}`], {
    env: { ...compilerMemory(), ...env, GOBIN: join(folder, 'bin') },
    stdio: ['ignore', 'ignore', stderr],
  })
}

/**
 * A compiler runs for seconds, and its garbage collection takes a quarter of the build time. So it collects
 * only when it exceeds its share of half the free memory.
 */
function compilerMemory() {
  const partMib = Math.floor(freemem() / 2 / availableParallelism() / 1024 ** 2)
  return { GOGC: 'off', GOMEMLIMIT: `${Math.max(partMib, 256)}MiB` }
}
