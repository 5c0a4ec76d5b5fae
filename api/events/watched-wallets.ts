import { z } from 'zod'
import { countWatched } from '../../db/events/read-webhooks.ts'
import type { Watched } from '../../db/events/webhook-write.ts'
import { readSyncStates } from '../../db/chain/read-syncs.ts'
import type { Command } from '../../db/metering/meter.ts'
import { walletSync } from '../../db/sync-commands.ts'
import { keyOfSync, syncsOf } from '../chain/synced-wallets.ts'
import { keyOfWallet, type WalletRef } from '../networks.ts'
import type { RouteContext } from '../route.ts'
import { walletItem } from '../wallet-item.ts'
import { refuseMore } from './refuse-more.ts'

const MAX_WALLETS = 1_000

/** The wallets whose events an endpoint gets, in a body. */
export const watchedField = () =>
  z
    .union([z.literal('all'), z.array(walletItem()).min(1).max(MAX_WALLETS)], {
      error: `It must be \`all\`, or 1 to ${MAX_WALLETS} wallets, each with its address and connectionId`,
    })
    .transform((given): 'all' | WalletRef[] =>
      given === 'all' ? given : [...new Map(given.flat().map((item) => [keyOfWallet(item), item])).values()],
    )
    .describe(
      '`all`: every wallet and exchange account among your portfolios, also those added later. Or a list of wallets',
    )

export const watchedOf = (given: 'all' | readonly WalletRef[]): Watched =>
  given === 'all'
    ? given
    : given.map(({ address, network }) => ({ address, networkId: network === 'all' ? null : network }))

/**
 * What an endpoint is to watch, and the first syncs of wallets that are unknown so far: a wallet has events
 * once its history is complete. Throws 400 beyond the limits of the plan.
 */
export async function watch(
  db: RouteContext['db'],
  input: { accountId: string; given: 'all' | WalletRef[]; most: { wallets: number } },
): Promise<{ watched: Watched; commands: Command[] }> {
  const { accountId, given, most } = input
  if (given === 'all') return { watched: given, commands: [] }
  const addresses = [...new Set(given.map(({ address }) => address))]
  const { known, total } = await countWatched(db, { accountId, addresses })
  refuseMore(total + addresses.length - known, { of: 'watched wallets', most: most.wallets })
  const wanted = await syncsOf(db, given)
  const begun = new Set((await readSyncStates(db, addresses)).map(keyOfSync))
  return {
    watched: watchedOf(given),
    commands: wanted.filter((sync) => !begun.has(keyOfSync(sync))).map(walletSync),
  }
}
