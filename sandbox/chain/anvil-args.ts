import { existsSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { marker } from './actors.ts'
import type { NetworkId } from './tokens.ts'
import { networks } from './networks.ts'

export const historyDays = 730

// anvil writes its state in place and beside its mining: a kill leaves half a JSON object, and a dump in the middle of
// the filling has accounts that are ahead of the blocks. So only the state of a finished fill is taken up again.
function isUsable(stateFile: string): boolean {
  const state = readFileSync(stateFile)
  return state.at(-1) === '}'.charCodeAt(0) && state.includes(marker)
}

/**
 * Command-line arguments of the anvil of one sandbox network. A chain without a state file begins two years ago;
 * one with a state file goes on from it, on the wall clock (with --timestamp, a restarted anvil would go on from the
 * genesis time). The state file of an unfinished fill, or one cut short by a kill, is moved to `<stateFile>.unusable`.
 */
export function anvilArgs(options: { network: NetworkId; port: number; stateFile: string }): string[] {
  const network = networks.find((n) => n.id === options.network)
  if (!network) throw new Error(`no sandbox network ${options.network}`)
  if (existsSync(options.stateFile) && !isUsable(options.stateFile)) {
    renameSync(options.stateFile, `${options.stateFile}.unusable`)
  }
  const args = [
    '--port',
    String(options.port),
    '--chain-id',
    String(network.chainId),
    // Wallets begin empty: each balance is the sum of what the chain shows.
    '--accounts',
    '12',
    '--balance',
    '0',
    '--no-mining',
    '--order',
    'fifo',
    '--auto-impersonate',
    '--gas-limit',
    '60000000',
    '--no-request-size-limit',
    '--quiet',
    // States of the last blocks in memory; without this, every older one becomes a file.
    '--prune-history',
    '256',
    '--cache-path',
    join(dirname(options.stateFile), 'anvil-cache'),
    '--state',
    options.stateFile,
    '--state-interval',
    '15',
  ]
  if (!existsSync(options.stateFile)) {
    args.push('--timestamp', String(Math.floor(Date.now() / 1000) - historyDays * 86_400))
  }
  return args
}
