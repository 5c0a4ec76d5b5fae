import { dirname, join } from 'node:path'
import { dumpFileOf, takeUpState } from './chain-state.ts'
import type { NetworkId } from './tokens.ts'
import { networks } from './networks.ts'

export const historyDays = 730

/**
 * Command-line arguments of the anvil of one sandbox network. A chain without a usable state begins two years before
 * `anchor` (unix seconds); one with a state goes on from it, on the wall clock (with --timestamp, a restarted anvil
 * would go on from the genesis time).
 */
export function anvilArgs(options: {
  network: NetworkId
  port: number
  stateFile: string
  anchor: number
}): string[] {
  const network = networks.find((n) => n.id === options.network)
  if (!network) throw new Error(`no sandbox network ${options.network}`)
  const begin = takeUpState(options.stateFile)
    ? ['--load-state', options.stateFile]
    : ['--timestamp', String(options.anchor - historyDays * 86_400)]
  return [
    '--port',
    String(options.port),
    '--chain-id',
    String(network.chainId),
    // Wallets begin empty: each balance is the sum of what the chain shows.
    '--accounts',
    '12',
    '--balance',
    '0',
    // The next one stores a slot for each block, which doubles the work of filling a chain.
    '--hardfork',
    'cancun',
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
    '--dump-state',
    dumpFileOf(options.stateFile),
    '--state-interval',
    '15',
    ...begin,
  ]
}
