import { dirname, join } from 'node:path'
import { dumpFileOf, takeUpState } from './chain-state.ts'
import type { NetworkId } from './tokens.ts'
import { networks } from './networks.ts'

export const historyDays = 730

/**
 * Command-line arguments of anvil for one sandbox network. A chain without a usable state begins two years
 * before `anchor` (Unix seconds). A chain with a state continues from it on the wall clock; with --timestamp,
 * a restarted anvil would continue from the genesis time.
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
    // Wallets start empty, so each balance is the sum of its transfers on the chain.
    '--accounts',
    '12',
    '--balance',
    '0',
    // The next hardfork stores a slot per block, which doubles the work of filling a chain.
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
    // Number of block states kept in memory; without this, every older state becomes a file.
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
