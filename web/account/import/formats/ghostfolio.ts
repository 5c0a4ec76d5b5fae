import { multiply } from '../../../../db/values/decimal.ts'
import { amountIn, amountsIn, lineByLine, noteOf, numberIn, timeIn, Unreadable } from '../fields.ts'
import type { ImportFormat, Row } from '../movement.ts'

/** Yahoo's names of coins, such as `BTCUSD` or `BTC-USD`. */
const PAIR = /^([A-Z0-9]{2,10}?)-?(USD|EUR|GBP|CHF)$/
const CRYPTO = ['COINGECKO', 'YAHOO', 'MANUAL', '']

/** Activities of Ghostfolio: its CSV file, or the JSON file that it exports. Only coins are read. */
export const ghostfolio: ImportFormat = {
  name: 'Ghostfolio',
  columns: ['Date', 'Code', 'DataSource', 'Currency', 'Price', 'Quantity', 'Fee'],
  read: lineByLine((row) => {
    const action = (row.get('Action') || row.get('Type')).toLowerCase()
    if (action !== 'buy' && action !== 'sell') return `"${action}" is neither a purchase nor a sale`
    const own = amountIn(row, 'Quantity', assetOf(row))
    if (!own) return 'the quantity is 0'
    const price = numberIn(row, 'Price')
    if (price === null) throw new Unreadable('Price: it is missing')
    const paid = { amount: multiply(own.amount, price), asset: row.get('Currency') }
    return {
      at: timeIn(row, 'Date'),
      received: action === 'buy' ? own : paid,
      spent: action === 'buy' ? paid : own,
      fees: amountsIn(row, 'Fee', row.get('Currency')),
      note: noteOf(row.get('Note') || row.get('Comment')),
    }
  }),
}

/** CoinGecko's names are ids of coins; of the others the symbol is taken. */
function assetOf(row: Row): string {
  const [code, source] = [row.get('Code') || row.get('Symbol'), row.get('DataSource').toUpperCase()]
  if (!CRYPTO.includes(source)) throw new Unreadable(`DataSource: "${source}" has no coins`)
  return source === 'COINGECKO' ? code : (PAIR.exec(code)?.[1] ?? code)
}
