import { AREAS } from '../../activities/all-areas.ts'
import { RPC_PREFIX, sourceOff } from '../../activities/config.ts'

/** Lines that say of each live source, and of the nodes, whether it is on or which variable it lacks. */
export function liveSourceLines(env: Record<string, string | undefined>): string[] {
  const rows = AREAS.flatMap(({ sources }) => sources).map((spec): [string, string] => {
    const missing = sourceOff(spec, env)
    return [spec.name, missing === null ? 'on' : `off: set ${missing}`]
  })
  const own = Object.keys(env).filter((name) => name.startsWith(RPC_PREFIX) && env[name])
  rows.push(['nodes', own.length > 0 ? `${own.join(', ')}; public ones elsewhere` : 'on: public ones'])
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, state]) => `  ${name.padEnd(width)}  ${state}`)
}
