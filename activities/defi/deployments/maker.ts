import type { MakerDeployment } from '../families/maker.ts'
import type { ByNetwork } from './by-network.ts'

/** Addresses of npm's @makerdao/dai-plugin-mcd 1.8.5 (mainnet.json); the registry of collaterals: https://chainlog.sky.money */
export const MAKER: ByNetwork<MakerDeployment> = {
  ethereum: {
    manager: '0x5ef30b9986345249bc32d8928b7ee64de9435e39',
    lists: '0x36a724bd100c39f0ea4d3a20f7097ee01a8ff573',
    proxies: '0x4678f0a6958e4d2bc4f1baf7bc52e8f3564f3fe4',
    collaterals: '0x5a464c28d19848f44199d003bef5ecc87d090f87',
    jug: '0x19c0976f590d67707e62397c87829d896dc0f1f1',
    dai: '0x6b175474e89094c44da98b954eedeac495271d0f',
  },
}
