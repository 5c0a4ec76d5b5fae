import type { ByNetwork } from './by-network.ts'

export interface LidoContracts {
  stEth: string
  wstEth: string
  withdrawalQueue: string
}

/** https://docs.lido.fi/deployed-contracts/ */
export const LIDO: ByNetwork<LidoContracts> = {
  ethereum: {
    stEth: '0xae7ab96520de3a18e5e111b5eaab095312d7fe84',
    wstEth: '0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0',
    withdrawalQueue: '0x889edc2edab5f40e902b864ad4d7ade8e412f9b1',
  },
}
