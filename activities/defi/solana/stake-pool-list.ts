import { SANCTUM_POOLS } from './sanctum-pools.ts'
import type { StakePool } from './stake-pools.ts'

/**
 * Programs of stake pools: that of the Solana Program Library, and two copies of it by Sanctum
 * (https://learn.sanctum.so/docs/technical-documentation/sanctum-stake-pool-program).
 */
export const STAKE_POOL_PROGRAMS = [
  'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy',
  'SP12tWFxD9oJsVWNavTTBZvMbA6gkAmxtVgxdqvyvhY',
  'SPMBzsVUuoHA4Jm6KunbsotaahvVikZs1JyTW6iJvbn',
]

/**
 * Tokens of stake pools, from https://github.com/igneous-labs/sanctum-lst-list (18 September 2025). The account of each
 * pool names its token, and a reading compares it.
 */
export const STAKE_POOLS = {
  jito: [
    {
      name: 'JitoSOL',
      token: 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn',
      pool: 'Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb',
    },
  ],
  blazestake: [
    {
      name: 'bSOL',
      token: 'bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1',
      pool: 'stk9ApL5HeVAwPLr3TLhDXdZS8ptVu7zp6ov8HFDuMi',
    },
  ],
  jupiter: [
    {
      name: 'JupSOL',
      token: 'jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v',
      pool: '8VpRhuxa7sUUepdY3kQiTmX9rS5vx4WgaXiAnXq4KCtr',
    },
  ],
  binance: [
    {
      name: 'BNSOL',
      token: 'BNso1VUJnh4zcfpZa6986Ea66P6TCp59hvtNJ8b1X85',
      pool: 'Hr9pzexrBge3vgmBNRR8u42CNQgBXdHm4UkUN2DH4a7r',
    },
  ],
  phantom: [
    {
      name: 'PSOL',
      token: 'pSo1f9nQXWgXibFtKf7NWYxb5enAM4qfP6UJSiXRQfL',
      pool: 'pSPcvR8GmG9aKDUbn9nbKYjkxt9hxMS7kF1qqKJaPqJ',
    },
  ],
  vault: [
    {
      name: 'vSOL',
      token: 'vSoLxydx6akxyMD9XEcPvGYNGq6Nn66oqVb3UkGkei7',
      pool: 'Fu9BYC6tWBo1KMKaP3CFoKfRhqv9akmy3DuYwnCyWiyC',
    },
  ],
  sanctum: SANCTUM_POOLS,
  others: [
    {
      name: 'cgntSOL',
      token: 'CgnTSoL3DgY9SFHxcLj6CgCgKKoTBr6tp4CPAEWy25DE',
      pool: 'CgntPoLka5pD5fesJYhGmUCF8KU1QS1ZmZiuAuMZr2az',
    },
    {
      name: 'laineSOL',
      token: 'LAinEtNLgpmCP9Rvsf5Hn8W6EhNiKLZQti1xfWMLy6X',
      pool: '2qyEeSAWKfU18AFthrF7JA8z8ZCi1yt76Tqs917vwQTV',
    },
    {
      name: '1000XSOL',
      token: '1ooXSoL7ZSRrhVzAgVLewACFCXaLNqmcHAuSWrWrnBm',
      pool: '1XPooL7vwQxZ1MaQEjAGwM4fHsoQxBYfXVx1zCGZMkP',
    },
    {
      name: 'dzSOL',
      token: 'Gekfj7SL2fVpTDxJZmeC46cTYxinjB6gkAnb6EGT6mnn',
      pool: '3fV1sdGeXaNEZj6EPDTpub82pYxcRXwt2oie6jkSzeWi',
    },
    {
      name: 'daoSOL',
      token: 'GEJpt3Wjmr628FqXxTgxMce1pLntcPV4uFi8ksxMyPQh',
      pool: '7ge2xKsZXmqPxa3YmXxXmzCp9Hc2ezrTxh6PECaxCwrL',
    },
    {
      name: 'JSOL',
      token: '7Q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9Dcavn',
      pool: 'CtMyWsrUtAwXWiGr9WjHT5fC3p3fgV8cyGpLTo2LJzG1',
    },
    {
      name: 'LST',
      token: 'LSTxxxnJzKDFSLr4dUkPcmCf5VyryEqzPLz5j4bpxFp',
      pool: 'DqhH94PjkZsjAqEze2BEkWhFQJ6EyU6MdtMphMgnXqeK',
    },
    {
      name: 'zippySOL',
      token: 'Zippybh3S5xYYam2nvL6hVJKz1got6ShgV4DyD1XQYF',
      pool: 'DxRFpqBQBC2nKcvh14gD1eizCj9Xi7ruMR3nCR3Hvw8f',
    },
    {
      name: 'edgeSOL',
      token: 'edge86g9cVz87xcpKpy3J77vbp4wYd9idEV562CCntt',
      pool: 'edgejNWAqkePLpi5sHRxT9vHi7u3kSHP9cocABPKiWZ',
    },
    {
      name: 'elSOL',
      token: 'ELSoL1owwMWQ9foMsutweCsMKbTPVBD9pFqxQGidTaMC',
      pool: 'So1vW4Bm6ZURzJJHZy1JpsjoVY68z4cDgF4tTLwYMa5',
    },
    {
      name: 'aeroSOL',
      token: 'aeroXvCT6tjGVNyTvZy86tFDwE4sYsKCh7FbNDcrcxF',
      pool: 'aero2ePURjuEgLKTzcUmF6RypBncBGd7pMUYCoSsVJ6',
    },
    {
      name: 'xandSOL',
      token: 'XAnDeUmMcqFyCdef9jzpNgtZPjTj3xUMj9eXKn2reFN',
      pool: 'xanDnetFGrZkp49s8brXbg6T215JeDTeSfDF19wBiNQ',
    },
    {
      name: 'raiSOL',
      token: 'Ra1so1sTkvX3PorAM9ewqrsUMz9sPSbfFZ5oZUjN4oc',
      pool: 'RaiDhwyRoMVxLN9KD7kAXAwHbWKf1TCTe5HFSrPVJaD',
    },
    {
      name: 'jagSOL',
      token: 'jag58eRBC1c88LaAsRPspTMvoKJPbnzw9p9fREzHqyV',
      pool: 'jagEdDepWUgexiu4jxojcRWcVKKwFqgZBBuAoGu2BxM',
    },
    {
      name: 'mvtSOL',
      token: 'DrYLDtGzip1JzogBqcPwHRWpifczYDexpc9d9wnUv5M7',
      pool: '5Av61pgZ9KinUkNmxgDoai13Ej5auruGB6vp29Yeq9bh',
    },
    {
      name: 'xSHIN',
      token: 'xSoL18r4U1k2ALa4yF857VDZJqCKecLtty92nscre3o',
      pool: 'spp1mo6shdcrRyqDK2zdurJ8H5uttZE6H6oVjHxN1QN',
    },
    {
      name: 'enderSOL',
      token: 'enderSozQQP3aFMyxkCrs59u283tu7ZowMPCdoM5io6',
      pool: '2yWvQCwV8vDuMqxfnp67FTMJkgB8BQCA9XEkhQAp6vkH',
    },
    {
      name: 'TruSOL',
      token: '6umRHtiuBd1PC6HQhfH9ioNsqY4ihZncZXNPiGu3d3rN',
      pool: 'EyKyx9LKz7Qbp6PSbBRoMdt8iNYp8PvFVupQTQRMY9AM',
    },
    {
      name: 'odySOL',
      token: 'odcUHUtic7JVf19RPCdLpZtHZ52eYvN8dRAKsaansed',
      pool: 'odc3Lq1tQ495b16WwnndwtG1fhgv6C77pGohL6Vd6xJ',
    },
    {
      name: 'charitySOL',
      token: 'chrtyoZKhQ1Nxfmvpw8tGJ4hm91ZGYRFGKBrg5QEi1p',
      pool: 'chrtyCyyThdWjASoayBaQPiZF7QShNNu1zyeSRqmcv5',
    },
    {
      name: 'dynoSOL',
      token: 'DYNoyS3x5qgbccZg7RPXagm4xQzfnm5iwd9o8pMyJtdE',
      pool: 'DpooSqZRL3qCmiq82YyB4zWmLfH3iEqx2gy8f2B6zjru',
    },
    {
      name: 'sharkSOL',
      token: 'BdMLRC2gKyFu8FRBErazzpEaKmB1jcVB9Eq1rXXFm4EV',
      pool: 'HQLwnQJFH7t9nBTP4vbdW4eHy62aecfDnj8te8VzqkFL',
    },
    {
      name: 'cySOL',
      token: 'cyc1eP4hbC6wU2X4ypLoosYTx5z9PYwgRSKDUJcVn3J',
      pool: 'cyc1ezCrHkBJ7BNSmE9fBFW2dzTYAbWG8ttgCGYhiHc',
    },
    {
      name: 'sentSOL',
      token: 'sntn1oVhhKuytG42jyjneMYnGAtzkpJsBxHNEskTfGp',
      pool: 'sntn1Y9gX7MwcPD6Z4GLCkUAy7iKAZika6RUjDu1paS',
    },
    {
      name: 'meSOL',
      token: 'meSo1XvNGYn1xyTYhnBPFK5EB8JS1mXotK3yfHzqcc6',
      pool: 'Meso1TUDxhLvKKupvAQpZKqkKrJtpUTiEG9YFXcWXat',
    },
  ],
} satisfies Record<string, readonly StakePool[]>
