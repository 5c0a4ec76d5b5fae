import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync } from 'node:fs'
import type { NetworkId } from './tokens.ts'
import { networks } from './networks.ts'

export const historyDays = 730

// anvil writes its state in place: a kill in the middle leaves half a JSON object.
function isComplete(stateFile: string): boolean {
  const fd = openSync(stateFile, 'r')
  try {
    const tail = Buffer.alloc(1)
    const { size } = fstatSync(fd)
    return size > 1 && readSync(fd, tail, 0, 1, size - 1) === 1 && tail.toString() === '}'
  } finally {
    closeSync(fd)
  }
}

/**
 * Command-line arguments of the anvil of one sandbox network. A chain without a state file begins two years ago;
 * one with a state file goes on from it, on the wall clock (with --timestamp, a restarted anvil would go on from the
 * genesis time). A state file that a kill cut short is moved away to `<stateFile>.broken`.
 */
export function anvilArgs(options: { network: NetworkId; port: number; stateFile: string }): string[] {
  const network = networks.find((n) => n.id === options.network)
  if (!network) throw new Error(`no sandbox network ${options.network}`)
  if (existsSync(options.stateFile) && !isComplete(options.stateFile)) {
    renameSync(options.stateFile, `${options.stateFile}.broken`)
  }
  const args = [
    '--port',
    String(options.port),
    '--chain-id',
    String(network.chainId),
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
