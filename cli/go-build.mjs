// Runs before the packages are there, so it is no TypeScript and needs nothing but Node 20.
import { spawn } from 'node:child_process'
import { availableParallelism, freemem } from 'node:os'
import { join } from 'node:path'

/** Starts a build of one program with Go, in a folder and into its `bin`. Its `stderr` names each package that is compiled. */
export function goBuild({ program, version, folder, env, stderr }) {
  return spawn('go', ['install', '-C', folder, '-v', '-ldflags=-s -w', `${program}@v${version}`], {
    env: { ...compilerMemory(), ...env, GOBIN: join(folder, 'bin') },
    stdio: ['ignore', 'ignore', stderr],
  })
}

/**
 * A compiler lives for seconds: collecting its garbage takes a quarter of the build. It collects only when it would take
 * more than its part of half the memory that is free.
 */
function compilerMemory() {
  const partMib = Math.floor(freemem() / 2 / availableParallelism() / 1024 ** 2)
  return { GOGC: 'off', GOMEMLIMIT: `${Math.max(partMib, 256)}MiB` }
}
