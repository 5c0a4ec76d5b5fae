import type { Db } from '../../db/schema.ts'
import type { Send } from './demo-api.ts'
import { syncWallet } from './wait-for-data.ts'

/** The first wallets of sandbox/bitcoin/actors.ts and sandbox/solana/actors.ts. */
export const DEMO_WALLETS = [
  {
    address:
      'zpub6qWzM4RNKLRpKiYgJdEQeYuavXq1zZhYLU1LcgAzxCgK8XeHBksae7yTVZ1gabpFpiZeyzjnM1sKJ4AF76DMGikx15LsbhNxW3aZ4EyPArr',
    connectionId: 'bitcoin',
  },
  { address: '8DxkFsvvC7qmVsSEnin1Jsi4aVaNCLS5NmG5xwUhUma6', connectionId: 'solana' },
]

/** Syncs the wallets that are not synced. Returns those that are synced in time. */
export async function demoWallets(options: {
  send: Send
  db: Db
  log: (line: string) => void
  deadlineMs: number
}): Promise<typeof DEMO_WALLETS> {
  const { send, ...wait } = options
  const synced = await Promise.all(
    DEMO_WALLETS.map((wallet) =>
      syncWallet(wait, { address: wallet.address, networkIds: [wallet.connectionId] }, () =>
        send('PATCH', '/wallet/transactions', { wallets: [wallet] }),
      ),
    ),
  )
  return DEMO_WALLETS.filter((_, i) => synced[i])
}
