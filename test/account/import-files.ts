/** Small files as each program and exchange writes them, with invented transactions. */
export const FILES = {
  Sluice: `date,coin,count,price,currency,note
2026-01-02T10:00:00Z,bitcoin,0.5,40000,EUR,"First, by hand"
2026-01-03,eth,-2,,,
2026-01-04,nothing-known,1,,,
2026-01-05,bitcoin,zero,,,
`,
  Koinly: `Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash
2026-01-02 10:00:00 UTC,20000,EUR,0.5,BTC,100,EUR,,,,Bought,
2026-01-03 10:00:00 UTC,0.1,BTC,2,ETH,0.001,ETH,,,swap,,0xabc
2026-01-04 10:00:00 UTC,,,0.05,ETH,,,,,reward,,
2026-01-05 10:00:00 UTC,500,EUR,,,,,,,,To the bank,
2026-01-06 10:00:00 UTC,,,,,,,,,,,
`,
  rotki: `Location,Spend Currency,Receive Currency,Receive Amount,Spend Amount,Fee,Fee Currency,Description,Timestamp
kraken,EUR,BTC,0.5,20000,,,Trade EUR for BTC,1767348000000
uniswap,eip155:1/erc20:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48,ETH,1,2500,,,Trade USDC for ETH,1767434400000
bittrex,GLDX,BTC,0.01,100,,,Unknown,1767434400000
`,
  Ghostfolio: `Date,Code,DataSource,Currency,Price,Quantity,Action,Fee,Note
02-01-2026,bitcoin,COINGECKO,USD,40000,0.5,buy,10.00,First
2026-01-03,ETHUSD,YAHOO,USD,2500,2,sell,5,
2026-01-04,MSFT,YAHOO,USD,298.58,5,buy,19,
2026-01-05,bitcoin,COINGECKO,USD,1,1,dividend,0,
`,
  Coinbase: `
Transactions
User,someone,00000000-0000-0000-0000-000000000000
ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes
1,2026-01-02 10:00:00 UTC,Buy,BTC,0.5,USD,$40000.00,"$20,000.00","$20,100.00",$100.00,Bought 0.5 BTC
2,2026-01-03 10:00:00 UTC,Convert,BTC,0.1,USD,$40000,$4000,$4000,$0,Converted 0.1 BTC to 1.6 ETH
3,2026-01-04 10:00:00 UTC,Staking Income,ETH,0.01,USD,$2500,$25,$25,$0,
4,2026-01-05 10:00:00 UTC,Send,BTC,-0.2,USD,$40000,,,,
5,2026-01-06 10:00:00 UTC,Mystery,BTC,1,USD,$1,$1,$1,$0,
`,
  Kraken: `"txid","refid","time","type","subtype","aclass","asset","amount","fee","balance"
"L0","D0","2026-01-01 09:00:00","deposit","","currency","ZEUR",1000.0,0,1000
"","D0","2026-01-01 09:00:00","deposit","","currency","ZEUR",1000.0,0,""
"L1","T1","2026-01-02 10:00:00","trade","","currency","ZEUR",-20000.0,32.0,0
"L2","T1","2026-01-02 10:00:00","trade","","currency","XXBT",0.5,0,0.5
"L3","S1","2026-01-03 10:00:00","staking","","currency","ETH2.S",0.01,0,0.01
"L4","W1","2026-01-04 10:00:00","withdrawal","","currency","XXBT",-0.1,0.0001,0.3999
`,
  Binance: `User_ID,UTC_Time,Account,Operation,Coin,Change,Remark
1,2026-01-02 10:00:00,Spot,Transaction Buy,BTC,0.3,
1,2026-01-02 10:00:00,Spot,Transaction Buy,BTC,0.2,
1,2026-01-02 10:00:00,Spot,Transaction Spend,EUR,-12000,
1,2026-01-02 10:00:00,Spot,Transaction Spend,EUR,-8000,
1,2026-01-02 10:00:00,Spot,Transaction Fee,ETH,-0.01,
1,24-01-03 10:00:00,Spot,Distribution,ETH,0.5,
1,2026-01-04 10:00:00,Spot,Transfer Between Main and Funding Wallet,ETH,-0.5,
1,2026-01-05 10:00:00,Spot,Withdraw,BTC,-0.1,Fee is included
`,
}

/** Ghostfolio's other file, with the same first two activities. */
export const GHOSTFOLIO_JSON = JSON.stringify({
  meta: { date: '2026-01-31T00:00:00.000Z', version: '2.0.0' },
  activities: [
    {
      comment: 'First',
      fee: 10,
      quantity: 0.5,
      type: 'BUY',
      unitPrice: 40_000,
      currency: 'USD',
      dataSource: 'COINGECKO',
      date: '2026-01-02T00:00:00.000Z',
      symbol: 'bitcoin',
    },
    {
      comment: null,
      fee: 5,
      quantity: 2,
      type: 'SELL',
      unitPrice: 2_500,
      currency: 'USD',
      dataSource: 'YAHOO',
      date: '2026-01-03T00:00:00.000Z',
      symbol: 'ETHUSD',
    },
  ],
})
