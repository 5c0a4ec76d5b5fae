import type { GmxDeployment } from '../families/gmx.ts'
import type { ByNetwork } from './by-network.ts'

/** Contracts of npm's @gmx-io/sdk 1.4.0 (configs/contracts). */
export const GMX: ByNetwork<GmxDeployment> = {
  'arbitrum-wallet': {
    gmx: '0xfc5a1a6eb076a2c7ad06ed22c90d7e710e35ad0a',
    esGmx: '0xf42ae1d54fd613c9bb14810b0588faaa09a426ca',
    stakes: '0x908c4d94d34924765f1edc22a1dd098397c59dd4',
    fees: ['0x0755d33e45ed2b874c9ebf5b279023c8bd1e5e93', '0xd2d1162512f927a7e282ef43a362659e4f2a728f'],
    vesters: [
      '0x199070ddfd1cfb69173aa2f7e20906f26b363004',
      '0xa75287d2f8b217273e7fcd7e86ef07d33972042e',
      '0x7c100c0f55a15221a4c1c5a25db8c98a81df49b2',
    ],
  },
  'avalanche-wallet': {
    gmx: '0x62edc0692bd897d2295872a9ffcac5425011c661',
    esGmx: '0xff1489227bbaac61a9209a08929e4c2a526ddd17',
    stakes: '0x2bd10f8e93b3669b6d42e74eeedc65dd1b0a1342',
    fees: ['0xb0d12bf95cc1341d6c845c978daaf36f70b5910d', '0x4d268a7d4c16ceb5a606c173bd974984343fea13'],
    vesters: [
      '0x472361d3ca5f49c8e633fb50385bfad1e018b445',
      '0x62331a7bd1dfb3a7642b7db50b5509e57ca3154a',
      '0x754ec029ef9926184b4cfdea7756fbbae7f326f7',
    ],
  },
}
