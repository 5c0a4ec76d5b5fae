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
  Bitstamp: `ID,Account,Type,Subtype,Datetime,Amount,Amount currency,Value,Value currency,Rate,Rate currency,Fee,Fee currency,Order ID
1,Main Account,Deposit,,2026-01-01T10:00:00Z,1,BTC,,,,,,,
2,Main Account,Market,Buy,2026-01-02T10:00:00Z,0.5,BTC,20000,EUR,40000,EUR,32,EUR,77
3,Main Account,Market,Sell,2026-01-03T10:00:00Z,2,ETH,0.1,BTC,0.05,BTC,0.0001,BTC,78
4,Main Account,Staking reward,,2026-01-04T10:00:00Z,0.01,ETH2R,,,,,,,
5,Main Account,Withdrawal,,2026-01-05T10:00:00Z,0.2,BTC,,,,,0.0005,BTC,
6,Main Account,Mystery,,2026-01-06T10:00:00Z,1,BTC,,,,,,,
`,
  'Bitfinex, trades': `#,PAIR,AMOUNT,PRICE,FEE,FEE PERC,FEE CURRENCY,DATE,ORDER ID
1,BTC/EUR,0.5,40000,-0.001,0.2,BTC,02-01-26 10:00:00,101
2,ETH/BTC,-2,0.05,-0.0002,0.2,BTC,03-01-26 10:00:00,102
3,ETH/BTC,1,0.05,0.001,-0.1,ETH,04-01-26 10:00:00,103
4,ETH/BTC,1,0.05,0,0,ETH,01-31-26 10:00:00,104
`,
  'Bitfinex, movements': `#,DATE,CURRENCY,STATUS,AMOUNT,FEES,DESCRIPTION,TRANSACTION ID,NOTE
1,02-01-26 10:00:00,BTC,COMPLETED,1,0,bc1,aa,
2,03-01-26 10:00:00,BTC,CANCELED,-0.3,0,bc1,,
3,04-01-26 10:00:00,BTC,COMPLETED,-0.2,-0.0004,bc1,bb,
`,
  'Crypto.com App': `Timestamp (UTC),Transaction Description,Currency,Amount,To Currency,To Amount,Native Currency,Native Amount,Native Amount (in USD),Transaction Kind,Transaction Hash
2026-01-02 10:00:00,Buy BTC,BTC,0.5,,,EUR,20000,22000,crypto_purchase,
2026-01-03 10:00:00,BTC -> ETH,BTC,-0.1,ETH,2,EUR,4000,4400,crypto_exchange,
2026-01-04 10:00:00,Crypto Earn,ETH,0.01,,,EUR,25,27,crypto_earn_interest_paid,
2026-01-05 10:00:00,Withdraw BTC,BTC,-0.2,,,EUR,-8000,-8800,crypto_withdrawal,0xabc
2026-01-06 10:00:00,Crypto Earn Deposit,ETH,-1,,,EUR,-2500,-2750,crypto_earn_program_created,
2026-01-07 10:00:00,Mystery,ETH,1,,,EUR,2500,2750,never_heard_of,
`,
  'KuCoin, filled orders': `UID,Account Type,Order ID,Symbol,Side,Order Type,Avg. Filled Price,Filled Amount,Filled Volume,Filled Volume (USDT),Filled Time(UTC+08:00),Fee,Tax,Maker/Taker,Fee Currency
1,Spot,a,ETH-BTC,BUY,MARKET,0.05,2,0.1,4000,2026-01-02 18:00:00,0.0001,,TAKER,BTC
1,Spot,b,ETH-BTC,SELL,LIMIT,0.05,1,0.05,2000,2026-01-03 18:00:00,0.00005,,MAKER,BTC
`,
  'KuCoin, withdrawals': `UID,Account Type,Time(UTC),Remarks,Status,Fee,Amount,Coin,Transfer Network,Withdrawal Address/Account
1,Main,2026-01-02 10:00:00,,SUCCESS,0.0005,0.2,BTC,BTC,bc1
1,Main,2026-01-03 10:00:00,,FAILURE,0.0005,0.2,BTC,BTC,bc1
`,
  'KuCoin, deposits': `UID,Account Type,Time(UTC+08:00),Coin,Amount,Fee,Transfer Network,Status,Remarks
1,Main,2026-01-02 18:00:00,BTC,1,0,BTC,SUCCESS,Deposit
1,Main,2026-01-03 18:00:00,ETH,2,0.001,ETH,SUCCESS,Deposit
`,
  'OKX, trading history': `id,Order id,Time,Trade Type,Instrument,Type,Amount,Unit,PL,Fee,Position Change,Position Balance,Balance Change,Balance,Unit
1,11,2026-01-02 10:00:00,Spot,ETH-BTC,Buy,2,ETH,0,-0.002,0,0,1.998,2,ETH
1,11,2026-01-02 10:00:00,Spot,ETH-BTC,Sell,0.1,BTC,0,0,0,0,-0.1,1,BTC
2,12,2026-01-03 10:00:00,Transfer,,Transfer in,1,BTC,0,0,0,0,1,2,BTC
3,13,2026-01-04 10:00:00,Spot,ETH-BTC,Buy,1,ETH,0,0,0,0,1,3,ETH
4,14,2026-01-05 10:00:00,Spot,ETH-BTC,Buy,0.05,BTC,0,0.00001,0,0,0.05001,1,BTC
4,14,2026-01-05 10:00:00,Spot,ETH-BTC,Sell,1,ETH,0,0.0002,0,0,-0.9998,1,ETH
`,
  'OKX, funding history': `id,Time,Type,Amount,Before Balance,After Balance,Fee,Symbol
1,2026-01-02 10:00:00,Deposit,1,0,1,0,BTC
2,2026-01-03 10:00:00,Withdrawal,-0.2,1,0.7995,0.0005,BTC
3,2026-01-04 10:00:00,Staking Yield,0.01,0,0.01,0,ETH
4,2026-01-05 10:00:00,To unified trading account,-0.1,0.8,0.7,0,BTC
`,
  'Poloniex, trades': `Date,Market,Category,Type,Price,Amount,Total,Fee,Order Number,Base Total Less Fee,Quote Total Less Fee,Fee Currency,Fee Total
2026-01-02 10:00:00,ETH/BTC,Exchange,Buy,0.05,2,0.1,0.2%,1,-0.1,1.996,ETH,0.004
2026-01-03 10:00:00,ETH/BTC,Exchange,Sell,0.05,1,0.05,0.2%,2,0.0499,-1,BTC,0.0001
`,
  'Poloniex, withdrawals': `Date,Currency,Amount,Fee Deducted,Amount - Fee,Address,Status
2026-01-02 10:00:00,BTC,0.2,0.0005,0.1995,bc1,COMPLETE: aa
2026-01-03 10:00:00,BTC,0.2,0.0005,0.1995,bc1,COMPLETE ERROR
`,
  'Poloniex, deposits': `Date,Currency,Amount,Address,Status
2026-01-02 10:00:00,BTC,1,bc1,COMPLETE
2026-01-03 10:00:00,ETH,2,0x1,COMPLETE
`,
  'Bittrex, orders': `Uuid,Exchange,TimeStamp,OrderType,Limit,Quantity,QuantityRemaining,Commission,Price,PricePerUnit,IsConditional,Condition,ConditionTarget,ImmediateOrCancel,Closed,TimeInForceTypeId,TimeInForce
a,BTC-ETH,1/2/2026 10:00:00 AM,LIMIT_BUY,0.05,3,1,0.00025,0.1,0.05,False,,0,False,1/2/2026 10:00:05 AM,0,
b,BTC-ETH,1/13/2026 10:00:00 PM,LIMIT_SELL,0.05,1,0,0.000125,0.05,0.05,False,,0,False,1/13/2026 10:00:05 PM,0,
`,
  'Bittrex, deposits': `Id,Currency,Amount,Confirmations,LastUpdatedDate,TxId,CryptoAddress,Source,PropertyBagError,BankInfo,DepositUuid,State
1,BTC,1,3,1/2/2026 10:00:00 AM,aa,bc1,Blockchain,,,a,CONFIRMED
2,BTC,1,0,1/3/2026 10:00:00 AM,bb,bc1,Blockchain,,,b,PENDING
3,ETH,2,9,1/4/2026 12:30:00 AM,cc,0x1,Blockchain,,,c,CONFIRMED
`,
  'Bittrex, withdrawals': `PaymentUuid,Currency,Amount,Address,OpenedDate,Authorized,Pending,TxFee,Canceled,TxId
a,BTC,0.2,bc1,1/2/2026 10:00:00 AM,True,False,0.0005,False,aa
b,BTC,0.3,bc1,1/3/2026 10:00:00 AM,True,False,0.0005,True,
`,
  'FTX, trades': `ID,Time,Market,Side,Order Type,Size,Price,Total,Fee,Fee Currency
1,2026-01-02T10:00:00.123456+00:00,ETH/BTC,buy,limit,2,0.05,0.1,0.0001,BTC
2,2026-01-03T10:00:00+00:00,ETH/BTC,sell,limit,1,0.05,0.05,-0.00001,BTC
3,2026-01-04T10:00:00+00:00,BTC-PERP,buy,limit,1,40000,40000,2,USD
`,
  'FTX, withdrawals': `,Time,Coin,Amount,Destination,Status,Transaction ID,fee
1,2026-01-02T10:00:00+00:00,BTC,0.2,bc1,complete,aa,0.0005
`,
  'FTX, deposits': `,Time,Coin,Amount,Status,Additional info,Transaction ID
1,2026-01-02T10:00:00+00:00,BTC,1,confirmed,,aa
2,2026-01-03T10:00:00+00:00,ETH,2,cancelled,,bb
3,2026-01-04T10:00:00+00:00,ETH,2,confirmed,,cc
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
