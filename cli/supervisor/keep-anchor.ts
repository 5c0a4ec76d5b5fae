import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { historyDays } from '../../sandbox/chain/anvil-args.ts'
import { genesisOf, readState } from '../../sandbox/chain/chain-state.ts'
import { CommandError } from '../command.ts'
import { writeWhole } from '../write-whole.ts'

/**
 * Returns the Unix seconds of the first start, around which the sandbox of this home builds its world. All
 * stored data depends on them, so they are kept for ever, even if the chains are deleted.
 */
export function keepAnchor(home: string): number {
  const file = join(home, 'sandbox-anchor')
  if (existsSync(file)) return readAnchor(file)
  const seconds = anchorOfOlder(home) ?? Math.floor(Date.now() / 1000)
  writeWhole(file, `${new Date(seconds * 1000).toISOString()}\n`, { mode: 0o600 })
  return seconds
}

function readAnchor(file: string): number {
  const text = readFileSync(file, 'utf8').trim()
  const seconds = Date.parse(text) / 1000
  if (Number.isFinite(seconds)) return seconds
  throw new CommandError(
    `${file} contains "${text}" instead of the time of the first start, such as 2026-01-31T12:00:00.000Z. ` +
      `Put that time back, or delete the file to take the time from the chains in the same folder.`,
  )
}

/**
 * Returns the anchor of a home from a version without the file: that of its chains. null: the home is new.
 */
function anchorOfOlder(home: string): number | null {
  const state = readState(join(home, 'chains', 'ethereum.json'))
  const genesis = state === null ? null : genesisOf(state)
  return genesis === null ? null : genesis + historyDays * 86_400
}
