import { expect, test } from 'vitest'
import { DEMO_WALLETS } from '../../cli/first-run/demo-wallets.ts'
import { bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { solanaWallets } from '../../sandbox/solana/actors.ts'

test('the wallets of the first run exist in the simulator', () => {
  expect(DEMO_WALLETS).toEqual([
    { address: bitcoinWallets[0]!.name, connectionId: 'bitcoin' },
    { address: solanaWallets[0]!.address, connectionId: 'solana' },
  ])
})
