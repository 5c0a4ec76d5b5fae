import type { StakePool } from './stake-pools.ts'

/** The larger pools of Sanctum's two programs, from its list (stake-pool-list.ts names it). */
export const SANCTUM_POOLS: readonly StakePool[] = [
  {
    name: 'bbSOL',
    token: 'Bybit2vBJGhPF52GBdNaQfUJ6ZpThSgHBobjWZpLPb4B',
    pool: '2aMLkB5p5gVvCwKkdSo5eZAL1WwhZbxezQr1wxiynRhq',
  },
  {
    name: 'CDCSOL',
    token: 'CDCSoLckzozyktpAp9FWT3w92KFJVEUxAU7cNu2Jn3aX',
    pool: '8B9yuGU5SbXLE56k4yH2AfqbMXNEah7MJMbZKDPqg23X',
  },
  {
    name: 'dSOL',
    token: 'Dso1bDeDjCQxTrWHqUUi63oBvV7Mdm6WaobLbQ7gnPQ',
    pool: '9mhGNSPArRMHpLDMSmxAvuoizBqtBGqYdT8WGuqgxNdn',
  },
  {
    name: 'hSOL',
    token: 'he1iusmfkpAdwvxLNGV8Y1iSbj4rUy6yMhEA3fotn9A',
    pool: '3wK2g8ZdzAH8FJ7PKr2RcvGh7V9VYson5hrVsJM5Lmws',
  },
  {
    name: 'bonkSOL',
    token: 'BonK1YhkXEGLZzwtcvRTip3gAL9nCeQD7ppZBLXhtTs',
    pool: 'ArAQfbzsdotoKB5jJcZa3ajQrrPcWr2YQoDAEAiFxJAC',
  },
  {
    name: 'compassSOL',
    token: 'Comp4ssDzXcLeu2MnLuGNNFC4cmLPMng8qWHPvzAMU1h',
    pool: 'AwDeTcW6BovNYR34Df1TPm4bFwswa4CJY4YPye2LXtPS',
  },
  {
    name: 'picoSOL',
    token: 'picobAEvs6w7QEknPce34wAE4gknZA9v5tTonnmHYdX',
    pool: '8Dv3hNYcEWEaa4qVx9BTN1Wfvtha1z8cWDUXb7KVACVe',
  },
  {
    name: 'hubSOL',
    token: 'HUBsveNpjo5pWqNkH57QzxjQASdTVXcSK7bVKTSZtcSX',
    pool: 'ECRqn7gaNASuvTyC5xfCUjehWZCSowMXstZiM5DNweyB',
  },
  {
    name: 'strongSOL',
    token: 'strng7mqqc1MBJJV6vMzYbEqnwVGvKKGKedeCvtktWA',
    pool: 'GZDX5JYXDzCEDL3kybhjN7PSixL4ams3M2G4CvWmMmm5',
  },
  {
    name: 'pwrSOL',
    token: 'pWrSoLAhue6jUxUkbWgmEy5rD9VJzkFmvfTDV5KgNuu',
    pool: 'DfiQgSvpW3Dy4gKfhtdHnWGHwFUrE8exvaxqjtMtAVxk',
  },
  {
    name: 'superSOL',
    token: 'suPer8CPwxoJPQ7zksGMwFvjBQhjAHwUMmPV4FVatBw',
    pool: '4dZDUL3BFJUFeqS3Y3cwkc84Rs6mgVHRYGt1LJvhooW4',
  },
  {
    name: 'dfdvSOL',
    token: 'sctmB7GPi5L2Q5G9tUSzXvhZ4YiDMEGcRov9KfArQpx',
    pool: 'pyZMBjpWsVjKANAYK5mpNbKiws2krjRPZ2N2UYCSnbP',
  },
  {
    name: 'lanternSOL',
    token: 'LnTRntk2kTfWEY6cVB8K9649pgJbt6dJLS1Ns1GZCWg',
    pool: 'LW3qEdGWdVrxNgxSXW8vZri7Jifg4HuKEQ1UABLxs3C',
  },
  {
    name: 'stakeSOL',
    token: 'st8QujHLPsX3d6HG9uQg9kJ91jFxUgruwsb1hyYXSNd',
    pool: '2jjK1MsLgsPgVjnp97HUJeovNj3jp4XgyQ3nuiWMwiS8',
  },
  {
    name: 'pumpkinSOL',
    token: 'pumpkinsEq8xENVZE6QgTS93EN4r9iKvNxNALS1ooyp',
    pool: '8WHCJsUduwDBhPL9uVADQSdWkUi2LPZNFAMyX1n2HGMD',
  },
  {
    name: 'rkSOL',
    token: 'EPCz5LK372vmvCkZH3HgSuGNKACJJwwxsofW6fypCPZL',
    pool: '6LXCxeyQZqdAL4yLCtgATFYF6dcayWvsiwjtBFYVfb1N',
  },
  {
    name: 'xSOL',
    token: 'B5GgNAZQDN8vPrQ15jPrXmJxVtManHLqHogj9B9i4zSs',
    pool: 'DYuSikgwzHidFo2b8jqrViW1psAb7hpawJnszBothRzp',
  },
  {
    name: 'nxSOL',
    token: 'sctmTAsDn4tLUcemqoqYijfuRkiEfAMPi84PNq2EueR',
    pool: 'FyucURhqXtpSJzymEPmXLpr6tJKct5JuixVU5Tv9bCp7',
  },
  {
    name: 'adraSOL',
    token: 'sctmY8fJucsJatwHz6P48RuWBBkdBMNmSMuBYrWFdrw',
    pool: '2XhsHdwf4ZDpp2JhpTqPovoVy3L2Atfp1XkLqFMwGP4Y',
  },
  {
    name: 'phaseSOL',
    token: 'phaseZSfPxTDBpiVb96H4XFSD8xHeHxZre5HerehBJG',
    pool: 'phasejkG1akKgqkLvfWzWY17evnH6mSWznnUspmpyeG',
  },
  {
    name: 'hyloSOL',
    token: 'hy1oXYgrBW6PVcJ4s6s2FKavRdwgWTXdfE69AxT7kPT',
    pool: 'hy1oDeVCVRDGkxS26qLVDvRhDpZGfWJ6w9AMvwMegwL',
  },
  {
    name: 'pathSOL',
    token: 'pathdXw4He1Xk3eX84pDdDZnGKEme3GivBamGCVPZ5a',
    pool: 'GM7TwD34n8HmDP9XcT6bD3JJuNniKJkrKQinHqmqHarz',
  },
  {
    name: 'juicingJupSOL',
    token: 'BgYgFYq4A9a2o5S1QbWkmYVFBh7LBQL8YvugdhieFg38',
    pool: '4mBwcXKJN2vz6MJikNTgVBSY5vYnyjZk7txd8j3K46Ei',
  },
  {
    name: 'mallowSOL',
    token: 'MLLWWq9TLHK3oQznWqwPyqD7kH4LXTHSKXK4yLz7LjD',
    pool: '7thbAQrn9oRJsbz2CchoPSujGYpu4hCHnVrniBHupQsx',
  },
  {
    name: 'fpSOL',
    token: 'fpSoL8EJ7UA5yJxFKWk1MFiWi35w8CbH36G5B9d7DsV',
    pool: 'GutG5bcmEZw15WmPHNVMWHU77c6t8CEinUEdPLYz3doa',
  },
  {
    name: 'banxSOL',
    token: 'BANXyWgPpa519e2MtQF1ecRbKYKKDMXPF1dyBxUq9NQG',
    pool: '4fdMvFuyNboQ5Kr93X16f1tFcTeEkvfNwNAeSrzY3afb',
  },
  {
    name: 'iceSOL',
    token: 'iceSdwqztAQFuH6En49HWwMxwthKMnGzLFQcMN3Bqhj',
    pool: 'EVXQHaLSJyUNrnBGfXUnvEi4DvVz4UJ3GnoKGVQVxrjr',
  },
  {
    name: 'dbcSOL',
    token: 'dbcMcw2pC8EDt5eiYMiMBwe35mCWK4hRpec98bKAjML',
    pool: '2jwPxqMcYy7YRNteXr5yFmZVFopribgpR7mNHEm5sv5Q',
  },
  {
    name: 'wifSOL',
    token: 'Fi5GayacZzUrfaCRCJtBz2vSYkGF56xjgCceZx5SbXwq',
    pool: '9Z8yimuc3bQCWLDyMhe6jfWqNk9EggyJZUo8TLnYsqhN',
  },
  {
    name: 'portalsSOL',
    token: 'prt1sxymaSoH5R6ZFyAnmMrqp9XbuyDXbBWnHg3XuLJ',
    pool: 'prt1stdbFCFXpEcx9rxwJK63zhYo43V5JCXzGWXkPGn',
  },
]
